package dedup

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/internal/extsort"
	"github.com/lshclust/lshclust/internal/mapped"
)

// Names of the files that the output has besides those of the inputs.
const (
	ReportName   = "report.json"
	RemovedName  = "removed.jsonl" // or, as a table, removed.parquet: see [Options.List]
	removedTable = "removed.parquet"
	workName     = ".dedup" // of the folder of a job that is not finished
	planName     = "plan.json"
)

// version is that of the files in the folder of a job.
const version = 3

// ErrFinished says that the output was made from other inputs or with other options.
var ErrFinished = errors.New("was made from other inputs or with other options; choose another output (-o), or remove it")

// plan is what decides the output.
type plan struct {
	Version int     `json:"version"`
	Options Options `json:"options"`
	Inputs  []input `json:"inputs"`
	Against []input `json:"against,omitempty"`
}

// same reports whether both decide the same; how much of it is written does not matter.
func (p plan) same(q plan) bool {
	p.Options.DryRun, p.Options.MostLost = q.Options.DryRun, q.Options.MostLost
	a, _ := json.Marshal(p)
	b, _ := json.Marshal(q)
	return bytes.Equal(a, b)
}

// job is the work on an output.
type job struct {
	Options
	ctx       context.Context
	out, work string
	attempt   string // in the names of temporary files, since two processes may do the same part
	plan      plan
	files     []*file
	parts     []*part
	exam      func() (*exam, error)    // nil without evaluation sets
	matches   func() (*matches, error) // after the step candidates; it also numbers the records
	removed   func() (*removals, error)
	docs      int // records
	seen      int // of these, in files that were seen; they come first

	mu     sync.Mutex
	tables []*mapped.File // that are open
}

func newJob(ctx context.Context, out string, o Options) *job {
	j := &job{Options: o, ctx: ctx, out: out, work: filepath.Join(out, workName), attempt: fmt.Sprintf("%d-%08x.tmp", os.Getpid(), rand.Uint32())}
	j.exam, j.matches, j.removed = sync.OnceValues(j.readExam), sync.OnceValues(j.openMatches), sync.OnceValues(j.removals)
	return j
}

// begin makes the folder of the job, or takes over that of a job that was stopped. It returns the report if it was finished.
func (j *job) begin(args []string) (done *Report, err error) {
	seen, errSeen := expand(j.Seen, true)
	against, errAgainst := expand(j.Against, false)
	files, err := expand(args, false)
	if err == nil && len(files) == 0 {
		err = errors.New("there is no input")
	}
	if err = cmp.Or(err, errSeen, errAgainst); err != nil {
		return nil, err
	}
	if err := name(files); err != nil {
		return nil, err
	}
	for i := range seen {
		seen[i].Name = ""
	}
	j.plan = plan{version, j.Options, append(seen, files...), against}
	if err := j.checkInputs(); err != nil {
		return nil, err
	}
	was := plan{}
	switch err := readJSON(filepath.Join(j.work, planName), &was); {
	case err == nil && !was.same(j.plan):
		return nil, fmt.Errorf("%s %w", j.out, ErrFinished)
	case err == nil:
		if err := j.clear(); err != nil {
			return nil, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	default:
		done, err := j.finished()
		if done != nil || err != nil {
			return done, err
		}
	}
	if err := os.MkdirAll(j.work, 0o777); err != nil {
		return nil, err
	}
	return nil, j.writeJSON(filepath.Join(j.work, planName), j.plan)
}

// clear removes what a call that was stopped has left unfinished, and a report that may change.
func (j *job) clear() error {
	entries, err := os.ReadDir(j.work)
	for _, e := range entries {
		if name := e.Name(); name != planName && filepath.Ext(name) != tableSuffix {
			err = cmp.Or(err, os.Remove(filepath.Join(j.work, name)))
		}
	}
	if gone := os.Remove(filepath.Join(j.out, ReportName)); gone != nil && !errors.Is(gone, fs.ErrNotExist) {
		err = cmp.Or(err, gone)
	}
	return err
}

// checkInputs completes the inputs of the plan.
func (j *job) checkInputs() error {
	full, err := filepath.Abs(j.out)
	if err != nil {
		return err
	}
	for _, list := range [][]input{j.plan.Inputs, j.plan.Against} {
		for i := range list {
			in := &list[i]
			if path, _ := filepath.Abs(in.Path); within(path, full) {
				return fmt.Errorf("%s is an input and in the output %s", in.Path, j.out)
			}
			if in.Size <= leastPart {
				continue
			}
			s, err := shard.Open(in.Path, shard.Options{})
			if err != nil {
				return err
			}
			in.Lines = s.Divides()
		}
	}
	return nil
}

// finished returns the report of an output of the same plan that is finished, or nil if there is no output.
func (j *job) finished() (*Report, error) {
	r := &Report{Before: true}
	if err := readJSON(filepath.Join(j.out, ReportName), r); err == nil {
		if r.Plan == nil || !r.Plan.same(j.plan) {
			return nil, fmt.Errorf("%s %w", j.out, ErrFinished)
		}
		return r, nil
	}
	entries, err := os.ReadDir(j.out)
	if err == nil && len(entries) > 0 && !(len(entries) == 1 && entries[0].Name() == workName) {
		return nil, fmt.Errorf("%s holds something else; choose another output (-o)", j.out)
	}
	return nil, nil
}

// attach opens the job that was begun in a folder. Of the options, only Workers, Memory and Progress count.
func attach(ctx context.Context, out string, o Options) (*job, error) {
	j := newJob(ctx, out, o)
	if err := readJSON(filepath.Join(j.work, planName), &j.plan); err != nil {
		return nil, fmt.Errorf("%s has no job of dedup: %w", out, err)
	}
	if j.plan.Version != version {
		return nil, fmt.Errorf("%s %w", out, ErrFinished)
	}
	j.Options = j.plan.Options
	j.Workers, j.Memory, j.Progress = o.Workers, o.Memory, o.Progress
	j.Options, _ = j.withDefaults()
	if len(j.plan.Against) == 0 {
		j.exam = nil
	}
	j.layout()
	return j, nil
}

// close closes all tables. The error is damage of one that was read.
func (j *job) close() error {
	var errs []error
	for _, t := range j.tables {
		errs = append(errs, t.Err(), t.Close())
	}
	j.tables = nil
	return errors.Join(errs...)
}

// sorted sorts the records of a size that fill appends, with a share of the memory, and passes them to take.
func (j *job) sorted(size, share int, fill func(a *extsort.Appender) error, take func(rec []byte) error) error {
	s, err := j.sorter(size, share)
	if err != nil {
		return err
	}
	defer s.Close()
	a := s.Appender()
	if err := cmp.Or(fill(a), a.Close()); err != nil {
		return err
	}
	return s.Each(j.ctx, take)
}

func (j *job) sorter(size, share int) (*extsort.Sorter, error) {
	return extsort.New(extsort.Config{Size: size, Memory: max(j.Memory/int64(share), 1<<20), Dir: j.work, Workers: 1, Unique: true})
}

// create writes a table of the job.
func (j *job) create(path string, write func(w *mapped.Writer) error) error {
	temporary := path + "." + j.attempt
	w := mapped.Create(temporary, kindTable, version)
	defer w.Abort()
	err := write(w)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

const (
	kindTable   = "dedup"
	tableSuffix = ".lsh"
)

// open opens a table of the job until the job is closed.
func (j *job) open(path string) (*mapped.File, error) {
	f, err := mapped.Open(path, kindTable, version)
	if err != nil {
		return nil, errors.Join(err, os.Remove(path), errors.New("give the same command again: it makes that file anew"))
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tables = append(j.tables, f)
	return f, nil
}

// load opens the declared columns of a table; see [mapped.File.Load].
func (j *job) load(path string, columns any) error {
	f, err := j.open(path)
	if err != nil {
		return err
	}
	return f.Load("", columns)
}

// writeJSON writes a file as writeFile does.
func (j *job) writeJSON(path string, v any) error {
	b, err := json.MarshalIndent(v, "", " ")
	if err != nil {
		return err
	}
	return j.writeFile(path, func(f *os.File) error {
		_, err := f.Write(append(b, '\n'))
		return err
	})
}

func readJSON(path string, v any) error {
	b, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// writeFile writes a file under a temporary name in the folder of the job, syncs and renames it.
func (j *job) writeFile(path string, write func(f *os.File) error) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(j.work, fmt.Sprintf("%x-%s", xxh3.HashString(path), j.attempt)), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	err = errors.Join(write(f), f.Sync(), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

package dedup

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/crawl/shard"
	"github.com/lshclust/lshclust/extsort"
)

// Names of the files that the output has besides those of the inputs.
const (
	ReportName  = "report.json"
	RemovedName = "removed.jsonl"
	workName    = ".dedup" // of the folder of a job that is not finished
)

// version is that of the files in the folder of a job.
const version = 1

// ErrFinished says that the output was made from other inputs or with other options.
var ErrFinished = errors.New("was made from other inputs or with other options; choose another output (-o), or remove it")

// plan is what decides the output.
type plan struct {
	Version int     `json:"version"`
	Options Options `json:"options"`
	Inputs  []input `json:"inputs"`
	Against []input `json:"against,omitempty"`
}

func (p plan) equal(q plan) bool {
	a, _ := json.Marshal(p)
	b, _ := json.Marshal(q)
	return bytes.Equal(a, b)
}

// job is a call of Run.
type job struct {
	Options
	ctx    context.Context
	out    string
	work   string
	plan   plan
	files  []*file
	parts  []*part
	docs   int // records
	seen   int // of these, in files that were seen; they come first
	order  []uint32
	rank   []uint32
	exam   *exam // nil if there are no evaluation sets
	report Report
}

// file is an input with its parts and its records.
type file struct {
	*shard.File
	name     string // in the output; "" for one that was seen
	from, to int    // records
	parts    []*part
}

// Run reads the inputs and writes them to the folder out without the records that go. If out holds a job of the same
// inputs and options that was stopped, Run continues it; if it is finished, Run returns its report. Otherwise the error
// wraps [ErrFinished].
func Run(ctx context.Context, out string, inputs []string, o Options) (*Report, error) {
	began := time.Now()
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	j := &job{Options: o, ctx: ctx, out: out, work: filepath.Join(out, workName)}
	if done, err := j.begin(inputs); err != nil || done {
		return &j.report, err
	}
	defer j.close()
	for _, step := range []func() error{j.open, j.readExam, j.scan, j.index, j.examine, j.rankAll, j.decide, j.tell, j.write} {
		if err := errors.Join(ctx.Err(), step()); err != nil {
			return nil, err
		}
	}
	j.report.Seconds = time.Since(began).Seconds()
	return &j.report, errors.Join(j.close(), j.finish())
}

// close closes the files of all parts. The error is damage of one that was read.
func (j *job) close() error {
	var errs []error
	for _, p := range j.parts {
		errs = append(errs, p.close())
	}
	return errors.Join(errs...)
}

// begin makes the folder of the job, or takes over that of a job that was stopped. done says that it was finished.
func (j *job) begin(args []string) (done bool, err error) {
	seen, err := expand(j.Seen)
	if err != nil {
		return false, err
	}
	for i := range seen {
		seen[i].Name = ""
	}
	against, err := expand(j.Against)
	if err != nil {
		return false, err
	}
	files, err := expand(args)
	if err == nil && len(files) == 0 {
		err = errors.New("there is no input")
	}
	if err == nil {
		err = name(files)
	}
	if err != nil {
		return false, err
	}
	full, err := filepath.Abs(j.out)
	if err != nil {
		return false, err
	}
	for _, in := range slices.Concat(seen, files, against) {
		if path, _ := filepath.Abs(in.Path); within(path, full) {
			return false, fmt.Errorf("%s is an input and in the output %s", in.Path, j.out)
		}
	}
	j.plan = plan{version, j.Options, append(seen, files...), against}
	o := &j.plan.Options
	o.Workers, o.Memory, o.Progress, o.MostLost, o.DryRun = 0, 0, nil, 0, false
	then := plan{}
	err = readJSON(filepath.Join(j.work, "plan.json"), &then)
	switch {
	case err == nil:
		if !then.equal(j.plan) {
			return false, fmt.Errorf("%s %w", j.out, ErrFinished)
		}
		return false, nil
	case !errors.Is(err, fs.ErrNotExist):
		return false, err
	}
	if err := readJSON(filepath.Join(j.out, ReportName), &j.report); err == nil {
		if j.report.Plan == nil || !j.report.Plan.equal(j.plan) {
			return false, fmt.Errorf("%s %w", j.out, ErrFinished)
		}
		j.report.Before = true
		return true, nil
	}
	if entries, err := os.ReadDir(j.out); err == nil && len(entries) > 0 && !(len(entries) == 1 && entries[0].Name() == workName) {
		return false, fmt.Errorf("%s holds something else; choose another output (-o)", j.out)
	}
	if err := os.MkdirAll(j.work, 0o777); err != nil {
		return false, err
	}
	return false, j.writeJSON(filepath.Join(j.work, "plan.json"), j.plan)
}

// open opens the files and divides them into parts.
func (j *job) open() error {
	total := int64(0)
	for _, in := range j.plan.Inputs {
		total += in.Size
	}
	size := min(max(total/partsWanted, leastPart), mostPart)
	for _, in := range j.plan.Inputs {
		s, err := shard.Open(in.Path, j.reading(j.work))
		if err != nil {
			return err
		}
		if s.Why != nil && j.Strict {
			return fmt.Errorf("%s: %w", in.Path, s.Why)
		}
		f := &file{File: s, name: in.Name}
		for _, p := range s.Parts(size) {
			f.parts = append(f.parts, &part{file: f, Part: p, path: filepath.Join(j.work, fmt.Sprintf("part-%06d.lsh", len(j.parts)))})
			j.parts = append(j.parts, f.parts[len(f.parts)-1])
		}
		j.files = append(j.files, f)
	}
	return nil
}

// finish writes the report and, if the files are written, removes the folder of the job.
func (j *job) finish() error {
	j.report.Plan = &j.plan
	if err := j.writeJSON(filepath.Join(j.out, ReportName), &j.report); err != nil {
		return err
	}
	if !j.report.Written {
		return nil
	}
	return os.RemoveAll(j.work)
}

// file returns the path of a file of the job.
func (j *job) file(name string) string { return filepath.Join(j.work, name+".lsh") }

// sorter returns a sorter of records of a size, with a share of the memory.
func (j *job) sorter(size, key, share int) (*extsort.Sorter, error) {
	return extsort.New(extsort.Config{Size: size, Key: key, Memory: max(j.Memory/int64(share), 1<<20), Dir: j.work, Workers: 1, Unique: true})
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
	name := fmt.Sprintf("%x-%d.tmp", xxh3.HashString(path), os.Getpid())
	f, err := os.OpenFile(filepath.Join(j.work, name), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o666)
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

// Package pipeline wires the stages of a run: it is the only package that knows their order, and the only one in
// which a stage meets files, workers and memory.
//
//	read        inputs → fragments in buckets by target, words, captures that a later one replaces
//	redirect    redirects → where they lead; links to them as links to there
//	group       buckets → documents, evidence, raw bags; document frequencies → terms
//	weigh       raw bags and terms → bags
//	sign        bags → nodes (distinct bags) and their signatures
//	pair        signatures → pairs of nodes, with agreement and exact similarity
//	cluster     pairs → CENTER clusters and their labels
//	shingle     the shingles of the pages, in the order of the ids
//	index       for each sampled shingle the pages that have it
//	equal       pages that equal others, boilerplate of hosts
//	resemble    pairs of pages that resemble or contain each other, exactly compared
//	union       these pairs → clusters by union-find
//	publish     all of it → Parquet tables, manifest
//
// weigh to cluster are the topical view, shingle to union the syntactic one; either can be left out.
//
// The work of a stage is a function of records in the package that the stage is named after in docs/architecture.md;
// here it is fed. Buckets are ranges of the hash by which documents are numbered, so what a stage writes bucket by
// bucket is in the order of the ids, whoever computed it.
//
// The one rule: what a stage writes depends on the inputs, in the order in which they were given, and on Config alone. Workers
// and memory may change how the work is cut, never the bytes.
package pipeline

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/run"
)

// Options say how to run, with no effect on the result.
type Options struct {
	Workers  int      // 0: all processors; at most config.MostWorkers
	Memory   int64    // bytes of anonymous memory that the process should keep to, about; 0: DefaultMemory
	Progress Progress // nil: none
	Version  string   // of the tool, for the manifest
}

// DefaultMemory is the memory of a run for which none is given.
const DefaultMemory = 1 << 30

// Progress hears how far a run is. Its methods are called from several goroutines.
type Progress interface {
	Stage(name, unit string, total int64) // a stage begins; total is -1 if not known
	At(done int64)                        // so much of the total is done
	Done(stats run.StageStats)            // the stage has ended
	Resumed(stage string)                 // the stage was done by an earlier process
	// Damaged tells that a file of a stage is damaged, so that the stage and those after it are done again; without a stage it
	// is the record of the run, which begins anew.
	Damaged(stage string, err error)
}

type silent struct{}

func (silent) Stage(string, string, int64) {}
func (silent) At(int64)                    {}
func (silent) Done(run.StageStats)         {}
func (silent) Resumed(string)              {}
func (silent) Damaged(string, error)       {}

// Result is what a finished run has to say at once.
type Result struct {
	Manifest *run.Manifest
	Damaged  int64 // parts of the input that were unreadable and skipped
}

// ErrNoSpace marks errors of a full disk. The stages before are kept, and the same command goes on.
var ErrNoSpace = errors.New("no space left on the device; free some and give the same command again to go on")

// ErrStream is wrapped by the error of going on with a run that has read standard input or a pipe.
var ErrStream = errors.New("the run was stopped after it had read a stream")

// build is a run on its way.
type build struct {
	dir        *run.Dir
	config     config.Config
	inputs     []string
	skipped    []*crawl.Skip // parts of the inputs that are left out before anything is read
	partitions int
	workers    int
	memory     int64
	report     Progress
	until      string
	dropped    crawl.Ledger // of the read stage
	stream     bool         // an input cannot be read again
	at         string       // the stage at hand
	again      int          // how often damage was found since the run was opened

	verified map[string]fileTime // tables whose checksums are right
}

// Cluster builds the run directory out from inputs. If inputs hold several captures of one URL and one time, the capture in
// the later input wins. If out holds a stopped run of the same configuration and the same inputs in the same order, Cluster
// goes on with it. Cancelling ctx stops within seconds and keeps the stages that are done.
func Cluster(ctx context.Context, out string, inputs []string, c config.Config, o Options) (Result, error) {
	b, err := begin(ctx, out, inputs, c, o)
	if err != nil {
		return Result{}, err
	}
	defer b.dir.Close()
	var m *run.Manifest
	err = b.mended(func() (err error) {
		if err = b.doAll(ctx, b.stages()); err == nil {
			m, err = b.manifest(ctx, o.Version)
		}
		return err
	})
	return Result{m, b.dropped.Damaged()}, full(err)
}

// begin checks what the caller gave and opens the run directory, which may hold a stopped run. The caller closes it.
func begin(ctx context.Context, out string, inputs []string, c config.Config, o Options) (*build, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := config.Workers(o.Workers); err != nil {
		return nil, err
	}
	files, skipped, err := crawl.Expand(inputs)
	if err != nil {
		return nil, err
	}
	if err := checkInputs(files); err != nil {
		return nil, err
	}
	sizes, err := digests(ctx, files)
	if err != nil {
		return nil, err
	}
	dir, err := run.Create(out, c, sizes)
	if err != nil {
		return nil, err
	}
	b := newBuild(dir, c, files, o)
	b.skipped, b.partitions = skipped, partitionsFor(sizes)
	b.stream = slices.ContainsFunc(sizes, func(in run.Input) bool { return in.Digest == "" })
	if b.stream && dir.Done("read") {
		dir.Close()
		return nil, fmt.Errorf("%s: %w: a stream cannot be told from another one; remove it or choose another output directory (-o)", out, ErrStream)
	}
	if err := b.verifyStopped(ctx); err != nil {
		dir.Close()
		return nil, err
	}
	return b, nil
}

func newBuild(dir *run.Dir, c config.Config, files []string, o Options) *build {
	b := &build{dir: dir, config: c, inputs: files, workers: o.Workers, memory: o.Memory, report: o.Progress, verified: map[string]fileTime{}}
	if b.workers <= 0 {
		b.workers = runtime.GOMAXPROCS(0)
	}
	if b.memory <= 0 {
		b.memory = DefaultMemory
	}
	if b.report == nil {
		b.report = silent{}
	}
	return b
}

// full adds what to do to the error of a full disk.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return errors.Join(ErrNoSpace, err)
	}
	return err
}

// stage is one step: work writes the outputs under their temporary names and returns what it did.
type stage struct {
	name    string
	outputs []string
	work    func(ctx context.Context) (run.StageStats, error)
	also    func() []string // outputs that depend on the input, once the work is done; nil: none
}

// stages returns the stages of a run in their order.
func (b *build) stages() []stage {
	todo := b.gathering()
	if b.config.Has(config.Topical) {
		todo = append(todo, b.weighing(), b.signing(), b.pairing(), b.clustering())
	}
	if b.config.Has(config.Syntactic) {
		todo = append(todo, b.shingling(), b.indexing(), b.equalling(), b.resembling(), b.uniting())
	}
	return append(todo, b.publishing())
}

// gathering returns the stages that both views begin with.
func (b *build) gathering() []stage { return []stage{b.reading(), b.redirecting(), b.grouping()} }

func (b *build) doAll(ctx context.Context, stages []stage) error {
	for _, s := range stages {
		if err := b.do(ctx, s); err != nil {
			return err
		}
	}
	return nil
}

// do does a stage unless it is done, and records it.
func (b *build) do(ctx context.Context, s stage) error {
	if b.dir.Done(s.name) {
		if b.again == 0 {
			b.report.Resumed(s.name)
		}
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if b.memory < muchMemory {
		debug.FreeOSMemory() // what the stage before has left is not this one's
	}
	b.at = s.name
	t := run.StartStage(s.name)
	did, err := s.work(ctx)
	if err != nil {
		t.Stop()
		return err
	}
	stats := t.Stats(did.In, did.Out, did.Dropped)
	stats.Counts = did.Counts
	outputs := s.outputs
	if s.also != nil {
		outputs = slices.Concat(outputs, s.also())
	}
	if err := b.dir.Finish(s.name, stats, outputs...); err != nil {
		return err
	}
	b.report.Done(stats)
	return nil
}

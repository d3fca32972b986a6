// Package pipeline builds a run. It runs the stages in order, and gives them files, workers and memory.
//
// Both views begin with the same three stages:
//
//	read        reads the pages and writes a fragment for each of their links: the words around the link
//	redirect    finds the URL at which each redirect ends, and moves the fragments of redirected links there
//	group       numbers the documents and adds up the fragments of each document to its raw bag
//
// The topical view clusters documents by the words around the links to them, by their own words, or by both:
//
//	weigh       makes a bag of each raw bag: weighs its terms by how rare they are, and scales and rounds the weights of
//	            either field
//	sign        computes the min-hash signatures of each distinct bag (a node)
//	invert      lists the nodes whose bag holds each term
//	pair        finds pairs of similar nodes by LSH, and computes their exact similarity
//	cluster     clusters the nodes with CENTER, and finds a label for each cluster
//	tree        divides the nodes into topics, and these into smaller ones, and finds labels that tell siblings apart
//
// The syntactic view clusters pages by their own text:
//
//	shingle     sorts the shingles of the pages, which the read stage made, by document
//	index       lists the pages that contain each shingle, or each sampled shingle in a large run
//	equal       finds pages that are equal, and the boilerplate that most pages of a host share
//	resemble    finds pairs of pages that resemble or contain each other, and compares them exactly
//	union       clusters the pages that these pairs connect, by union-find
//
// The last stage finishes the run:
//
//	publish     writes the Parquet tables and the manifest
//
// Either view can be left out. The algorithms are in other packages, which docs/architecture.md lists.
//
// [Cluster] builds a run, or continues a stopped one.
//
// The output of a stage depends only on the inputs, their order, and the configuration. The number of workers and the
// memory limit may change how the work is divided, but never the bytes of the result. Therefore intermediate records
// are partitioned by ranges of the hash by which documents are numbered: files that are written partition by
// partition are in order of ids, no matter which worker wrote a partition.
package pipeline

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
)

// Options are settings that do not affect the result.
type Options struct {
	Workers  int      // 0 means all processors; at most config.MostWorkers
	Memory   int64    // bytes of anonymous memory that the process should not exceed by much; 0 means DefaultMemory
	Disk     int64    // bytes that the run directory should not exceed; 0 means no limit
	Progress Progress // nil for none
	Version  string   // version of the tool, for the manifest
	Replace  bool     // replace a finished run of other inputs or settings when the new one is finished

	SmallParts bool   // divide the work on small inputs, too, so that tests can stop a run within every stage
	sizes      *sizes // nil means the sizes that SmallParts selects; tests set others
}

// DefaultMemory is the default memory limit in bytes.
const DefaultMemory = 1 << 30

// Progress receives the progress of a run. Several goroutines may call its methods.
type Progress interface {
	Stage(name, unit string, total int64) // a stage or another step of it begins; total is -1 if unknown
	At(done int64)                        // this much of the total is done
	Done(stats run.StageStats)            // the stage has ended
	Resumed(stage string)                 // an earlier process did the stage
	// Continued reports that an earlier process did a share, in percent, of a step of a stage. The only step of a
	// stage has the name of the stage.
	Continued(stage, step string, percent float64)
	// Damaged reports that a file of a stage is damaged, or that another build of lshclust made its parts, so that
	// this stage and the later ones are done again. stage is "" if the record of the run is damaged; then the run
	// starts over.
	Damaged(stage string, err error)
}

type silent struct{}

func (silent) Stage(string, string, int64) {}
func (silent) At(int64)                    {}
func (silent) Done(run.StageStats)         {}
func (silent) Resumed(string)              {}
func (silent) Damaged(string, error)       {}

func (silent) Continued(string, string, float64) {}

// Result describes a finished run.
type Result struct {
	Manifest *run.Manifest
	Damaged  int64 // number of unreadable parts of the input that were skipped
	Before   bool  // whether the run was finished before
}

// ErrNoSpace is wrapped by the errors for a full disk. Finished stages are kept; the same command continues from
// there.
var ErrNoSpace = errors.New("no space left on the device; free some and give the same command again to go on")

// ErrStream is wrapped by the error of a run that cannot continue because it has read standard input or a pipe.
var ErrStream = errors.New("the run was stopped after it had read a stream")

// build is the state of a run under construction that the stages share.
type build struct {
	dir        *run.Dir
	config     config.Config
	inputs     []string
	skipped    []*crawl.Skip // parts of the inputs that were left out before reading began
	partitions int
	workers    int
	memory     int64
	sizes      sizes
	report     Progress
	dropped    crawl.Ledger // input dropped by the read stage
	stream     bool         // whether an input cannot be read again
	again      int          // how often damage was found since the run was opened

	verified map[string]fileTime // tables whose checksums were verified
	few      bool                // whether this process does only a few parts of a step
}

// runner does the stages of a run.
type runner struct {
	*build
	budget int64      // Options.Disk
	disk   *diskWatch // set while stages are done
	at     string     // the current stage
}

// Cluster builds a run in the directory out from inputs. If inputs contain several captures of one URL at one time,
// the capture in the later input wins. If out contains a stopped run with the same configuration and the same inputs
// in the same order, Cluster continues it; if out contains such a run that is finished, Cluster returns its manifest.
// Cancelling ctx stops within seconds and keeps the finished stages.
func Cluster(ctx context.Context, out string, inputs []string, c config.Config, o Options) (Result, error) {
	r, err := begin(ctx, out, inputs, c, o)
	var finished *run.FinishedError
	switch {
	case errors.As(err, &finished) && len(finished.Diffs) == 0:
		return Result{finished.Manifest, finished.Manifest.Damaged(), true}, nil
	case finished != nil && o.Replace:
		return replace(ctx, out, inputs, c, o)
	case err != nil:
		return Result{}, err
	}
	defer r.dir.Close()
	return r.finish(ctx, r.stages(), o.Version)
}

// replace builds a run beside the finished run out, and then puts it there.
func replace(ctx context.Context, out string, inputs []string, c config.Config, o Options) (Result, error) {
	out, err := filepath.EvalSymlinks(out)
	if err != nil {
		return Result{}, err
	}
	o.Replace = false
	r, err := Cluster(ctx, out+".new", inputs, c, o)
	if err == nil {
		err = run.Replace(out, out+".new")
	}
	return r, err
}

// finish does the given last stages of the run and publishes it.
func (r *runner) finish(ctx context.Context, stages []stage, version string) (done Result, err error) {
	err = r.mended(func() (err error) {
		if err = r.doAll(ctx, stages); err == nil {
			done.Manifest, err = publishStage{r.build}.manifest(ctx, version)
		}
		return err
	})
	done.Damaged = r.dropped.Damaged()
	return done, full(err)
}

// begin checks the arguments and opens the run directory, which may contain a stopped run. The caller must close it.
func begin(ctx context.Context, out string, inputs []string, c config.Config, o Options) (*runner, error) {
	if err := c.Validate(); err != nil {
		return nil, err
	}
	if err := config.Workers(o.Workers); err != nil {
		return nil, err
	}
	columns, err := crawl.ParseMap(c.Map...)
	if err != nil {
		return nil, err
	}
	files, skipped, err := crawl.Expand(inputs, columns)
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
		return nil, full(err)
	}
	r := newRunner(dir, c, files, o)
	r.skipped = skipped
	if err := dir.SetArguments(inputs); err != nil {
		return nil, full(errors.Join(err, dir.Close()))
	}
	if r.stream && dir.Done("read") {
		err = nothingElse(out, sizes)
	}
	if err == nil {
		err = r.verifyStopped(ctx)
	}
	if err != nil {
		dir.Close()
		return nil, err
	}
	return r, nil
}

func newRunner(dir *run.Dir, c config.Config, files []string, o Options) *runner {
	b := &build{
		dir: dir, config: c, inputs: files, partitions: partitionsOf(dir), workers: o.Workers, memory: o.Memory, sizes: o.partSizes(),
		report: o.Progress, stream: hasStream(dir.Inputs), verified: map[string]fileTime{},
	}
	if b.workers <= 0 {
		b.workers = runtime.GOMAXPROCS(0)
	}
	if b.memory <= 0 {
		b.memory = DefaultMemory
	}
	if b.report == nil {
		b.report = silent{}
	}
	return &runner{build: b, budget: o.Disk}
}

// full adds advice to the error for a full disk.
func full(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return errors.Join(ErrNoSpace, err)
	}
	return err
}

// outputs returns all outputs of a stage whose work is done.
func (r *runner) outputs(s stage) []string {
	out := s.writes
	if s.also != nil {
		out = slices.Concat(out, s.also())
	}
	if s.end == nil && s.work == nil {
		for _, p := range r.partsOfStep(s.name, 0) {
			out = append(out, p.Files...)
		}
	}
	return out
}

// doAll does stages in order.
func (r *runner) doAll(ctx context.Context, stages []stage) error {
	ctx, stop := r.watchDisk(ctx)
	defer stop()
	for _, s := range stages {
		if err := r.withinBudget(s.name); err != nil {
			return err
		}
		if err := r.do(ctx, s); err != nil {
			return overBudget(ctx, s.name, err)
		}
	}
	return nil
}

// freeMemory returns the memory of the previous stage to the system. Otherwise it would add to what the next stage
// takes outside the heap. If it is a small share of the limit, it is not worth a collection, and a limit below
// LeastMemory cannot be kept anyway.
func (r *runner) freeMemory() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if r.memory >= LeastMemory && int64(m.Sys-m.HeapReleased) > r.memory/8 {
		debug.FreeOSMemory()
	}
}

// do does and records a stage unless it is done.
func (r *runner) do(ctx context.Context, s stage) error {
	if r.dir.Done(s.name) {
		if r.again == 0 {
			r.report.Resumed(s.name)
		}
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	r.freeMemory()
	r.at = s.name
	work := s.work
	if work == nil {
		work = func(ctx context.Context) (run.StageStats, error) { return r.doSteps(ctx, s) }
	}
	t := run.StartStage(s.name)
	did, err := work(ctx)
	if err != nil {
		t.Stop()
		return err
	}
	stats := t.Stats(did.In, did.Out, did.Dropped)
	stats.Counts, stats.PeakDisk = did.Counts, r.disk.stagePeak()
	if err := r.dir.Finish(s.name, stats, r.outputs(s)...); err != nil {
		return err
	}
	r.report.Done(stats)
	return r.freeAfter(s.name)
}

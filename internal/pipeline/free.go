package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lshclust/lshclust/internal/run"
)

// Intermediate files are removed after the last step that reads them; see [build.stages]. If damage is found later, and
// a step that must be done again needs what was removed, the stage that wrote it is done again first.

// reads returns the intermediate files of earlier stages that the parts of a step read.
func (r *runner) reads(of step) []string {
	if of.ofRead {
		return slices.Concat(of.reads, r.fromRead().names())
	}
	return of.reads
}

// readBehind returns what is read after step i of a stage: intermediate files of earlier stages, and steps of the stage.
func (r *runner) readBehind(stage string, i int) (files map[string]bool, steps []string) {
	files = map[string]bool{}
	read := func(names []string) {
		for _, name := range names {
			files[name] = true
		}
	}
	for _, s := range r.stages() {
		if r.dir.Done(s.name) {
			continue
		}
		for at, x := range s.steps {
			if s.name == stage && at <= i {
				continue
			}
			read(r.reads(x))
			if s.name == stage {
				steps = append(steps, x.after...)
			}
		}
		read(s.reads)
		if s.name == stage && s.keeps != nil {
			steps = append(steps, s.keeps...)
		} else if s.name == stage {
			for _, x := range s.steps {
				steps = append(steps, x.name)
			}
		}
	}
	return files, steps
}

// freeUnread removes files that nothing reads after step i of a stage: intermediate files of finished stages, and
// those of steps of this stage.
func (r *runner) freeUnread(s stage, i int) error {
	files, steps := r.readBehind(s.name, i)
	for at, x := range s.steps[:i+1] {
		if !slices.Contains(steps, x.name) {
			if err := r.dir.FreeParts(s.name, at*stepParts, (at+1)*stepParts); err != nil {
				return err
			}
		}
	}
	return r.freeOutputs(files)
}

// freeOutputs removes the intermediate files of finished stages that are not in read.
func (r *runner) freeOutputs(read map[string]bool) error {
	var names []string
	for _, s := range r.dir.Stages() {
		for _, name := range r.dir.Outputs(s.Name) {
			if strings.HasPrefix(name, "work/") && !read[name] {
				names = append(names, name)
			}
		}
	}
	return r.dir.Free(names...)
}

// freeAfter removes the files that only the stage, now done, read. It keeps those of the last stage, which the
// manifest still needs.
func (r *runner) freeAfter(stage string) error {
	if stages := r.stages(); stages[len(stages)-1].name == stage {
		return nil
	}
	files, _ := r.readBehind(stage, 0)
	return r.freeOutputs(files)
}

// lacksSteps reports whether parts of step i that must be done read a step whose files were removed.
func (r *runner) lacksSteps(s stage, i int, p *plan) bool {
	return len(r.missing(s, i, p)) > 0 && slices.ContainsFunc(s.steps[i].after, func(step string) bool {
		return slices.ContainsFunc(r.partsOfStep(s.name, s.index(step)), func(p run.Part) bool { return p.Freed })
	})
}

// freedError says that a stage needs a file that was removed after its last use.
type freedError struct {
	stage, file string // the file and the stage that wrote it
	needs       string // the stage that needs it
}

func (e *freedError) Error() string {
	return fmt.Sprintf("%s was removed after its last use, and stage %s, which is done again, reads it", e.file, e.needs)
}

// lacksFiles returns a *freedError if parts of step i that must be done read a file that was removed.
func (r *runner) lacksFiles(s stage, i int, p *plan) error {
	if len(r.missing(s, i, p)) == 0 {
		return nil
	}
	for _, name := range r.reads(s.steps[i]) {
		if from := r.dir.Freed(name); from != "" {
			return &freedError{from, name, s.name}
		}
	}
	return nil
}

// mendFreed marks the stage that wrote a removed file, and later stages, as not done.
func (r *runner) mendFreed(e *freedError) error {
	if e.stage == "read" && r.stream {
		return fmt.Errorf("%w: %w: it cannot be read again", e, ErrStream)
	}
	if err := r.dir.Forget(e.stage); err != nil {
		return errors.Join(e, err)
	}
	r.report.Damaged(e.stage, e)
	return nil
}

// BudgetError is the error of a run that would exceed Options.Disk. Finished stages are kept; the run can continue
// with a larger budget.
type BudgetError struct {
	Path  string // path of the run directory
	Disk  int64  // Options.Disk
	Used  int64  // bytes of the run directory when the run was stopped
	Stage string // stage that was being done
}

// Error returns a message with the budget and how to continue.
func (e *BudgetError) Error() string {
	return fmt.Sprintf("%s: the stage %s has reached the disk budget of %d KiB (%d KiB are used): give the same command with a larger --disk to go on", e.Path, e.Stage, e.Disk>>10, e.Used>>10)
}

// diskPeriod is the time between two measurements of the run directory. A measurement takes about a microsecond per
// file.
const diskPeriod = 50 * time.Millisecond

// diskWatch measures the size of the run directory while a run is built.
type diskWatch struct {
	dir string

	mu   sync.Mutex
	last int64 // size at the last measurement
	peak int64 // largest size during the stage
}

// watchDisk measures the run directory until stop is called. If the size comes so close to the budget that it would
// exceed it by the next measurement, it cancels the returned context with a *BudgetError as the cause.
func (r *runner) watchDisk(ctx context.Context) (watched context.Context, stop func()) {
	watched, cancel := context.WithCancelCause(ctx)
	r.disk = &diskWatch{dir: r.dir.Path("")}
	r.disk.measure()
	done := make(chan struct{})
	var ended sync.WaitGroup
	ended.Go(func() {
		tick := time.NewTicker(diskPeriod)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
			case <-done:
				return
			}
			if used, grown := r.disk.measure(); r.budget > 0 && used+grown > r.budget {
				cancel(&BudgetError{Path: r.disk.dir, Disk: r.budget, Used: used})
				return
			}
		}
	})
	return watched, func() {
		close(done)
		ended.Wait()
		cancel(nil)
	}
}

// overBudget returns the *BudgetError that cancelled ctx during a stage, or err if there is none.
func overBudget(ctx context.Context, stage string, err error) error {
	if over, ok := errors.AsType[*BudgetError](context.Cause(ctx)); ok {
		over.Stage = stage
		return over
	}
	return err
}

// withinBudget returns a *BudgetError if the budget leaves no room for a stage that is not done.
func (r *runner) withinBudget(stage string) error {
	if used, _ := r.disk.measure(); r.budget > 0 && used >= r.budget && !r.dir.Done(stage) {
		return &BudgetError{Path: r.disk.dir, Disk: r.budget, Used: used, Stage: stage}
	}
	return nil
}

// measure returns the size of the files of the run and its growth since the last measurement.
func (d *diskWatch) measure() (used, grown int64) {
	used = DirSize(d.dir)
	d.mu.Lock()
	defer d.mu.Unlock()
	grown, d.last = max(0, used-d.last), used
	d.peak = max(d.peak, used)
	return used, grown
}

// stagePeak returns the largest size since the last call.
func (d *diskWatch) stagePeak() int64 {
	d.measure()
	d.mu.Lock()
	defer d.mu.Unlock()
	peak := d.peak
	d.peak = d.last
	return peak
}

// DirSize returns the bytes of all files below a directory. It ignores files that disappear meanwhile.
func DirSize(dir string) (size int64) {
	filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error { //nolint:errcheck // it returns none
		if err == nil && e.Type().IsRegular() {
			if info, err := e.Info(); err == nil {
				size += info.Size()
			}
		}
		return nil
	})
	return size
}

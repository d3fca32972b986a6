package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync"
	"time"
)

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

package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// shown returns the progress of a build: bars on a terminal, a line every few seconds elsewhere, JSON with --progress
// json, and nothing with --quiet. The caller must call done when the build has ended, even after an error.
func (e *engine) shown() (p pipeline.Progress, done func()) {
	done = func() {}
	switch {
	case e.progress == progressJSON:
		return &events{every: 100 * time.Millisecond, show: func(x event) {
			writeLine(printed, x) //nolint:errcheck // printed keeps the error
		}}, done
	case e.quiet:
		return nil, done
	case drawable(os.Stderr):
		b := &bars{run: e.out, narrow: stderr().columns < 76}
		return b, b.close
	}
	return &events{every: 5 * time.Second, show: func(x event) {
		if l := x.line(); l != "" {
			fmt.Fprintln(os.Stderr, l)
		}
	}}, done
}

// bars shows one bar for each stage.
//
// Every bar must end, because Progress.Wait waits for all of them. A bar with a total ends when it reaches the total
// or is aborted; SetTotal has no effect on it. A bar without a total, for input of unknown length, ends with
// SetTotal.
type bars struct {
	run    string
	narrow bool // no room for the speed
	mu     sync.Mutex
	to     *mpb.Progress // nil until the first stage
	bar    *mpb.Bar      // of the current stage; nil between stages
	of     string        // what the bar counts
	total  int64         // 0 if unknown
}

// begin writes a line and starts the bars below it.
//
// mpb clears everything below its first line. Some terminals save a screen that is cleared from its first line, which
// would put every step of the bars into the scrollback. The line above the bars prevents that.
func (b *bars) begin() {
	if b.to == nil {
		say("building %s", b.run)
		b.to = mpb.New(mpb.WithOutput(os.Stderr), mpb.WithWidth(40))
	}
}

// Stage begins a bar. A stage may have several steps, each with a bar unless it goes on counting the same; a new bar ends
// the one before.
func (b *bars) Stage(name, unit string, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	of := fmt.Sprint(name, unit, total)
	if b.bar != nil && of == b.of {
		return
	}
	b.of = of
	b.begin()
	b.fill()
	counters := decor.CountersNoUnit("%d / %d "+unit, decor.WCSyncSpaceR)
	speed := decor.AverageSpeed(0, "%.0f "+unit+"/s", decor.WCSyncSpace)
	if unit == "B" {
		counters = decor.CountersKibiByte("% .1f / % .1f", decor.WCSyncSpaceR)
		speed = decor.AverageSpeed(decor.SizeB1024(0), "% .1f", decor.WCSyncSpace)
	}
	right := []decor.Decorator{decor.OnComplete(decor.Percentage(decor.WC{W: 5}), "100 %")}
	if !b.narrow {
		right = append(right, decor.OnAbort(decor.OnComplete(speed, ""), ""))
	}
	right = append(right, decor.OnAbort(decor.OnComplete(decor.AverageETA(decor.ET_STYLE_GO, decor.WCSyncSpace), "done"), "stopped"))
	b.total = max(total, 0)
	b.bar = b.to.New(b.total, mpb.BarStyle(),
		mpb.PrependDecorators(decor.Name(name, decor.WCSyncSpaceR), counters), mpb.AppendDecorators(right...))
}

// At moves the bar.
func (b *bars) At(done int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch {
	case b.bar == nil:
	case b.total == 0:
		b.bar.SetTotal(done+1, false)
		b.bar.SetCurrent(done)
	default:
		b.bar.SetCurrent(min(done, b.total-1)) // only Done reaches the total
	}
}

// Done fills the bar.
func (b *bars) Done(run.StageStats) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill()
}

// fill fills the bar, if there is one, which ends it.
func (b *bars) fill() {
	if b.bar == nil {
		return
	}
	if b.total == 0 {
		b.bar.SetTotal(-1, true)
	} else {
		b.bar.SetCurrent(b.total)
	}
	b.bar = nil
}

// Resumed reports that a stage was done before.
func (b *bars) Resumed(stage string) { b.note(event{Event: "resumed", Stage: stage}) }

// Continued reports how much of a stage was done before.
func (b *bars) Continued(stage, step string, percent float64) {
	b.note(event{Event: "continued", Stage: stage, Step: step, Percent: percent})
}

// Damaged reports that a stage is being done again. It ends the bar of that stage, or of the stage that found the
// damage.
func (b *bars) Damaged(stage string, err error) {
	b.abort()
	b.note(event{Event: "damaged", Message: damaged(stage, err)})
}

// note writes a line above the bars.
func (b *bars) note(x event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.begin()
	fmt.Fprintln(b.to, x.line())
}

// abort ends the bar, if there is one, at its position.
func (b *bars) abort() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.bar != nil {
		b.bar.Abort(false)
		b.bar = nil
	}
}

func (b *bars) close() {
	b.abort()
	if b.to != nil {
		b.to.Wait()
	}
}

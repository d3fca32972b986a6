package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// newProgress shows the progress of a run that is built: with bars on a terminal, with a line every few seconds
// elsewhere, and not at all if quiet. The caller calls done when the build has ended, also after an error.
func newProgress(run string, quiet bool) (p pipeline.Progress, done func()) {
	switch {
	case quiet:
		return nil, func() {}
	case drawable(os.Stderr):
		b := &bars{run: run, narrow: stderr().columns < 76}
		return b, b.close
	}
	return &lines{to: os.Stderr, every: 5 * time.Second}, func() {}
}

// bars shows one bar for each stage.
//
// Every bar must end, because Progress.Wait waits for all of them. A bar with a total ends when it reaches that total
// or is aborted, and SetTotal has no effect on it. A bar without a total, for input of unknown length, ends by
// SetTotal.
type bars struct {
	run    string
	narrow bool // no room for the speed
	mu     sync.Mutex
	to     *mpb.Progress // nil until the first stage
	bar    *mpb.Bar      // of the current stage; nil between stages
	total  int64         // 0: unknown
}

// begin writes the line above the bars and starts them.
//
// mpb clears everything below its first line. Some terminals keep a screen that was cleared from its first line, so
// that every step of the bars would stay in the scrollback. A line above the bars prevents that.
func (b *bars) begin() {
	if b.to == nil {
		say("building %s", b.run)
		b.to = mpb.New(mpb.WithOutput(os.Stderr), mpb.WithWidth(40))
	}
}

// Stage begins a bar. A stage may have several parts, each with a bar; the next one ends the one before.
func (b *bars) Stage(name, unit string, total int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
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
		b.bar.SetCurrent(min(done, b.total-1)) // the last step is for Done
	}
}

// Done fills the bar.
func (b *bars) Done(run.StageStats) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fill()
}

// fill fills the bar, if there is one, and so ends it.
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

// Resumed reports a stage that was done before.
func (b *bars) Resumed(stage string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.begin()
	fmt.Fprintf(b.to, "%s: done before\n", stage)
}

// Continued reports how far a stage was done before.
func (b *bars) Continued(stage, step string, percent float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.begin()
	fmt.Fprintln(b.to, continued(stage, step, percent))
}

// continued returns a line about a stage that was done in part.
func continued(stage, step string, percent float64) string {
	if step != stage {
		stage += ", step " + step
	}
	return fmt.Sprintf("%s: resumed at %.0f %%", stage, percent)
}

// Damaged reports that a stage is done again. It ends the bar of that stage, or of the stage that found the damage.
func (b *bars) Damaged(stage string, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.begin()
	if b.bar != nil {
		b.bar.Abort(false)
		b.bar = nil
	}
	fmt.Fprintln(b.to, damaged(stage, err))
}

// damaged returns a line about damage.
func damaged(stage string, err error) string {
	if stage == "" {
		return fmt.Sprintf("%v; the run starts again from the beginning", err)
	}
	return fmt.Sprintf("%v; stage %s and those after it are done again", err, stage)
}

func (b *bars) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.to == nil {
		return
	}
	if b.bar != nil {
		b.bar.Abort(false)
		b.bar = nil
	}
	b.to.Wait()
}

// lines writes a line when a stage ends, and every few seconds before that.
type lines struct {
	to    io.Writer
	every time.Duration
	mu    sync.Mutex
	name  string
	unit  string
	total int64
	last  time.Time
}

// Stage begins a stage.
func (l *lines) Stage(name, unit string, total int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.name, l.unit, l.total, l.last = name, unit, total, time.Now()
}

// At writes a line if the last one is old enough.
func (l *lines) At(done int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if time.Since(l.last) < l.every {
		return
	}
	l.last = time.Now()
	of := ""
	if l.total > 0 {
		of = fmt.Sprintf(" of %d (%.0f %%)", l.total, 100*float64(done)/float64(l.total))
	}
	fmt.Fprintf(l.to, "%s: %d%s %s\n", l.name, done, of, l.unit)
}

// Done writes what the stage did.
func (l *lines) Done(s run.StageStats) {
	fmt.Fprintf(l.to, "%s: %d in, %d out, %.1f s, %.0f MiB\n", s.Name, s.In, s.Out, s.WallSeconds, float64(s.PeakAnon)/(1<<20))
}

// Resumed reports a stage that was done before.
func (l *lines) Resumed(stage string) { fmt.Fprintf(l.to, "%s: done before\n", stage) }

// Continued reports how far a stage was done before.
func (l *lines) Continued(stage, step string, percent float64) {
	fmt.Fprintln(l.to, continued(stage, step, percent))
}

// Damaged reports that a stage is done again.
func (l *lines) Damaged(stage string, err error) { fmt.Fprintln(l.to, damaged(stage, err)) }

package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/pipeline"
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
	case e.Quiet:
		return nil, done
	case drawable(os.Stderr):
		b := &bars{run: e.out}
		return &events{every: 100 * time.Millisecond, show: b.show}, func() { b.end("stopped") }
	}
	return &events{every: 5 * time.Second, show: func(x event) {
		if l := x.line(); l != "" {
			fmt.Fprintln(os.Stderr, l)
		}
	}}, done
}

// bars shows a line with a bar for each stage, and draws that of the current stage again as it goes on.
type bars struct {
	run   string
	begun bool
	stage string // "" between stages
	unit  string
	done  int64
	total int64 // 0 if unknown
	start time.Time
}

// show shows an event. A stage may have several steps, each with a line unless it goes on counting the same.
func (b *bars) show(x event) {
	if !b.begun {
		b.begun = true
		say("building %s", b.run)
	}
	switch x.Event {
	case "stage":
		if x.Stage == b.stage && x.Unit == b.unit && x.total == b.total {
			return
		}
		b.end("done")
		b.stage, b.unit, b.total, b.done, b.start = x.Stage, x.Unit, x.total, 0, time.Now()
		b.draw("")
	case "at":
		b.done = *x.Done
		b.draw("")
	case "done":
		b.end("done")
	default:
		b.end("stopped")
		fmt.Fprintln(os.Stderr, x.line())
	}
}

// end draws the line of the stage a last time. One that is done is full.
func (b *bars) end(state string) {
	if b.stage == "" {
		return
	}
	if state == "done" {
		b.done = max(b.done, b.total)
		b.total = b.done
	}
	b.draw(state)
	fmt.Fprintln(os.Stderr)
	b.stage = ""
}

// draw writes the line over the one that is there, and returns to its begin, where the terminal may write ^C. Spaces erase
// the rest of it.
func (b *bars) draw(state string) {
	columns := stderr().columns - 1
	fmt.Fprintf(os.Stderr, "\r%-*s\r", columns, b.line(state, time.Since(b.start), columns))
}

// line returns the line of a stage that runs for some time, or has ended in a state.
func (b *bars) line(state string, since time.Duration, columns int) string {
	amount, unit := func(n int64) string { return fmt.Sprint(n) }, " "+b.unit
	if b.unit == "B" {
		amount, unit = func(n int64) string { return fmt.Sprintf("%.1f", float64(n)/(1<<20)) }, " MiB"
	}
	if b.total == 0 {
		return strings.TrimRight(fmt.Sprintf("%-15s %s%s  %s", b.stage, amount(b.done), unit, state), " ")
	}
	const wideEnough = 100 // for the speed
	room := len("  stopped")
	if state == "" && b.done > 0 {
		rate := float64(b.done) / since.Seconds()
		state = time.Duration(float64(b.total-b.done) / rate * float64(time.Second)).Round(time.Second).String()
		if columns >= wideEnough {
			state = amount(int64(rate)) + unit + "/s " + state
		}
	}
	if columns >= wideEnough {
		room = len("  12345 partitions/s 1m10s")
	}
	share := min(1, float64(b.done)/float64(b.total))
	line := fmt.Sprintf("%-15s %-19s", b.stage, amount(b.done)+" / "+amount(b.total)+unit)
	if wide := min(columns-len(line)-room-len(" [] 100 %"), 40); wide > 0 {
		full := int(share * float64(wide))
		line += " [" + strings.Repeat("=", full) + strings.Repeat("-", wide-full) + "]"
	}
	return fmt.Sprintf("%s %3.0f %%  %s", line, 100*share, state)
}

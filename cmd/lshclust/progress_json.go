package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/spf13/pflag"
)

// Forms of --progress.
const (
	progressText = "text"
	progressJSON = "json"
)

// bindProgress makes the flag --progress.
func (e *engine) bindProgress(f *pflag.FlagSet) {
	f.StringVar(&e.progress, "progress", progressText, "show progress in this `FORM`: text, for people; or json, for programs, one object a line on standard output, which docs/format.md describes")
}

// checkProgress refuses other forms.
func (e *engine) checkProgress() error {
	if e.progress == progressText || e.progress == progressJSON {
		return nil
	}
	return usage(fmt.Errorf("--progress %q is neither %s nor %s", e.progress, progressText, progressJSON))
}

// shown returns the progress of a run that is built, in the form that the flags ask for.
func (e *engine) shown() (p pipeline.Progress, done func()) {
	if e.progress == progressJSON {
		return &events{to: printed, every: 100 * time.Millisecond}, func() {}
	}
	return newProgress(e.out, e.quiet)
}

// event is a line of --progress json. docs/format.md describes it.
type event struct {
	Event   string  `json:"event"`
	Stage   string  `json:"stage"`
	Unit    string  `json:"unit,omitempty"`
	Total   *int64  `json:"total,omitempty"`
	Done    *int64  `json:"done,omitempty"`
	In      *int64  `json:"in,omitempty"`
	Out     *int64  `json:"out,omitempty"`
	Wall    float64 `json:"wall_seconds,omitempty"`
	CPU     float64 `json:"cpu_seconds,omitempty"`
	Step    string  `json:"step,omitempty"`
	Percent float64 `json:"percent,omitempty"`
	Message string  `json:"message,omitempty"`
}

// events writes progress as JSON.
type events struct {
	to    io.Writer
	every time.Duration // between lines that tell how far a stage is
	mu    sync.Mutex
	stage string
	last  time.Time
}

func (e *events) write(x event) {
	writeLine(e.to, x) //nolint:errcheck // printed keeps the error
}

// Stage begins a stage, or another step of it.
func (e *events) Stage(name, unit string, total int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.stage, e.last = name, time.Now()
	x := event{Event: "stage", Stage: name, Unit: unit}
	if total > 0 {
		x.Total = &total
	}
	e.write(x)
}

// At writes a line if the last one is old enough.
func (e *events) At(done int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Since(e.last) < e.every {
		return
	}
	e.last = time.Now()
	e.write(event{Event: "at", Stage: e.stage, Done: &done})
}

// Done writes what the stage did.
func (e *events) Done(s run.StageStats) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.write(event{Event: "done", Stage: s.Name, In: &s.In, Out: &s.Out, Wall: s.WallSeconds, CPU: s.CPUSeconds})
}

// Resumed reports a stage that was done before.
func (e *events) Resumed(stage string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.write(event{Event: "resumed", Stage: stage})
}

// Continued reports how far a stage was done before.
func (e *events) Continued(stage, step string, percent float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.write(event{Event: "continued", Stage: stage, Step: step, Percent: percent})
}

// Damaged reports that a stage is done again, or the whole run if stage is empty.
func (e *events) Damaged(stage string, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.write(event{Event: "damaged", Stage: stage, Message: damaged(stage, err)})
}

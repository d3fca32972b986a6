package main

import (
	"fmt"
	"sync"
	"time"

	"github.com/lshclust/lshclust/internal/run"
)

// Forms of --progress.
const (
	progressText = "text"
	progressJSON = "json"
)

// event is something that happens while a run is built: one line of --progress json. docs/format.md describes the
// fields.
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

	unit  string // unit of done
	total int64  // total of done, 0 if unknown
	peak  int64  // peak memory in bytes
}

// line returns the event as text for people, or "" if it means nothing to them.
func (x *event) line() string {
	switch x.Event {
	case "at":
		of := ""
		if x.total > 0 {
			of = fmt.Sprintf(" of %d (%.0f %%)", x.total, 100*float64(*x.Done)/float64(x.total))
		}
		return fmt.Sprintf("%s: %d%s %s", x.Stage, *x.Done, of, x.unit)
	case "done":
		return fmt.Sprintf("%s: %d in, %d out, %.1f s, %.0f MiB", x.Stage, *x.In, *x.Out, x.Wall, float64(x.peak)/(1<<20))
	case "resumed":
		return x.Stage + ": done before"
	case "continued":
		stage := x.Stage
		if x.Step != stage {
			stage += ", step " + x.Step
		}
		return fmt.Sprintf("%s: resumed at %.0f %%", stage, x.Percent)
	}
	return x.Message
}

// damaged says from which stage on a run is built again.
func damaged(stage string, err error) string {
	if stage == "" {
		return fmt.Sprintf("%v; the run starts again from the beginning", err)
	}
	return fmt.Sprintf("%v; stage %s and those after it are done again", err, stage)
}

// events writes progress as events.
type events struct {
	show  func(event)
	every time.Duration // time between events about a running stage

	mu    sync.Mutex
	stage event // the begin of the current stage
	last  time.Time
}

func (e *events) add(x event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.show(x)
}

// Stage begins a stage or one of its further steps.
func (e *events) Stage(name, unit string, total int64) {
	x := event{Event: "stage", Stage: name, Unit: unit, total: max(total, 0)}
	if total > 0 {
		x.Total = &total
	}
	e.mu.Lock()
	e.stage, e.last = event{Event: "at", Stage: name, unit: unit, total: total}, time.Now()
	e.mu.Unlock()
	e.add(x)
}

// At adds an event unless the last one is too recent.
func (e *events) At(done int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if time.Since(e.last) < e.every {
		return
	}
	e.last = time.Now()
	x := e.stage
	x.Done = &done
	e.show(x)
}

// Done adds what the stage did.
func (e *events) Done(s run.StageStats) {
	e.add(event{Event: "done", Stage: s.Name, In: &s.In, Out: &s.Out, Wall: s.WallSeconds, CPU: s.CPUSeconds, peak: s.PeakAnon})
}

// Resumed reports that a stage was done before.
func (e *events) Resumed(stage string) { e.add(event{Event: "resumed", Stage: stage}) }

// Continued reports how much of a stage was done before.
func (e *events) Continued(stage, step string, percent float64) {
	e.add(event{Event: "continued", Stage: stage, Step: step, Percent: percent})
}

// Damaged reports that a stage, or the whole run if stage is empty, is being done again.
func (e *events) Damaged(stage string, err error) {
	e.add(event{Event: "damaged", Stage: stage, Message: damaged(stage, err)})
}

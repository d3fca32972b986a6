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

// event is something that happens while a run is built, a line of --progress json. docs/format.md describes it.
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

	unit  string // of done
	total int64  // of done, 0 if it is unknown
	peak  int64  // bytes of memory
}

// line returns the event as text for people, "" if it says nothing to them.
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

// damaged tells from where on a run is built again.
func damaged(stage string, err error) string {
	if stage == "" {
		return fmt.Sprintf("%v; the run starts again from the beginning", err)
	}
	return fmt.Sprintf("%v; stage %s and those after it are done again", err, stage)
}

// events shows progress event by event.
type events struct {
	show  func(event)
	every time.Duration // between events that tell how far a stage is

	mu    sync.Mutex
	stage event // that began last
	last  time.Time
}

func (e *events) add(x event) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.show(x)
}

// Stage begins a stage, or another step of it.
func (e *events) Stage(name, unit string, total int64) {
	x := event{Event: "stage", Stage: name, Unit: unit}
	if total > 0 {
		x.Total = &total
	}
	e.mu.Lock()
	e.stage, e.last = event{Event: "at", Stage: name, unit: unit, total: total}, time.Now()
	e.mu.Unlock()
	e.add(x)
}

// At tells how far the stage is, if the last time is long enough ago.
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

// Done tells what the stage did.
func (e *events) Done(s run.StageStats) {
	e.add(event{Event: "done", Stage: s.Name, In: &s.In, Out: &s.Out, Wall: s.WallSeconds, CPU: s.CPUSeconds, peak: s.PeakAnon})
}

// Resumed reports a stage that was done before.
func (e *events) Resumed(stage string) { e.add(event{Event: "resumed", Stage: stage}) }

// Continued reports how far a stage was done before.
func (e *events) Continued(stage, step string, percent float64) {
	e.add(event{Event: "continued", Stage: stage, Step: step, Percent: percent})
}

// Damaged reports that a stage is done again, or the whole run if stage is empty.
func (e *events) Damaged(stage string, err error) {
	e.add(event{Event: "damaged", Stage: stage, Message: damaged(stage, err)})
}

package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
)

// Any number of processes that see its directory may continue a run under construction part by part:
//
//	next, err := pipeline.NextTasks(dir)           // the step that is next, and its parts
//	err = pipeline.DoParts(ctx, dir, next.Step, …) // some of them; several processes at once
//	err = pipeline.FinishStage(ctx, dir, next.Stage, …) // when the last step of the stage is done; or Cluster goes on

// ErrTask is wrapped by the error for a part that cannot be done now.
var ErrTask = errors.New("no such part is to be done")

// Tasks are the parts of the next step of a run.
type Tasks struct {
	Stage   string `json:"stage"`   // the next stage
	Step    string `json:"step"`    // the next step; "" if the parts of all steps are done, or the stage is not divided
	Parts   int    `json:"parts"`   // number of its parts
	Missing []int  `json:"missing"` // numbers, from 0, of the parts to do
	Several int    `json:"several"` // how many parts one process should do, if it can do several, because each is small
}

// NextTasks returns what to do next in the unfinished run in a directory.
func NextTasks(dir string, o Options) (Tasks, error) {
	r, err := attach(dir, o)
	if err != nil {
		return Tasks{}, err
	}
	t, _, err := r.nextTasks()
	return t, err
}

// Begin begins a run as Cluster does, or opens a stopped one, but does none of its stages, so that other processes
// can do the parts of all stages.
func Begin(ctx context.Context, out string, inputs []string, c config.Config, o Options) error {
	r, err := begin(ctx, out, inputs, c, o)
	if err != nil {
		return err
	}
	return r.dir.Close()
}

// attach opens an unfinished run for doing parts.
func attach(dir string, o Options) (*runner, error) {
	d, err := run.Attach(dir)
	if err != nil {
		return nil, err
	}
	var c config.Config
	if err := json.Unmarshal(d.Config, &c); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	r := newRunner(d, c, nil, o)
	r.few = true
	if err := r.checkSizes(); err != nil || d.Done("read") {
		return r, err
	}
	return r, r.findInputs()
}

// nextTasks returns what to do next, and the step itself if there is one.
func (r *runner) nextTasks() (t Tasks, next *plan, err error) {
	s := r.nextStage()
	t.Stage = s.name
	for i, of := range s.steps {
		if next, err = of.plan(); err != nil {
			return t, nil, err
		}
		if t.Missing = r.missing(s, i, next); len(t.Missing) > 0 {
			if err := r.lacksFiles(s, i, next); err != nil {
				return t, nil, fmt.Errorf("%w: %w; go on with lshclust cluster", ErrTask, err)
			}
			t.Step, t.Parts, t.Several = of.name, next.parts, max(1, next.several)
			return t, next, nil
		}
	}
	return t, nil, nil
}

// nextStage returns the first stage that is not done, or the last one.
func (r *runner) nextStage() stage {
	stages := r.stages()
	at := slices.IndexFunc(stages[:len(stages)-1], func(s stage) bool { return !r.dir.Done(s.name) })
	if at < 0 {
		at = len(stages) - 1
	}
	return stages[at]
}

// PartRange is a range of the parts of a step with Of parts: First to Last, numbered from 0.
type PartRange struct{ First, Last, Of int }

// DoParts does parts of the next step of the unfinished run in a directory, one after another, which is cheaper than
// a process for each if they are small. stage names the step or its stage. The parts may have been done before, and
// other processes may do the same parts or others at the same time, but all parts of earlier steps must be done.
// [Cluster] and [FinishStage] must not be called before all processes that do parts have ended.
func DoParts(ctx context.Context, dir, stage string, parts PartRange, o Options) error {
	r, err := attach(dir, o)
	if err != nil {
		return err
	}
	s, at, p, err := r.stepNamed(stage)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if parts.Of != p.parts || parts.First < 0 || parts.First > parts.Last || parts.Last >= p.parts {
		return fmt.Errorf("%s: %w: step %s has %d parts, not %d", dir, ErrTask, s.steps[at].name, p.parts, parts.Of)
	}
	if !p.together {
		r.workers = 1
	}
	return full(r.openStep(ctx, p, 1, func(do partFunc, from *opened) error {
		for number := parts.First; number <= parts.Last; number++ {
			err := r.leavePart(ctx, s, at, p, do, partAt{0, number, from})
			if err != nil && parts.First < parts.Last {
				err = fmt.Errorf("part %d: %w", number+1, err)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}))
}

// leavePart does a part of step i and writes its receipt. If it fails, it removes the files of the part.
func (r *runner) leavePart(ctx context.Context, s stage, i int, p *plan, do partFunc, at partAt) error {
	name := s.steps[i].name
	out := &partFiles{dir: r.dir, step: name, part: at.number, meter: &meter{report: r.report.At}}
	r.report.Stage(fmt.Sprintf("%s, part %d of %d", name, at.number+1, p.parts), cmp.Or(p.unit, "tables"), -1)
	note, err := doPart(ctx, do, at, out)
	if err == nil {
		err = r.dir.FinishPart(s.name, i*stepParts+at.number, note, out.names...)
	}
	if err == nil {
		return nil
	}
	for _, name := range out.names {
		os.Remove(r.dir.Temp(name))
	}
	return err
}

// stepNamed returns a step of the next stage whose earlier steps are done, by its index in the stage.
func (r *runner) stepNamed(name string) (s stage, i int, p *plan, err error) {
	t, next, err := r.nextTasks()
	if err != nil {
		return s, 0, nil, err
	}
	s = r.nextStage()
	i, at := s.index(name), s.index(t.Step)
	switch {
	case next != nil && (name == t.Step || name == t.Stage):
		return s, at, next, nil
	case i >= 0 && (next == nil || i < at):
		p, err = s.steps[i].plan() // it may be done again
		return s, i, p, err
	case next == nil && name == t.Stage:
		return s, 0, nil, fmt.Errorf("%w: all parts of stage %s are done", ErrTask, t.Stage)
	}
	return s, 0, nil, fmt.Errorf("%w: stage %s is next%s", ErrTask, t.Stage, atStep(t))
}

func atStep(t Tasks) string {
	if t.Step == "" {
		return ""
	}
	return fmt.Sprintf(", with step %s", t.Step)
}

// FinishStage completes the next stage of the unfinished run in a directory: it does missing parts and joins all
// parts. After the last stage, the run is finished.
func FinishStage(ctx context.Context, dir, name string, o Options) error {
	r, err := attach(dir, o)
	if err != nil {
		return err
	}
	if r.dir, err = run.Create(dir, r.config, r.dir.Inputs); err != nil {
		return full(err)
	}
	r.few = false
	defer r.dir.Close()
	return full(r.mended(func() error {
		next := r.nextStage()
		if next.name != name {
			return fmt.Errorf("%s: %w: stage %s is next", dir, ErrTask, next.name)
		}
		err := r.doAll(ctx, []stage{next})
		if err == nil && name == "publish" {
			_, err = publishStage{r.build}.manifest(ctx, o.Version)
		}
		return err
	}))
}

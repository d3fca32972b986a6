package pipeline

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/run"
)

// A run under construction may be continued part by part, by any number of processes that see its directory:
//
//	next, err := pipeline.NextTasks(dir)           // the step that is next, and its parts
//	err = pipeline.DoParts(ctx, dir, next.Step, …) // some of them; several processes at once
//	err = pipeline.FinishStage(ctx, dir, next.Stage, …) // when the last step of the stage is done; or Cluster goes on

// ErrTask is wrapped by the error for a part that cannot be done now.
var ErrTask = errors.New("no such part is to be done")

// Tasks are the parts of the step that is next in a run.
type Tasks struct {
	Stage   string `json:"stage"`   // that is next
	Step    string `json:"step"`    // of the stage; "" if the parts of all steps are done, or the stage is not divided
	Parts   int    `json:"parts"`   // of the step
	Missing []int  `json:"missing"` // numbers, from 0, of the parts that are to be done
	Several int    `json:"several"` // how many parts one process should do, if it can do several, since each is small
}

// NextTasks returns what is next in the unfinished run in a directory.
func NextTasks(dir string, o Options) (Tasks, error) {
	b, err := attach(dir, o)
	if err != nil {
		return Tasks{}, err
	}
	t, _, err := b.nextTasks()
	return t, err
}

// Begin begins a run as Cluster does, or opens a stopped one, and does no stage of it, so that other processes can do the
// parts of all stages.
func Begin(ctx context.Context, out string, inputs []string, c config.Config, o Options) error {
	b, err := begin(ctx, out, inputs, c, o)
	if err != nil {
		return err
	}
	return b.dir.Close()
}

// attach opens an unfinished run for one part.
func attach(dir string, o Options) (*build, error) {
	d, err := run.Attach(dir)
	if err != nil {
		return nil, err
	}
	var c config.Config
	if err := json.Unmarshal(d.Config(), &c); err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	b := newBuild(d, c, nil, o)
	b.partitions, b.stream, b.few = partitionsOf(d), hasStream(d.Inputs()), true
	if err := b.checkSizes(); err != nil || d.Done("read") {
		return b, err
	}
	return b, b.findInputs()
}

// nextTasks returns what is next, and the step itself if there is one.
func (b *build) nextTasks() (t Tasks, next *step, err error) {
	t.Stage = b.nextStage()
	for _, s := range b.stepsOf(t.Stage) {
		if next, err = s.make(s.name); err != nil {
			return t, nil, err
		}
		if t.Missing = b.missing(t.Stage, next); len(t.Missing) > 0 {
			if err := b.lacksFiles(t.Stage, next); err != nil {
				return t, nil, fmt.Errorf("%w: %w; go on with lshclust cluster", ErrTask, err)
			}
			t.Step, t.Parts, t.Several = next.name, next.parts, max(1, next.several)
			return t, next, nil
		}
	}
	return t, nil, nil
}

// nextStage returns the first stage that is not done, or the last one.
func (b *build) nextStage() string {
	stages := b.stages()
	at := slices.IndexFunc(stages[:len(stages)-1], func(s stage) bool { return !b.dir.Done(s.name) })
	if at < 0 {
		at = len(stages) - 1
	}
	return stages[at].name
}

// PartRange names consecutive parts of a step that has Of of them: First to Last, numbered from 0.
type PartRange struct{ First, Last, Of int }

// DoParts does parts of the step that is next in the unfinished run in a directory, one after another, which is cheaper
// than a process for each if they are small. stage names the step, or the stage that it belongs to. The parts may have
// been done before, and other processes may do the same parts or others at the same time, but all parts of earlier steps
// must have been done. [Cluster] and [FinishStage] must not be called before all processes that do parts have ended.
func DoParts(ctx context.Context, dir, stage string, parts PartRange, o Options) error {
	b, err := attach(dir, o)
	if err != nil {
		return err
	}
	s, in, err := b.stepNamed(stage)
	if err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	if parts.Of != s.parts || parts.First < 0 || parts.First > parts.Last || parts.Last >= s.parts {
		return fmt.Errorf("%s: %w: step %s has %d parts, not %d", dir, ErrTask, s.name, s.parts, parts.Of)
	}
	if !s.together {
		b.workers = 1
	}
	p, err := s.open(ctx, 1)
	if err != nil {
		return full(err)
	}
	defer p.close()
	for part := parts.First; part <= parts.Last; part++ {
		err := b.leavePart(ctx, in, s, part, p)
		if err != nil && parts.First < parts.Last {
			err = fmt.Errorf("part %d: %w", part+1, err)
		}
		if err != nil {
			return full(err)
		}
	}
	return nil
}

// leavePart does a part and leaves a receipt of it. If it fails, it removes the files of the part.
func (b *build) leavePart(ctx context.Context, stage string, s *step, part int, p parter) error {
	out := &partFiles{dir: b.dir, step: s.name, part: part, meter: &meter{report: b.report.At}}
	b.report.Stage(fmt.Sprintf("%s, part %d of %d", s.name, part+1, s.parts), cmp.Or(s.unit, "tables"), -1)
	n, err := p.part(ctx, 0, part, out)
	if err == nil {
		err = b.dir.LeavePart(stage, b.partNumber(stage, s.name, part), out.noted(n), out.names...)
	}
	if err == nil {
		return nil
	}
	for _, name := range out.names {
		os.Remove(b.dir.Temp(name))
	}
	return err
}

// stepNamed returns a step whose earlier steps are done, and its stage, which is next.
func (b *build) stepNamed(name string) (*step, string, error) {
	t, next, err := b.nextTasks()
	if err != nil {
		return nil, "", err
	}
	steps := b.stepsOf(t.Stage)
	at := slices.IndexFunc(steps, func(s stepOf) bool { return s.name == name })
	switch {
	case next != nil && (name == next.name || name == t.Stage):
		return next, t.Stage, nil
	case next == nil && at >= 0, at >= 0 && at < slices.IndexFunc(steps, func(s stepOf) bool { return s.name == next.name }):
		s, err := steps[at].make(name) // which may be done again
		return s, t.Stage, err
	case next == nil && name == t.Stage:
		return nil, "", fmt.Errorf("%w: all parts of stage %s are done, or it has none", ErrTask, t.Stage)
	}
	return nil, "", fmt.Errorf("%w: stage %s is next%s", ErrTask, t.Stage, atStep(t))
}

func atStep(t Tasks) string {
	if t.Step == "" {
		return ""
	}
	return fmt.Sprintf(", with step %s", t.Step)
}

// FinishStage does what is left of the stage that is next in the unfinished run in a directory: the parts that are
// missing, and putting all parts together. After the last stage, the run is finished.
func FinishStage(ctx context.Context, dir, name string, o Options) error {
	b, err := attach(dir, o)
	if err != nil {
		return err
	}
	if b.dir, err = run.Create(dir, b.config, b.dir.Inputs()); err != nil {
		return full(err)
	}
	b.few = false
	defer b.dir.Close()
	if next := b.nextStage(); next != name || len(b.stepsOf(name)) == 0 {
		return fmt.Errorf("%s: %w: stage %s is next", dir, ErrTask, next)
	}
	stages := b.stages()
	i := slices.IndexFunc(stages, func(s stage) bool { return s.name == name })
	return full(b.mended(func() error {
		if next := b.nextStage(); next != name {
			return fmt.Errorf("%s: %w: damaged files were found, and stage %s is next", dir, ErrTask, next)
		}
		err := b.doAll(ctx, stages[i:i+1])
		if err == nil && i == len(stages)-1 {
			_, err = b.manifest(ctx, o.Version)
		}
		return err
	}))
}

package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/run"
)

// Intermediate files are removed after the last step that reads them; see [build.stages]. If damage is
// found later, and a step that must be done again needs what was removed, the stage that wrote it is done again first.

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

package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/run"
)

// Intermediate files are removed after the last step that reads them; see [build.stages]. While the parts of a step
// each read the fragments of one partition, these fragments are replaced by holes. If damage is found later, and a
// step that must be done again needs what was removed, the stage that wrote it is done again first.

// holeSteps is how often a step makes holes. Each time, the state of the run is written.
const holeSteps = 8

// unread is what later steps and stages still read: intermediate files of earlier stages, fragments of the stage
// read, and steps of the current stage.
type unread struct {
	files map[string]bool
	links bool
	steps []string
}

// readBehind returns what is read after step i of a stage.
func (r *runner) readBehind(stage string, i int) unread {
	u := unread{files: map[string]bool{}}
	read := func(files []string) {
		for _, name := range files {
			u.files[name] = true
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
			read(x.reads)
			if x.ofRead != nothing {
				read(r.fromRead().names())
			}
			u.links = u.links || x.ofRead >= ownLinks
			if s.name == stage {
				u.steps = append(u.steps, x.after...)
			}
		}
		read(s.reads)
		if s.name == stage && s.keeps != nil {
			u.steps = append(u.steps, s.keeps...)
		} else if s.name == stage {
			for _, x := range s.steps {
				u.steps = append(u.steps, x.name)
			}
		}
	}
	return u
}

// freeUnread removes files that nothing reads after step i of a stage: intermediate files of finished stages, and
// those of steps of this stage.
func (r *runner) freeUnread(s stage, i int) error {
	behind := r.readBehind(s.name, i)
	for at, x := range s.steps[:i+1] {
		if !slices.Contains(behind.steps, x.name) {
			if err := r.dir.FreeParts(s.name, at*stepParts, (at+1)*stepParts); err != nil {
				return err
			}
		}
	}
	return r.freeOutputs(behind.files)
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
	return r.freeOutputs(r.readBehind(stage, 0).files)
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

// lacksFiles returns a *freedError if parts of step i that must be done read a file that was removed, or a partition
// that is a hole.
func (r *runner) lacksFiles(s stage, i int, p *plan) error {
	missing, of := r.missing(s, i, p), s.steps[i]
	if len(missing) == 0 {
		return nil
	}
	files := of.reads
	if of.ofRead != nothing {
		files = slices.Concat(files, r.fromRead().names())
	}
	for _, name := range files {
		if from := r.dir.Freed(name); from != "" {
			return &freedError{from, name, s.name}
		}
	}
	if holes := r.dir.Holes("read"); holes > 0 && (of.ofRead == allLinks || of.ofRead == ownLinks && missing[0] < holes) {
		return &freedError{"read", "a partition of the fragments", s.name}
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

// holes replaces fragments by holes while the parts of a step are done.
type holes struct {
	b     *build
	files []string // empty if the fragments are kept

	mu    sync.Mutex
	is    []bool // whether each part is done
	ready int    // number of parts before the first one that is not done
	made  int
}

// holesBehind returns the holes that the parts of step i will leave, given the missing parts.
func (r *runner) holesBehind(s stage, i int, p *plan, missing []int) *holes {
	h := &holes{b: r.build, is: make([]bool, p.parts)}
	if s.steps[i].ofRead != ownLinks || r.readBehind(s.name, i).links {
		return h
	}
	size := int64(0)
	for _, name := range r.fromRead().names() {
		h.files, size = append(h.files, name), size+sizeOf(r.dir.Path(name))
	}
	if size < r.sizes.holes {
		h.files = nil
	}
	for part := range h.is {
		h.is[part] = !slices.Contains(missing, part)
	}
	return h
}

// done makes holes if an eighth of the parts was done since it last did.
func (h *holes) done(part int) error {
	if len(h.files) == 0 {
		return nil
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.is[part] = true
	for h.ready < len(h.is) && h.is[h.ready] {
		h.ready++
	}
	if h.ready < len(h.is) && h.ready-h.made < partsOf(len(h.is), holeSteps) || h.ready == h.made {
		return nil
	}
	if err := h.b.dir.MayHaveHoles("read", h.ready, h.files...); err != nil {
		return err
	}
	for _, name := range h.files {
		if err := framed.Punch(h.b.dir.Path(name), h.b.fromRead().streams(), h.made, h.ready); err != nil {
			return err
		}
	}
	h.made = h.ready
	return nil
}

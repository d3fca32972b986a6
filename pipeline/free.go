package pipeline

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/run"
)

// Intermediate files are removed when the last step that reads them is done: see needsOf. While the parts of a step read
// the fragments of one partition each, these are replaced by holes. If damage is found later, and a step that must be
// done again needs what was removed, the stage that wrote it is done again before.

// holeSteps is the number of times that a step makes holes: each time the state of the run is written.
const holeSteps = 8

// readBehind returns what the steps of unfinished stages read that follow a step of a stage.
func (b *build) readBehind(stage string, step int) (out needs, files map[string]bool) {
	files = map[string]bool{}
	add := func(n needs) {
		out.links = max(out.links, n.links)
		for _, name := range n.files {
			files[name] = true
		}
		for i := 0; n.each != nil && i < b.partitions; i++ {
			for _, name := range n.each(i) {
				files[name] = true
			}
		}
	}
	for _, s := range b.stages() {
		if b.dir.Done(s.name) {
			continue
		}
		for i, of := range b.stepsOf(s.name) {
			if s.name == stage && i <= step {
				continue
			}
			n := b.needsOf(of.name)
			if add(n); s.name == stage {
				out.steps = append(out.steps, n.steps...)
			}
		}
		end := b.endNeeds(s.name)
		if add(end); s.name == stage {
			out.steps = append(out.steps, end.steps...)
		}
	}
	return out, files
}

// freeUnread removes the files that nothing reads any more after a step of a stage: intermediate files of finished
// stages, and those of steps of this stage.
func (b *build) freeUnread(stage string, step int) error {
	behind, read := b.readBehind(stage, step)
	for _, s := range b.stepsOf(stage)[:step+1] {
		if !slices.Contains(behind.steps, s.name) && b.freed(stage, s.name) == nil && len(b.filesOf(stage, s.name)) > 0 {
			if err := b.freeStep(stage, s.name); err != nil {
				return err
			}
		}
	}
	return b.freeOutputs(read)
}

// freeOutputs removes the intermediate files of finished stages that are not among those that are still read.
func (b *build) freeOutputs(read map[string]bool) error {
	var names []string
	for _, s := range b.dir.Stages() {
		for _, name := range b.dir.Outputs(s.Name) {
			if strings.HasPrefix(name, "work/") && !read[name] {
				names = append(names, name)
			}
		}
	}
	return b.dir.Free(names...)
}

// freeAfter removes the files that only a stage has read that is done now. The manifest still needs what the last stage
// has read.
func (b *build) freeAfter(stage string) error {
	if stages := b.stages(); stages[len(stages)-1].name == stage {
		return nil
	}
	_, read := b.readBehind(stage, 0)
	return b.freeOutputs(read)
}

// freeStep removes the files of the parts of a step, which may take more room than all tables of the stage. The counts of
// the parts remain, as those of a part of its own.
func (b *build) freeStep(stage, name string) error {
	all, err := b.recorded(stage, name)
	if err != nil {
		return err
	}
	file := "work/" + name + "-freed"
	if err := framed.WriteFile(b.dir.Temp(file), nil); err != nil {
		return err
	}
	first := b.partNumber(stage, name, 0)
	if err := b.dir.FinishPart(stage, first+freedPart, all, file); err != nil {
		return err
	}
	for _, p := range b.dir.Parts(stage) {
		if p.Number >= first && p.Number < first+joinedPart {
			if err := b.dir.ForgetPart(b.dir.Path(p.Files[0])); err != nil {
				return err
			}
		}
	}
	return nil
}

// freed returns the part that remains of a step whose files were removed, nil if they were not. The parts of the stage
// read, of which there may be any number, are not removed as those of a step.
func (b *build) freed(stage, step string) *run.Part {
	if stage == "read" {
		return nil
	}
	number := b.partNumber(stage, step, freedPart)
	for _, p := range b.dir.Parts(stage) {
		if p.Number == number {
			return &p
		}
	}
	return nil
}

// freedCounts returns the counts of the parts of a step whose files were removed.
func freedCounts(p *run.Part) (out []counts, err error) { return out, json.Unmarshal(p.Note, &out) }

// lacksSteps reports whether parts of a step are to be done that read a step whose files were removed when they had been
// done before, or the step itself is such a step, and what its files were put together to is gone.
func (b *build) lacksSteps(stage string, s *step) bool {
	if s.joins != "" && b.freed(stage, s.name) != nil && !b.joined(stage, s.name) {
		return true
	}
	return len(b.missing(stage, s)) > 0 && slices.ContainsFunc(b.needsOf(s.name).steps, func(step string) bool { return b.freed(stage, step) != nil })
}

// freedError says that a stage needs a file again that was removed after its last use.
type freedError struct {
	stage, file string // the file, and the stage that wrote it
	needs       string // the stage that needs it
}

func (e *freedError) Error() string {
	return fmt.Sprintf("%s was removed after its last use, and stage %s, which is done again, reads it", e.file, e.needs)
}

// lacksFiles returns a *freedError if parts of a step are to be done that read a file that was removed, or a partition
// that is a hole.
func (b *build) lacksFiles(stage string, s *step) error {
	missing := b.missing(stage, s)
	if len(missing) == 0 {
		return nil
	}
	n := b.needsOf(s.name)
	files := slices.Clone(n.files)
	for _, part := range missing {
		if n.each != nil {
			files = append(files, n.each(part)...)
		}
	}
	for _, name := range files {
		if from := b.dir.Freed(name); from != "" {
			return &freedError{from, name, stage}
		}
	}
	if b.dir.Holes("read") > 0 && (n.links == allLinks || n.links == ownLinks && missing[0] < b.dir.Holes("read")) {
		return &freedError{"read", "a partition of the fragments", stage}
	}
	return nil
}

// mendFreed marks the stage that wrote a removed file as not done, so that it is done again with those after it.
func (b *build) mendFreed(e *freedError) error {
	if e.stage == "read" && b.stream {
		return fmt.Errorf("%w: %w: it cannot be read again", e, ErrStream)
	}
	if err := b.dir.Forget(e.stage); err != nil {
		return errors.Join(e, err)
	}
	b.report.Damaged(e.stage, e)
	return nil
}

// holes replaces fragments by holes while the parts of a step are done.
type holes struct {
	b     *build
	files []string // none: the fragments are kept

	mu    sync.Mutex
	is    []bool // by part: it is done
	ready int    // parts that are done, before the first one that is not
	made  int
}

// holesBehind returns the holes that the parts of a step leave, some of which are missing.
func (b *build) holesBehind(stage string, of *step, missing []int) *holes {
	h := &holes{b: b, is: make([]bool, of.parts)}
	at := slices.IndexFunc(b.stepsOf(stage), func(s stepOf) bool { return s.name == of.name })
	if behind, _ := b.readBehind(stage, at); b.needsOf(of.name).links != ownLinks || behind.links != noLinks {
		return h
	}
	size := int64(0)
	for _, name := range b.partFiles() {
		h.files, size = append(h.files, name), size+sizeOf(b.dir.Path(name))
	}
	if size < b.sizes.holes {
		h.files = nil
	}
	for i := range h.is {
		h.is[i] = !slices.Contains(missing, i)
	}
	return h
}

// done makes holes if an eighth of the parts was done since it did last.
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
		if err := framed.Punch(h.b.dir.Path(name), h.b.streamsOfPart(), h.made, h.ready); err != nil {
			return err
		}
	}
	h.made = h.ready
	return nil
}

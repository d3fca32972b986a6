package pipeline_test

import (
	"bytes"
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"math/rand/v2"

	"github.com/lshclust/lshclust/internal/frames"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
)

// doHere does a part by frames in this process.
func (e *engine) doHere(step string, part, of int, scratch string, in []byte) ([]frame, error) {
	e.t.Helper()
	var out bytes.Buffer
	err := pipeline.DoFramed(e.t.Context(), scratch, step, pipeline.PartRange{First: part, Last: part, Of: of}, false, bytes.NewReader(in), &out, pipeline.Options{Workers: 1, SmallParts: true})
	if err != nil {
		return nil, err
	}
	return cutFrames(e.t, out.Bytes()), nil
}

// accept offers frames to the driver.
func (e *engine) accept(some []frame) (pipeline.Accepted, error) {
	return pipeline.AcceptParts(e.run, bytes.NewReader(stream(e.r, some)), pipeline.Options{SmallParts: true})
}

// A part that lacks a block or a file is refused with an error that names it, and so is what the driver must not take.
// A run whose fragments went out as frames cannot be continued without them.
func TestFramesWrong(t *testing.T) {
	in, o := write(t, samplePages(t, 30)...), pipeline.Options{Workers: 1, SmallParts: true}
	e := &engine{t: t, run: filepath.Join(t.TempDir(), "run"), r: rand.New(rand.NewPCG(1, 2))}
	if err := pipeline.Begin(t.Context(), e.run, []string{in}, preset(t, "web"), o); err != nil {
		t.Fatal(err)
	}
	var err error
	if e.next, err = pipeline.NextNeeds(e.run, 0, o); err != nil || len(e.next.Inputs["1"]) != 1 || e.next.Inputs["1"][0].Path != in {
		t.Fatalf("%+v, %v", e.next, err)
	}
	scratch, none := e.input(0, 0)
	all, err := e.doHere("read", 0, 1, scratch, none)
	if err != nil {
		t.Fatal(err)
	}
	own := slices.DeleteFunc(slices.Clone(all), func(f frame) bool { return f.part >= 0 })
	e.sent = slices.DeleteFunc(slices.Clone(all), func(f frame) bool { return f.part < 0 })
	receipt := slices.IndexFunc(own, func(f frame) bool { return f.kind == frames.Receipt })
	without := func(kind frames.Kind) []frame {
		return slices.DeleteFunc(slices.Clone(own), func(f frame) bool { return f.kind == kind })
	}
	for what, c := range map[string]struct {
		some []frame
		want error
		says string
	}{
		"fragments":       {all, pipeline.ErrTask, "are not for the driver"},
		"without receipt": {without(frames.Receipt), run.ErrReceipt, "came without the receipt of its part"},
		"without file":    {without(frames.File), run.ErrReceipt, "neither in the frames nor at"},
	} {
		if _, err := e.accept(c.some); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", what, err)
		}
	}
	if got, err := e.accept(append(slices.Clone(own), own[receipt])); err != nil || !slices.Equal(got.Accepted, []int{1}) || len(got.Known) == 0 {
		t.Errorf("accepted %+v, %v", got, err)
	}
	if err := pipeline.FinishStage(t.Context(), e.run, "read", o); err != nil {
		t.Fatal(err)
	}
	if got, err := e.accept(own); err != nil || !slices.Equal(got.Known, []int{1, 1}) && !slices.Equal(got.Known, []int{1}) {
		t.Errorf("after the stage: %+v, %v", got, err)
	}
	if err := pipeline.FinishStage(t.Context(), e.run, "redirect", o); err != nil {
		t.Fatal(err)
	}
	if err := pipeline.FinishStage(t.Context(), e.run, "group", o); !errors.Is(err, pipeline.ErrShuffled) {
		t.Errorf("group without frames: %v", err)
	}
	if e.next, err = pipeline.NextNeeds(e.run, -1, o); err != nil || len(e.next.Shuffled) != 1 {
		t.Fatalf("%+v, %v", e.next, err)
	}
	e.refusedGroup(int(e.sent[slices.IndexFunc(e.sent, func(f frame) bool { return f.kind == frames.Fragments })].part))
}

// refusedGroup does a part of the stage group, which has fragments, without some of what it needs.
func (e *engine) refusedGroup(part int) {
	t := e.t
	sent := e.sent
	e.sent = slices.DeleteFunc(slices.Clone(sent), func(f frame) bool { return f.kind == frames.Fragments && int(f.part) == part })
	scratch, in := e.input(part, 0)
	if _, err := e.doHere("group", part, e.next.Parts, scratch, in); !errors.Is(err, frames.ErrDamaged) || !strings.Contains(err.Error(), "fragments of part 1 of read for partition") {
		t.Errorf("without fragments: %v", err)
	}
	e.sent = sent
	if _, err := e.doHere("weigh", part, e.next.Parts, scratch, in); !errors.Is(err, pipeline.ErrTask) {
		t.Errorf("a step that is not next: %v", err)
	}
	if _, err := e.doHere("group", part, e.next.Parts+1, scratch, in); !errors.Is(err, pipeline.ErrTask) {
		t.Errorf("another number of parts: %v", err)
	}
	scratch, in = e.input(part, 0)
	if _, err := e.doHere("group", part, e.next.Parts, scratch, in[:len(in)-1]); !errors.Is(err, frames.ErrDamaged) {
		t.Errorf("input that was cut: %v", err)
	}
	e.next.Files = slices.DeleteFunc(e.next.Files, func(f run.File) bool { return f.Name == "redirects.lsh" })
	scratch, in = e.input(part, 0)
	if _, err := e.doHere("group", part, e.next.Parts, scratch, in); !errors.Is(err, pipeline.ErrTask) || !strings.Contains(err.Error(), "reads redirects.lsh") {
		t.Errorf("without a file: %v", err)
	}
	if left, err := filepath.Glob(filepath.Join(scratch, "work", "*.tmp")); err != nil || len(left) > 0 {
		t.Errorf("left: %q, %v", left, err)
	}
}

package pipeline_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/frames"
	"github.com/lshclust/lshclust/pipeline"
)

// withoutReceipt returns the bytes of the files that a part wrote.
func withoutReceipt(some []frame) (out []byte) {
	for _, f := range some {
		if f.kind != frames.Receipt {
			out = append(out, f.bytes...)
		}
	}
	return out
}

// flip changes a bit after some thirds of a file, where its sections are. The head stays, so that the file opens.
func flip(t *testing.T, path string, thirds int) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err == nil {
		b[len(b)*thirds/3] ^= 4
		err = os.Remove(path)
	}
	if err == nil {
		err = os.WriteFile(path, b, 0o444)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A process of an engine does not verify whole tables before it does a part. All the same, a part of which a table is
// damaged fails, unless it reads nothing of what is damaged: then it writes the same bytes.
func TestFramesDamaged(t *testing.T) {
	framesDamaged(t, 40, "sign", "cluster-centers", "publish")
}

// framesDamaged damages the tables that some steps of a run of a number of pages read.
func framesDamaged(t *testing.T, pages int, steps ...string) {
	in, o := write(t, samplePages(t, pages)...), pipeline.Options{Workers: 1, SmallParts: true}
	e := &engine{t: t, run: filepath.Join(t.TempDir(), "run"), r: rand.New(rand.NewPCG(1, 2))}
	if err := pipeline.Begin(t.Context(), e.run, []string{in}, preset(t, "web"), o); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{} // damaged tables by step
	for {
		var err error
		if e.next, err = pipeline.NextNeeds(e.run, -1, o); err != nil {
			t.Fatal(err)
		}
		next := e.next
		if next.Step == "" {
			if err := pipeline.FinishStage(t.Context(), e.run, next.Stage, o); err != nil {
				t.Fatal(err)
			}
			if next.Stage == "publish" {
				break
			}
			continue
		}
		if slices.Contains(steps, next.Step) {
			found[next.Step] = e.damaged()
		}
		for _, part := range next.Missing {
			if err := pipeline.DoPart(t.Context(), e.run, next.Step, part, next.Parts, o); err != nil {
				t.Fatal(next.Step, part, err)
			}
		}
	}
	for _, step := range steps {
		if found[step] == 0 {
			t.Errorf("step %s: no damage was found: %v", step, found)
		}
	}
}

// damaged does the first missing part of the next step with each of its tables damaged, and returns how many it found.
func (e *engine) damaged() (found int) {
	t, part := e.t, e.next.Missing[0]/2*2 // input copies files for even parts
	scratch, in := e.input(part, 0)
	clean, err := e.doHere(e.next.Step, part, e.next.Parts, scratch, in)
	if err != nil {
		t.Fatal(e.next.Step, err)
	}
	want := withoutReceipt(clean)
	for _, f := range e.next.Files {
		if filepath.Ext(f.Name) != ".lsh" {
			continue
		}
		for thirds := 1; thirds < 3; thirds++ {
			scratch, in := e.input(part, 0)
			flip(t, filepath.Join(scratch, f.Name), thirds)
			got, err := e.doHere(e.next.Step, part, e.next.Parts, scratch, in)
			if err != nil {
				found++
			} else if !bytes.Equal(withoutReceipt(got), want) {
				t.Errorf("step %s: with a damaged %s, it writes other bytes", e.next.Step, f.Name)
			}
		}
	}
	return found
}

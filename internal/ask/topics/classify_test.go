package topics

import (
	"errors"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/topic/classify"
)

// TestClassifier checks that the neighbours are the nearest labelled documents, in any order of the labels, and never
// the document itself; that those that share a linking page are marked; and that Each yields the answers of Classify.
func TestClassifier(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	var labelled []Labelled
	for id := range uint32(r.Len()) {
		if id%3 == 0 {
			labelled = append(labelled, Labelled{id, [][]string{{string('a' + rune(id%5)), string('p' + rune(id%7))}}})
		}
	}
	c, err := NewClassifier(t.Context(), r, labelled, 2)
	if err != nil {
		t.Fatal(err)
	}
	backwards := slices.Clone(labelled)
	slices.Reverse(backwards)
	d, err := NewClassifier(t.Context(), r, backwards, 2)
	if err != nil {
		t.Fatal(err)
	}
	answers := map[uint32]Classified{}
	if err := EachClassified(t.Context(), c, func(id uint32, a Classified) error { answers[id] = a; return nil }); err != nil {
		t.Fatal(err)
	}
	marked := 0
	for id := range uint32(r.Len()) {
		a := Classify(c, id)
		if diff := gocmp.Diff(a, Classify(d, id)); diff != "" {
			t.Fatalf("document %d, labels in another order: %s", id, diff)
		}
		if each, ok := answers[id]; ok != (len(a.Levels) > 0) || ok && gocmp.Diff(each, a) != "" {
			t.Fatalf("document %d: Each gives %v, Classify %v", id, each, a)
		}
		if (len(a.Labels) > 0) != (id%3 == 0 && Bag(r, id).Len() > 0) {
			t.Errorf("document %d: labels %v", id, a.Labels)
		}
		var best []float64
		for _, l := range labelled {
			if s := bags.Similarity(Bag(r, id), Bag(r, l.ID)); s > 0 && l.ID != id {
				best = append(best, s)
			}
		}
		slices.Sort(best)
		slices.Reverse(best)
		best = best[:min(len(best), classify.K)]
		var got []float64
		for _, n := range a.Near {
			got = append(got, n.Similarity)
			together := slices.ContainsFunc(r.Sources.Of(id), func(page uint64) bool {
				return slices.Contains(r.Sources.Of(c.Example(n.Example)), page)
			})
			if together != n.Together {
				t.Errorf("documents %d and %d: together %v, want %v", id, c.Example(n.Example), n.Together, together)
			}
			if together {
				marked++
			}
		}
		if !slices.Equal(got, best) {
			t.Fatalf("document %d: similarities %v, want %v", id, got, best)
		}
	}
	if len(answers) < 50 || marked < 50 {
		t.Errorf("%d answers, %d marks: too few to test anything", len(answers), marked)
	}
	if _, err := NewClassifier(t.Context(), r, labelled[:1], 2); !errors.Is(err, ErrFewExamples) {
		t.Errorf("one label: %v", err)
	}
}

package report

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/config"
)

// named returns a run of the fruit pages with its name.
func named(t *testing.T, name string, change func(*config.Config)) eval.NamedRun {
	t.Helper()
	return eval.NamedRun{Name: name, Run: fruitRun(t, change)}
}

// The lists are those of brute force and of the index, ranked, and the draw does not depend on the order of the gold.
func TestDrawSample(t *testing.T) {
	runs := []eval.NamedRun{named(t, "links", linkBags), named(t, "content", contentBags)}
	o := eval.SampleOptions{N: 5, Top: 4, Seed: 1}
	s := draw(t, fruitGold(), runs, o)
	if s.Labelled != 17 || s.Known != 16 || s.AllKnow != 16 || len(s.Queries) != 5 {
		t.Fatalf("%d labelled, %d known, %d by all, %d drawn", s.Labelled, s.Known, s.AllKnow, len(s.Queries))
	}
	var names []string
	for _, m := range s.Methods {
		names = append(names, m.Name)
	}
	if want := "links links-index content content-index resemblance"; strings.Join(names, " ") != want {
		t.Errorf("methods %v", names)
	}
	for _, q := range s.Queries {
		if len(q.Lists) != 5 || len(q.Lists[0].Neighbours) != 4 || len(q.Lists[2].Neighbours) != 4 {
			t.Fatalf("%s: %+v", q.URL, q.Lists)
		}
		for _, l := range q.Lists {
			last := 2.0
			for i, n := range l.Neighbours {
				if n.Rank != i+1 || n.URL == q.URL || n.Similarity > last || n.Similarity <= 0 {
					t.Errorf("%s %s: %+v", q.URL, l.Method, n)
				}
				last = n.Similarity
				if (len(n.Words) == 0) != (l.Method == "resemblance") || (n.Text == nil) != (l.Method != "resemblance") {
					t.Errorf("%s %s: no reason: %+v", q.URL, l.Method, n)
				}
			}
		}
		topic, _, _ := strings.Cut(strings.TrimPrefix(q.URL, "https://"), ".")
		if n := q.Lists[0].Neighbours[0]; !strings.Contains(n.URL, topic) || n.Quote == nil || n.CoLinked == 0 {
			t.Errorf("nearest to %s: %+v", q.URL, n)
		}
	}
	turned := fruitGold()
	slices.Reverse(turned.Labels)
	turned.Labels = append(turned.Labels, turned.Labels[3])
	if d := cmp.Diff(s, draw(t, turned, runs, o), cmpopts.IgnoreUnexported(eval.SampleQuery{})); d != "" {
		t.Errorf("the order of the gold shows: %s", d)
	}
	o.Seed = 2
	if other := draw(t, fruitGold(), runs, o); slices.EqualFunc(other.Queries, s.Queries, func(a, b eval.SampleQuery) bool { return a.URL == b.URL }) {
		t.Error("another seed draws the same")
	}
}

func TestDrawSampleErrors(t *testing.T) {
	runs := []eval.NamedRun{named(t, "links", linkBags)}
	o := eval.SampleOptions{N: 5, Top: 4, Seed: 1}
	g := &gold.Gold{Name: "g", Labels: []gold.Label{{URL: "https://nowhere.example", Path: []string{"a"}}}}
	if _, err := eval.DrawSample(context.Background(), g, runs, o); !errors.Is(err, eval.ErrNoOverlap) || !strings.Contains(err.Error(), "https://nowhere.example") {
		t.Error(err)
	}
	if _, err := eval.DrawSample(context.Background(), fruitGold(), append(runs, runs[0]), o); err == nil || !strings.Contains(err.Error(), "both have bags of links") {
		t.Error(err)
	}
	if _, err := eval.DrawSample(context.Background(), fruitGold(), nil, o); err == nil {
		t.Error("without a run")
	}
}

// The marks to make name every neighbour once, with every list that has it.
func TestSampleMarks(t *testing.T) {
	runs := []eval.NamedRun{named(t, "links", linkBags)}
	s := draw(t, fruitGold(), runs, eval.SampleOptions{N: 4, Top: 3, Seed: 1})
	want, got := 0, 0
	for _, q := range s.Queries {
		for _, l := range q.Lists {
			want += len(l.Neighbours)
		}
	}
	seen := map[[2]string]bool{}
	for _, m := range s.Marks() {
		got += len(m.Listed)
		if seen[[2]string{m.Query, m.Neighbour}] || m.Verdict != "" {
			t.Errorf("%+v", m)
		}
		seen[[2]string{m.Query, m.Neighbour}] = true
	}
	if got != want || want == 0 || len(seen) == want {
		t.Errorf("%d lists of %d neighbours, want %d", got, len(seen), want)
	}
}

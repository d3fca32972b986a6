package pages

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/ask/topics"
)

func TestShares(t *testing.T) {
	for _, c := range []struct {
		a, b, shared int
		want         shares
	}{
		{100, 100, 60, shares{40, 60, 40, 140, 28.6, 42.9, 28.6, 28.6, 71.4}},
		{100, 100, 100, shares{0, 100, 0, 100, 0, 100, 0, 0, 100}},
		{0, 0, 0, shares{}},
	} {
		got := sharesOf(c.a, c.b, c.shared)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%+v: %s", c, diff)
		}
	}
}

// TestTermGroups checks that the bars of both sides have one scale and begin or end at the axis, and that the shared
// part has the same width on both sides.
func TestTermGroups(t *testing.T) {
	terms := []topics.Term{{Word: "both", DF: 3, A: 10, B: 5}, {Word: "left", DF: 1, A: 20}, {Word: "right", DF: 2, B: 1}}
	got := termGroups(terms)
	want := []termGroup{
		{inBoth, []termBars{{Word: "both", DF: 3, A: 10, B: 5, WideA: 50, WideB: 25, AtA: 50, Shared: 25, FromA: 75}}},
		{inA, []termBars{{Word: "left", DF: 1, A: 20, WideA: 100, FromA: 100}}},
		{inB, []termBars{{Word: "right", DF: 2, B: 1, WideB: 5, AtA: 100, FromA: 100}}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if got := termGroups(nil); got != nil {
		t.Errorf("%+v", got)
	}
	for i := range 200 {
		terms = append(terms, topics.Term{Word: fmt.Sprint(i), A: 1, B: i % 2})
	}
	rest := len(terms)
	for _, g := range termGroups(terms) {
		if rest -= len(g.Terms); len(g.Terms) > mostBars[g.Name] {
			t.Errorf("%s: %d terms", g.Name, len(g.Terms))
		}
	}
	if got, want := restOf(termGroups(terms), len(terms)), fmt.Sprintf("The table leaves out %d lighter terms, which are in the JSON of this page.", rest); got != want {
		t.Errorf("%q", got)
	}
}

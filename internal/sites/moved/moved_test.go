package moved

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// best returns the largest sum of values of any assignment, by trying all.
func best(offers [][]offer, taken map[int]bool) float64 {
	if len(offers) == 0 {
		return 0
	}
	most := best(offers[1:], taken)
	for _, o := range offers[0] {
		if !taken[o.object] {
			taken[o.object] = true
			most = max(most, o.value+best(offers[1:], taken))
			delete(taken, o.object)
		}
	}
	return most
}

// TestAssign compares the auction with all assignments.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		offers := make([][]offer, rapid.IntRange(0, 6).Draw(t, "bidders"))
		for i := range offers {
			for object := range 5 {
				if rapid.Bool().Draw(t, "offered") {
					offers[i] = append(offers[i], offer{object, rapid.Float64Range(-3, 10).Draw(t, "value")})
				}
			}
		}
		sum, taken := 0.0, map[int]bool{}
		for i, at := range assign(offers) {
			if at < 0 {
				continue
			}
			o := offers[i][at]
			if taken[o.object] || o.value < 0 {
				t.Fatalf("object %d of value %v is assigned to %d", o.object, o.value, i)
			}
			taken[o.object] = true
			sum += o.value
		}
		if want := best(offers, map[int]bool{}); sum < want-increment*float64(len(offers))-1e-9 {
			t.Fatalf("sum %v, best %v", sum, want)
		}
	})
}

// TestAssignCrowd has 10,000 pages compete for the same three candidates.
func TestAssignCrowd(t *testing.T) {
	offers := make([][]offer, 10_000)
	for i := range offers {
		offers[i] = []offer{{0, 9}, {1, 9}, {2, 9}}
	}
	got := 0
	for _, at := range assign(offers) {
		if at >= 0 {
			got++
		}
	}
	if got != 3 {
		t.Errorf("%d pages got one of three candidates", got)
	}
}

// TestProbabilities checks that the probabilities, including that of no candidate, add up to 1, even for large
// utilities.
func TestProbabilities(t *testing.T) {
	for _, u := range [][]float64{{}, {0}, {1, -2, 3}, {800, 799}, {-900}} {
		sum := 0.0
		for _, p := range probabilities(nil, u) {
			sum += p
		}
		none := 1.0
		for _, x := range u {
			none += math.Exp(min(x, 700))
		}
		if want := 1 - 1/none; math.Abs(sum-want) > 1e-9 {
			t.Errorf("%v: sum %v, want %v", u, sum, want)
		}
	}
}

// TestWords splits names and paths.
func TestWords(t *testing.T) {
	for s, want := range map[string][]string{
		"/docs/CodeGenerator.html": {"code", "docs", "generator", "html"}, "": nil, "a-b_a": {"a", "b"}, "Café ÜBER": {"café", "über"},
	} {
		if got := Words(s); !slices.Equal(got, want) {
			t.Errorf("%q: %q", s, got)
		}
	}
	if Alike("strings.HasSuffix", "strings-hassuffix") != 1 || Alike("toc", "page") != 0 || Alike("", "") != 0 {
		t.Error("likeness of segments")
	}
}

// TestOneToOne gives the page to the better claim, and checks what remains for the other.
func TestOneToOne(t *testing.T) {
	strong := Evidence{Resemblance: 0.9, OfOld: 0.95, OfNew: 0.95, Context: 0.8, Segment: 1, Path: 1, Fresh: true}
	weak := strong
	weak.Resemblance, weak.OfOld, weak.Segment = 0.3, 0.4, 0.4
	pages := []Page{
		{Page: 1, Candidates: []Candidate{{Page: 7, Evidence: weak}}},
		{Page: 2, Candidates: []Candidate{{Page: 7, Evidence: strong}, {Page: 8, Evidence: weak}}},
	}
	got := Default.Decide(pages, func(uint32, []uint32) float64 { return 0 })
	if got[0].Kind != Gone || got[1].Kind != Moved || got[1].Places[0].Page != 7 {
		t.Errorf("%+v", got)
	}
}

// TestNotGreedy has two pages that want the same candidate. Taking the nearest pair first would leave the second page
// with nothing, although the first one has another candidate that is nearly as good.
func TestNotGreedy(t *testing.T) {
	offers := [][]offer{{{7, 10}, {8, 9}}, {{7, 9.5}}}
	if got := assign(offers); !slices.Equal(got, []int{1, 0}) {
		t.Errorf("assigned %v", got)
	}
	if got := assign([][]offer{{{7, 10}, {8, 10}}}); !slices.Equal(got, []int{0}) {
		t.Errorf("of two equal offers, not the first: %v", got)
	}
	text := func(share float64) Evidence {
		return Evidence{Resemblance: share, OfOld: share, OfNew: share, Context: 0.8, Links: 0.5, Name: 0.8, Path: 0.5, Fresh: true}
	}
	pages := []Page{
		{Page: 1, Candidates: []Candidate{{Page: 7, Evidence: text(0.95)}, {Page: 8, Evidence: text(0.93)}}},
		{Page: 2, Candidates: []Candidate{{Page: 7, Evidence: text(0.94)}}},
	}
	got := Default.Decide(pages, func(uint32, []uint32) float64 { return 0 })
	if got[0].Kind != Moved || got[0].Places[0].Page != 8 || got[1].Kind != Moved || got[1].Places[0].Page != 7 {
		t.Errorf("%+v", got)
	}
}

// TestUnsupported checks that names and URLs alone never make a verdict that names a page, and that a text or a link does.
func TestUnsupported(t *testing.T) {
	named := Evidence{Name: 1, Segment: 1, Path: 1, Fresh: true}
	linked := named
	linked.Context, linked.Links = 0.5, 0.5
	got := Default.Decide([]Page{{Page: 1, Candidates: []Candidate{{Page: 7, Evidence: named}}}, {Page: 2, Candidates: []Candidate{{Page: 8, Evidence: linked}}}},
		func(uint32, []uint32) float64 { return 0 })
	if got[0].Kind != Gone || got[0].Others[0].Confidence > 0.5 {
		t.Errorf("by names: %+v", got[0])
	}
	if got[1].Kind != Moved {
		t.Errorf("by links: %+v", got[1])
	}
}

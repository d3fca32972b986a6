package query

import (
	"math"
	"slices"
	"testing"
)

func TestSampleNodes(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 60))
	all := r.SampleNodes(1<<20, 1)
	if len(all) != r.Nodes() || len(all) < 10 || all[len(all)-1] != uint32(r.Nodes()-1) {
		t.Errorf("%d of %d nodes", len(all), r.Nodes())
	}
	for _, id := range r.SampleDocuments(1<<20, 1) {
		if r.bags.At(id).Len() == 0 {
			t.Errorf("document %d has an empty bag", id)
		}
	}
	if got := r.SampleNodes(-1, 1); len(got) != 0 {
		t.Error(got)
	}
}

// TestDraw checks that draws are ascending, have no repeats, are the same for the same seed, and contain every number
// equally often.
func TestDraw(t *testing.T) {
	const all, n, rounds = 20, 5, 4000
	var often [all]float64
	for seed := range uint64(rounds) {
		got := draw(all, n, seed)
		if len(got) != n || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != n || !slices.Equal(got, draw(all, n, seed)) {
			t.Fatalf("seed %d: %v", seed, got)
		}
		for _, x := range got {
			often[x]++
		}
	}
	want, dev := float64(rounds*n)/all, math.Sqrt(rounds*float64(n)/all*(1-float64(n)/all))
	for x, c := range often {
		if math.Abs(c-want) > 4.5*dev {
			t.Errorf("%d was drawn %v times, want %v ± %v", x, c, want, dev)
		}
	}
}

package sketches_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/eval/sketches"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// versions are families of documents of 1,000 shingles that differ more and more from the first.
func versions(r *rand.Rand) (out resemble.Collection) {
	for digest := range uint64(30 * 6) {
		if digest%6 == 0 {
			out = append(out, resemble.Document{Values: values(r, 1000), Bytes: digest, Lexical: digest})
			continue
		}
		first := out[digest-digest%6].Values
		n := len(first) * int(digest%6) / 12
		set := slices.Clone(first)
		r.Shuffle(len(set), func(i, j int) { set[i], set[j] = set[j], set[i] })
		set = append(set[:len(set)-n], values(r, n)...)
		slices.Sort(set)
		out = append(out, resemble.Document{Values: slices.Compact(set), Bytes: digest, Lexical: digest})
	}
	return out
}

func values(r *rand.Rand, n int) []uint64 {
	out := make([]uint64, n)
	for i := range out {
		out[i] = r.Uint64() >> 24
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// TestMeasure: whole sets find all pairs and no others; a coarser sketch is smaller and errs more.
func TestMeasure(t *testing.T) {
	pages := sketches.Pages{Documents: versions(rand.New(rand.NewPCG(1, 1)))}
	ways := []shingles.Sketcher{{Kind: shingles.Min, S: 400}, {Kind: shingles.Min, S: 25}, {M: 5}, {M: 50}}
	x, err := sketches.Measure(t.Context(), pages, ways, resemble.Config{Floor: 0.5, Containment: 0.8, MinShingles: 4, MaxCommon: 1000})
	if err != nil {
		t.Fatal(err)
	}
	if x.Pages != 180 || x.Distinct != 180 || x.Similar < 100 || len(x.Ways) != 5 {
		t.Fatalf("%+v", x)
	}
	whole := x.Ways[0]
	if whole.Recall != (sketches.Share{Hits: x.Similar, Of: x.Similar}) || whole.Precision != whole.Recall || whole.RecallContained.Of != x.Contained || whole.Error != 0 {
		t.Errorf("whole sets: %+v", whole)
	}
	for i, s := range ways {
		c := x.Ways[i+1]
		if c.Recall.Of != x.Similar || c.RecallFar.Hits < c.RecallFar.Of*9/10 || s.Kind.Containment() != (c.RecallContained.Of > 0) {
			t.Errorf("%v: %+v", s, c)
		}
	}
	for _, i := range []int{1, 3} {
		fine, coarse := x.Ways[i], x.Ways[i+1]
		if fine.Bytes < 3*coarse.Bytes || fine.Error == 0 || fine.Error > coarse.Error/2 {
			t.Errorf("%+v\n%+v", fine, coarse)
		}
	}
}

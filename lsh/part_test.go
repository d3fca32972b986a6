package lsh

import (
	"slices"
	"testing"
)

// TestPart: a part of an index has its keys and finds its buckets.
func TestPart(t *testing.T) {
	sigs := newRows(40, 5).group(30, 0.6).group(20, 0.9).signatures()
	x := mustIndex(t, 40, 3, 50, 7)
	rows := []uint32{0, 3, 31, 49}
	all, err := x.BucketSizes(t.Context(), sigs, Config{MaxBucket: 100}, rows)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range [][2]int{{0, 50}, {0, 1}, {10, 33}, {49, 50}} {
		part := x.Part(r[0], r[1])
		for j := range part.L {
			if part.Key(j, sigs.Row(3)) != x.Key(r[0]+j, sigs.Row(3)) {
				t.Errorf("keys %v: key %d differs", r, j)
			}
		}
		some, err := part.BucketSizes(t.Context(), sigs, Config{MaxBucket: 100}, rows)
		if err != nil || !slices.EqualFunc(some, all[r[0]:r[1]], slices.Equal) {
			t.Errorf("keys %v: %v, want %v (%v)", r, some, all[r[0]:r[1]], err)
		}
	}
}

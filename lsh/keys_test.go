package lsh

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Searching parts of the keys, each alone, finds the pairs of the definition, and the counts add up to those of the
// definition.
func TestPairsOfKeys(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom([]int{20, 80}).Draw(t, "m")
		x, err := NewIndex(m, rapid.IntRange(1, 4).Draw(t, "k"), rapid.IntRange(1, 20).Draw(t, "l"), rapid.Uint64().Draw(t, "index seed"))
		if err != nil {
			t.Fatal(err)
		}
		sigs := small(rapid.Uint64().Draw(t, "row seed"), m)
		c := Config{
			Floor:     rapid.Float64Range(0, 1).Draw(t, "floor"),
			MaxBucket: rapid.OneOf(rapid.IntRange(1, 60), rapid.Just(100_000)).Draw(t, "largest bucket"),
			Reach:     rapid.IntRange(0, 10).Draw(t, "reach"),
			Workers:   rapid.IntRange(1, 4).Draw(t, "workers"),
			Memory:    rapid.SampledFrom([]int64{400, 2000, 10_000, 0}).Draw(t, "memory"),
		}
		var parts []Keys
		for from := 0; from < x.L; {
			to := rapid.IntRange(from+1, x.L).Draw(t, "end of a part")
			parts, from = append(parts, Keys{from, to}), to
		}
		var large [][]uint64
		for _, keys := range parts {
			err := x.LargeBuckets(context.Background(), sigs, c, keys, func(key int, rows []uint64) error {
				if key != len(large) {
					t.Fatalf("the large buckets of key %d come after those of %d keys", key, len(large))
				}
				large = append(large, slices.Clone(rows))
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		var mu sync.Mutex
		var got []Pair
		var sum Stats
		rows := rapid.SampledFrom([]int{1, 7, 64, 100_000}).Draw(t, "rows of each block of places")
		searcher, err := x.Searcher(sigs, c, rows, placesOf(t, x, sigs, rows, large))
		if err != nil {
			t.Fatal(err)
		}
		for _, keys := range rapid.Permutation(parts).Draw(t, "order of the parts") {
			stats, err := searcher.Pairs(context.Background(), keys, func(_ int, p []Pair) error {
				mu.Lock()
				defer mu.Unlock()
				got = append(got, p...)
				return nil
			}, nil)
			if err != nil {
				t.Fatal(err)
			}
			sum.Rows, sum.Keys = stats.Rows, sum.Keys+stats.Keys
			sum.add(stats)
		}
		want, wantStats := bruteForce(x, sigs, c)
		if diff := cmp.Diff(want, sorted(got)); diff != "" {
			t.Fatalf("pairs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(wantStats, sum); diff != "" {
			t.Fatalf("stats (-want +got):\n%s", diff)
		}
	})
}

// placesOf returns the places of all rows in blocks of some rows each.
func placesOf(t interface{ Fatal(...any) }, x *Index, sigs Signatures, rows int, large [][]uint64) (out []Places) {
	for from := 0; from < sigs.Len(); from += rows {
		var p Places
		err := x.EachPlaces(large, from, min(from+rows, sigs.Len()), func(head []uint64, places []uint32) {
			p.Heads, p.Place = append(p.Heads, head...), append(p.Place, places...)
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(p.Place) == 0 {
			p.Heads = nil
		}
		out = append(out, p)
	}
	return out
}

// The places that Pairs finds itself are those that EachPlaces makes from what LargeBuckets emits.
func TestPlaces(t *testing.T) {
	sigs := newRows(80, 1).group(3000, 0.9).signatures()
	x, c := mustIndex(t, 80, 2, 100, 1), Config{MaxBucket: 20, Workers: 2, Memory: 1 << 20}
	var large [][]uint64
	total := 0
	err := x.LargeBuckets(t.Context(), sigs, c, Keys{0, x.L}, func(_ int, rows []uint64) error {
		large, total = append(large, slices.Clone(rows)), total+len(rows)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := x.places(t.Context(), sigs, c)
	if err != nil {
		t.Fatal(err)
	}
	if want := placesOf(t, x, sigs, sigs.Len(), large)[0]; total == 0 || len(got.Place) != total || !cmp.Equal(got, want) {
		t.Errorf("%d places of %d, or other ones", len(got.Place), total)
	}
	if err := x.EachPlaces(large[1:], 0, 1, nil); err == nil {
		t.Error("the large buckets of too few keys: no error")
	}
}

// A range of keys that do not exist is refused, and so are places of other rows.
func TestSearcherOfWrongKeys(t *testing.T) {
	x, sigs := mustIndex(t, 20, 2, 10, 1), small(1, 20)
	for _, wrong := range []struct {
		rows   int
		places []Places
	}{
		{0, make([]Places, 1)}, {sigs.Len(), nil}, {sigs.Len(), make([]Places, 2)}, {sigs.Len() / 2, make([]Places, 1)},
		{sigs.Len(), []Places{{Heads: make([]uint64, 2*sigs.Len()-1)}}},
	} {
		if _, err := x.Searcher(sigs, Config{}, wrong.rows, wrong.places); err == nil {
			t.Errorf("%d blocks of places of %d rows: no error", len(wrong.places), wrong.rows)
		}
	}
	if _, err := x.Searcher(newRows(20, 1).signatures(), Config{}, 16, make([]Places, 1)); err != nil {
		t.Errorf("an empty block of no rows: %v", err)
	}
	searcher, err := x.Searcher(sigs, Config{}, sigs.Len(), make([]Places, 1))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []Keys{{-1, 3}, {4, 3}, {0, 11}} {
		if _, err := searcher.Pairs(context.Background(), wrong, nil, nil); err == nil {
			t.Errorf("%+v: no error", wrong)
		}
	}
}

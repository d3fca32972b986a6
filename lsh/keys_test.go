package lsh

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// Searching parts of the keys, each alone, finds the pairs of the definition, and the counts add up to its counts.
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
		searcher, err := x.Searcher(sigs, c, large)
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

// A range that is not one of keys is refused, and so are large buckets of another number of keys.
func TestSearcherOfWrongKeys(t *testing.T) {
	x, sigs := mustIndex(t, 20, 2, 10, 1), small(1, 20)
	for _, keys := range []int{0, 9, 11} {
		if _, err := x.Searcher(sigs, Config{}, make([][]uint64, keys)); err == nil {
			t.Errorf("large buckets of %d keys: no error", keys)
		}
	}
	searcher, err := x.Searcher(sigs, Config{}, make([][]uint64, x.L))
	if err != nil {
		t.Fatal(err)
	}
	for _, wrong := range []Keys{{-1, 3}, {4, 3}, {0, 11}} {
		if _, err := searcher.Pairs(context.Background(), wrong, nil, nil); err == nil {
			t.Errorf("%+v: no error", wrong)
		}
	}
}

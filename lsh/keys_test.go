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
			MaxBucket: rapid.IntRange(1, 60).Draw(t, "largest bucket"),
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
			of, err := x.LargeBuckets(context.Background(), sigs, c, keys)
			if err != nil {
				t.Fatal(err)
			}
			large = append(large, of...)
		}
		var mu sync.Mutex
		var got []Pair
		var sum Stats
		for _, keys := range slices.Backward(parts) {
			stats, err := x.PairsOf(context.Background(), sigs, c, keys, large[:keys.From], func(_ int, p []Pair) error {
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

// A range that is not one of keys, or that lacks the large buckets of earlier keys, is refused.
func TestPairsOfWrongKeys(t *testing.T) {
	x, sigs := mustIndex(t, 20, 2, 10, 1), small(1, 20)
	for _, wrong := range []struct {
		keys  Keys
		large int
	}{{Keys{-1, 3}, 0}, {Keys{4, 3}, 4}, {Keys{0, 11}, 0}, {Keys{3, 5}, 2}} {
		if _, err := x.PairsOf(context.Background(), sigs, Config{}, wrong.keys, make([][]uint64, wrong.large), nil, nil); err == nil {
			t.Errorf("%+v: no error", wrong)
		}
	}
}

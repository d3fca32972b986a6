package lsh

import (
	"context"
	"runtime"
	"testing"
)

// A Searcher takes no memory for the places of rows in large buckets, and none for a second part: with 20,000 equal
// rows and 20 keys the places alone would take 3.2 MB, the records 1.6 MB and the low bytes as much.
func TestSearcherKeepsMemory(t *testing.T) {
	const n, l = 20_000, 20
	sigs := newRows(80, 1).group(n, 1).signatures()
	x, c := mustIndex(t, 80, 3, l, 1), Config{Floor: 0.2, MaxBucket: 200, Reach: 5, Workers: 2}
	var large [][]uint64
	err := x.LargeBuckets(context.Background(), sigs, c, Keys{0, l}, func(_ int, rows []uint64) error {
		large = append(large, rows)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	searcher, err := x.Searcher(sigs, c, n, placesOf(t, x, sigs, n, large))
	if err != nil {
		t.Fatal(err)
	}
	var taken []uint64
	for _, keys := range []Keys{{0, l / 2}, {l / 2, l}} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		stats, err := searcher.Pairs(context.Background(), keys, func(int, []Pair) error { return nil }, nil)
		if err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		if stats.CappedRows != n*l/2 {
			t.Errorf("%+v: %d rows in large buckets", keys, stats.CappedRows)
		}
		taken = append(taken, after.TotalAlloc-before.TotalAlloc)
	}
	if taken[1] > 1<<20 {
		t.Errorf("%d bytes for the first part, %d for the second", taken[0], taken[1])
	}
}

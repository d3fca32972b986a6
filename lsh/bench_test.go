package lsh

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

var crawl400k = sync.OnceValue(func() Signatures { return crawl(400_000, 1) })

// alone400k has no similar rows, so it measures only keys and sorting.
var alone400k = sync.OnceValue(func() Signatures {
	g := newRows(80, 1)
	for range 400_000 {
		g.put(g.fresh())
	}
	return g.signatures()
})

// BenchmarkPairs is the row "keys, sort, buckets" of lab/performance.md.
func BenchmarkPairs(b *testing.B) {
	for _, k := range []struct {
		k, l int
		name string
		sigs func() Signatures
	}{
		{3, 125, "crawl", crawl400k}, {2, 160, "crawl", crawl400k},
		{3, 125, "alone", alone400k}, {2, 160, "alone", alone400k},
	} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("%s/k=%d/l=%d/workers=%d", k.name, k.k, k.l, workers), func(b *testing.B) {
				x, sigs := mustIndex(b, 80, k.k, k.l, 1), k.sigs()
				c := Config{Floor: 0.2, MaxBucket: 200, Reach: 20, Workers: workers}
				var s Stats
				for b.Loop() {
					var err error
					s, err = x.Pairs(context.Background(), sigs, c, func(int, []Pair) error { return nil }, nil)
					if err != nil {
						b.Fatal(err)
					}
				}
				keys := float64(s.Keys) * float64(b.N) / 1e6
				b.ReportMetric(keys/b.Elapsed().Seconds(), "Mkeys/s")
				b.ReportMetric(float64(s.Collisions)/float64(s.Keys), "collisions/key")
			})
		}
	}
}

package lsh

import (
	"context"
	"fmt"
	"sync"
	"testing"
)

var crawl400k = sync.OnceValue(func() Signatures { return crawl(400_000, 1) })

// BenchmarkPairs is the row "keys, sorted runs, filter" of docs/performance.md.
func BenchmarkPairs(b *testing.B) {
	for _, k := range []struct{ k, l int }{{3, 125}, {2, 160}} {
		for _, workers := range []int{1, 2} {
			b.Run(fmt.Sprintf("k=%d/l=%d/workers=%d", k.k, k.l, workers), func(b *testing.B) {
				x, sigs := mustIndex(b, 80, k.k, k.l, 1), crawl400k()
				c := Config{Floor: 0.2, MaxRun: 200, Reach: 20, Workers: workers}
				var s Stats
				for b.Loop() {
					var err error
					s, err = x.Pairs(context.Background(), sigs, c, func(int, []Pair) error { return nil }, nil)
					if err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(s.Keys)*float64(b.N)/1e6/b.Elapsed().Seconds()/float64(workers), "Mkeys/s/core")
				b.ReportMetric(float64(s.Collisions)/float64(s.Keys), "collisions/key")
				b.Logf("%+v", s)
			})
		}
	}
}

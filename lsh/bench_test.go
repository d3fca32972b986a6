//go:build unix

package lsh

import (
	"context"
	"fmt"
	"sync"
	"syscall"
	"testing"
	"time"
)

var crawl400k = sync.OnceValue(func() Signatures { return crawl(400_000, 1) })

// alone400k has no similar rows, so that the time is that of keys and sorting.
var alone400k = sync.OnceValue(func() Signatures {
	g := newRows(80, 1)
	for range 400_000 {
		g.put(g.fresh())
	}
	return g.signatures()
})

// cpuTime returns the processor time of this process.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

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
				before := cpuTime()
				for b.Loop() {
					var err error
					s, err = x.Pairs(context.Background(), sigs, c, func(int, []Pair) error { return nil }, nil)
					if err != nil {
						b.Fatal(err)
					}
				}
				keys := float64(s.Keys) * float64(b.N) / 1e6
				b.ReportMetric(keys/b.Elapsed().Seconds(), "Mkeys/s")
				b.ReportMetric(keys/(cpuTime()-before).Seconds(), "Mkeys/cpu-s")
				b.ReportMetric(float64(s.Collisions)/float64(s.Keys), "collisions/key")
			})
		}
	}
}

func BenchmarkFill(b *testing.B) {
	for _, k := range []struct{ k, l int }{{3, 32}, {2, 32}, {3, 125}} {
		b.Run(fmt.Sprintf("k=%d/columns=%d", k.k, k.l), func(b *testing.B) {
			x, sigs := mustIndex(b, 80, k.k, k.l, 1), crawl400k()
			s := newSearch(x, sigs, Config{Workers: 1}, placeTable{})
			columns, group := make([][]uint64, k.l), make([]int, k.l)
			for i := range group {
				columns[i], group[i] = make([]uint64, sigs.Len()), i
			}
			for b.Loop() {
				s.fillWhole(columns, group, 0, sigs.Len())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*k.l*sigs.Len()), "ns/key")
		})
	}
}

func BenchmarkSort(b *testing.B) {
	for _, n := range []int{100_000, 400_000, 4_000_000} {
		b.Run(fmt.Sprintf("records=%d", n), func(b *testing.B) {
			src, a, tmp := make([]uint64, n), make([]uint64, n), make([]uint64, n)
			r := random(1)
			for i := range src {
				src[i] = uint64(r.next(1<<62))<<2&^(1<<22-1) | uint64(i)
			}
			for b.Loop() {
				copy(a, src)
				sortRecords(a, tmp, 0)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/record")
		})
	}
}

package lsh

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/minhash"
	"pgregory.net/rapid"
)

func byRows(a, b Pair) int {
	if a.A != b.A {
		return int(a.A) - int(b.A)
	}
	return int(a.B) - int(b.B)
}

func sorted(p []Pair) []Pair {
	p = slices.Clone(p)
	slices.SortFunc(p, byRows)
	return p
}

// bruteForce forms pairs according to the documentation, key by key, with a map.
func bruteForce(x *Index, sigs Signatures, c Config) ([]Pair, Stats) {
	n := sigs.Len()
	s := Stats{Rows: uint64(n), Keys: uint64(n * x.L)}
	seen := make(map[[2]uint32]bool)
	form := func(a, b uint32) {
		s.Collisions++
		seen[[2]uint32{a, b}] = true
	}
	for j := range x.L {
		buckets := make(map[uint64][]uint32)
		for r := range n {
			key := x.Key(j, sigs.Row(r))
			buckets[key] = append(buckets[key], uint32(r))
		}
		for _, bucket := range buckets {
			if len(bucket) == 1 {
				continue
			}
			s.Buckets++
			s.LargestBucket = max(s.LargestBucket, uint64(len(bucket)))
			large := len(bucket) > c.MaxBucket
			if large {
				s.CappedBuckets++
				s.CappedRows += uint64(len(bucket))
			}
			for i := range bucket {
				for k := i + 1; k < len(bucket); k++ {
					if large && i > 0 && k-i > c.Reach {
						s.PairsNotFormed++
					} else {
						form(bucket[i], bucket[k])
					}
				}
			}
		}
	}
	s.CandidatePairs = uint64(len(seen))
	var pairs []Pair
	for p := range seen {
		n := minhash.Agreement(sigs.Row(int(p[0])), sigs.Row(int(p[1])))
		if float64(n) >= c.Floor*float64(x.M)-1e-9 {
			low := minhash.LowAgreement(sigs.Row(int(p[0]))[:x.M], sigs.Row(int(p[1])))
			pairs = append(pairs, Pair{p[0], p[1], uint8(n), uint8(low)})
		}
	}
	s.Surviving = uint64(len(pairs))
	return sorted(pairs), s
}

func small(seed uint64, m int) Signatures {
	g := newRows(m, seed)
	for i := range 60 {
		g.group(1+g.r.IntN(6), float64(i%10)/10)
	}
	g.group(40, 0.95).group(30, 0.8).group(25, 1)
	return g.shuffle().signatures()
}

// Pairs and all counts equal the definition, for small and large buckets, and do not depend on workers, on memory, or
// on how many keys or parts of one are handled at a time.
func TestPairsLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := rapid.SampledFrom([]int{20, 40, 80, 128}).Draw(t, "m")
		k := rapid.IntRange(1, 4).Draw(t, "k")
		l := rapid.IntRange(1, 20).Draw(t, "l")
		x, err := NewIndex(m, k, l, rapid.Uint64().Draw(t, "index seed"))
		if err != nil {
			t.Fatal(err)
		}
		sigs := small(rapid.Uint64().Draw(t, "row seed"), m)
		c := Config{
			Floor:     rapid.Float64Range(0, 1).Draw(t, "floor"),
			MaxBucket: rapid.IntRange(1, 60).Draw(t, "largest bucket"),
			Reach:     rapid.IntRange(0, 10).Draw(t, "reach"),
			Workers:   rapid.IntRange(1, 4).Draw(t, "workers"),
			Memory:    rapid.SampledFrom([]int64{400, 2000, 10_000, 40_000, 0}).Draw(t, "memory"),
		}
		want, wantStats := bruteForce(x, sigs, c)
		var got []Pair
		got, stats := pairsOf(t, x, sigs, c)
		if diff := cmp.Diff(want, sorted(got)); diff != "" {
			t.Fatalf("pairs (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff(wantStats, stats); diff != "" {
			t.Fatalf("stats (-want +got):\n%s", diff)
		}
	})
}

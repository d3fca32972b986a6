package lsh

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// records returns random keys with row numbers below them. Every other key is one of a few.
func records(n, few int, seed uint64) []uint64 {
	r := rand.New(rand.NewPCG(seed, 1))
	keys := make([]uint64, few)
	for i := range keys {
		keys[i] = r.Uint64()
	}
	a := make([]uint64, n)
	for i := range a {
		key := keys[r.IntN(few)]
		if i%2 == 0 {
			key = r.Uint64()
		}
		a[i] = key>>rowBits(n)<<rowBits(n) | uint64(i)
	}
	return a
}

func TestSortRecords(t *testing.T) {
	for _, n := range []int{0, 1, 2, 63, 64, 65, 1000, 50_000} {
		for _, few := range []int{1, 3, 1000} {
			a := records(n, few, uint64(n))
			want := slices.Sorted(slices.Values(a))
			if got := sortRecords(a, make([]uint64, n)); !slices.Equal(got, want) {
				t.Errorf("%d records, %d keys: not sorted", n, few)
			}
		}
	}
}

// TestDropSingles: records with a unique key may be dropped, the others are kept.
func TestDropSingles(t *testing.T) {
	for _, n := range []int{0, 1, 2, 100, 50_000} {
		a := records(n, 1000, 5)
		bits := rowBits(n)
		count := make(map[uint64]int)
		for _, v := range a {
			count[v>>bits]++
		}
		all := slices.Clone(a)
		kept := dropSingles(a, make([]uint64, tableWords(n)))
		if !slices.IsSortedFunc(kept, func(x, y uint64) int { return int(x&(1<<bits-1)) - int(y&(1<<bits-1)) }) {
			t.Errorf("%d records: rows are out of order", n)
		}
		for _, v := range all {
			if count[v>>bits] > 1 && !slices.Contains(kept[:min(len(kept), 2000)], v) && n <= 100 {
				t.Errorf("%d records: %x is gone", n, v)
			}
		}
		repeated := 0
		for _, c := range count {
			if c > 1 {
				repeated += c
			}
		}
		if singles := n - repeated; len(kept) < repeated || len(kept)-repeated > singles/3+5 {
			t.Errorf("%d records kept of %d, %d of them repeated", len(kept), n, repeated)
		}
	}
}

package lsh

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/minhash"
)

func TestNewIndexErrors(t *testing.T) {
	for _, c := range [][3]int{
		{0, 1, 1}, {-1, 1, 1}, {129, 3, 5}, {80, 0, 5}, {80, 81, 1}, {80, 3, 0}, {80, 3, -1},
		{5, 2, 11}, {128, 64, maxKeys + 1}, {80, math.MaxInt, 1}, {80, 3, math.MaxInt},
	} {
		if x, err := NewIndex(c[0], c[1], c[2], 1); err == nil {
			t.Errorf("m, k, l = %v: %d keys and no error", c, x.L)
		}
	}
}

func TestSubsets(t *testing.T) {
	for _, c := range [][3]int{{80, 3, 125}, {80, 2, 160}, {5, 2, 10}, {128, 128, 1}, {1, 1, 1}} {
		x := mustIndex(t, c[0], c[1], c[2], 7)
		seen := make(map[string]bool)
		for j, s := range x.Subsets {
			if len(s) != x.K || !slices.IsSorted(s) || len(slices.Compact(slices.Clone(s))) != x.K || int(s[x.K-1]) >= x.M {
				t.Errorf("%v: subset %v", c, s)
			}
			if x.masks[j].Count() != x.K {
				t.Errorf("%v: mask of %v", c, s)
			}
			seen[string(s)] = true
		}
		if len(seen) != x.L {
			t.Errorf("%v: %d different subsets of %d", c, len(seen), x.L)
		}
		if diff := cmp.Diff(x.Subsets, mustIndex(t, c[0], c[1], c[2], 7).Subsets); diff != "" {
			t.Errorf("%v: same seed, other subsets", c)
		}
	}
	// Candidates depend on the subsets, and so do stored runs.
	if diff := cmp.Diff([][]uint8{{44, 58, 77}, {34, 35, 61}, {22, 41, 68}, {31, 48, 61}}, mustIndex(t, 80, 3, 4, 1).Subsets); diff != "" {
		t.Errorf("seed 1:\n%s", diff)
	}
}

// Every signature is used about equally often.
func TestSubsetsAreUniform(t *testing.T) {
	var used [20]float64
	const rounds = 2000
	for seed := range uint64(rounds) {
		for _, s := range mustIndex(t, 20, 3, 10, seed).Subsets {
			for _, i := range s {
				used[i]++
			}
		}
	}
	want := rounds * 10 * 3 / 20.0
	for i, n := range used {
		if math.Abs(n-want) > 4*math.Sqrt(want) {
			t.Errorf("signature %d used %.0f times, want %.0f", i, n, want)
		}
	}
}

// Keys are equal if and only if the signatures are; for two signatures, because the mix can be undone.
func TestKey(t *testing.T) {
	for _, k := range []int{1, 2, 3, 4, 5} {
		x := mustIndex(t, 40, k, 10, 3)
		sigs := small(uint64(k), 40)
		for j := range x.L {
			keys := make(map[uint64]int)
			for r := range sigs.Len() {
				key := x.Key(j, sigs.Row(r))
				first, ok := keys[key]
				if !ok {
					keys[key] = r
				} else if !minhash.Mask(sigs.Row(first), sigs.Row(r)).Contains(x.masks[j]) {
					t.Fatalf("k=%d: rows %d and %d have key %x and other signatures", k, first, r, key)
				}
			}
		}
	}
	const inverse = 0xf1de83e19937733d // of the multiplier modulo 2^64
	for _, v := range []uint64{0, 1, 1<<48 - 1, 0x123456789abc} {
		y := step(v)
		if got := (y ^ y>>32) * inverse; got != v {
			t.Errorf("step(%x) undone is %x", v, got)
		}
	}
}

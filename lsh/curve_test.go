package lsh

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	"github.com/lshclust/lshclust/minhash"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.0005001 {
		t.Errorf("%s: %.4f, want %.3f", what, got, want)
	}
}

// TestCurve has the table of the design: 80 signatures, 125 triples, a floor of 20 %.
func TestCurve(t *testing.T) {
	for _, row := range []struct{ s, candidate, found float64 }{
		{0.10, 0.110, 0.003},
		{0.15, 0.309, 0.091},
		{0.20, 0.559, 0.398},
		{0.25, 0.776, 0.726},
		{0.30, 0.911, 0.904},
		{0.40, 0.994, 0.994},
	} {
		near(t, fmt.Sprintf("candidate at %v", row.s), Found(80, 3, 125, 0, row.s), row.candidate)
		near(t, fmt.Sprintf("found at %v", row.s), Found(80, 3, 125, 0.20, row.s), row.found)
	}
	independent := func(s float64, k, l int) float64 {
		return 1 - math.Pow(1-math.Pow(s, float64(k)), float64(l))
	}
	near(t, "independent keys at 0.20", independent(0.20, 3, 125), 0.634)
	near(t, "26 disjoint bands at 0.20", independent(0.20, 3, 26), 0.188)
}

// pairsAt returns the signatures of pairs of bags of 100 elements that share some of them.
func pairsAt(shared, count int, seed uint64) (sigs Signatures, similarity float64) {
	f := minhash.NewFamily(80, seed)
	sigs = Signatures{M: 80, Rows: make([]byte, 2*count*f.RowSize())}
	for p := range count {
		var elements []uint32
		for i := range 200 - shared {
			elements = append(elements, minhash.Element(uint32(p*200+i), 1))
		}
		f.Sign(sigs.Row(2*p), elements[:100])
		f.Sign(sigs.Row(2*p+1), elements[100-shared:])
	}
	return sigs, float64(shared) / float64(200-shared)
}

// TestRecall: the share of found pairs is within the 99 % interval of the formula, over five families and indexes of
// 1,000 pairs each, so that no single choice of subsets has much effect.
func TestRecall(t *testing.T) { recallByFormula(t, 26, 46) }

func TestLongRecall(t *testing.T) { recallByFormula(t, 10, 18, 33, 40, 57, 80) }

// recallByFormula is TestRecall for pairs of bags of 100 elements with the given numbers of elements in common.
func recallByFormula(t *testing.T, elements ...int) {
	t.Helper()
	const rounds, count = 5, 1000
	for _, keys := range []struct {
		k, l  int
		floor float64
	}{{3, 125, 0}, {3, 125, 0.2}, {2, 160, 0}, {2, 160, 0.075}} {
		for _, shared := range elements {
			found, similarity := 0, 0.0
			for round := range uint64(rounds) {
				var sigs Signatures
				sigs, similarity = pairsAt(shared, count, round)
				x := mustIndex(t, 80, keys.k, keys.l, round)
				pairs, _ := pairsOf(t, x, sigs, Config{Floor: keys.floor})
				for _, p := range pairs {
					if p.A/2 == p.B/2 {
						found++
					}
				}
			}
			p := Found(80, keys.k, keys.l, keys.floor, similarity)
			want, wide := p*rounds*count, 2.576*math.Sqrt(max(0, p*(1-p)*rounds*count))+0.5
			t.Logf("%+v similarity %.3f: %d of %d, want %.0f ± %.0f", keys, similarity, found, rounds*count, want, wide)
			if math.Abs(float64(found)-want) > wide {
				t.Errorf("%+v similarity %.3f: found %d of %d, want %.0f ± %.0f", keys, similarity, found, rounds*count, want, wide)
			}
		}
	}
}

// TestFoundOfDifferentSubsets compares the formula with an enumeration of all choices of subsets and all outcomes of
// the signatures.
func TestFoundOfDifferentSubsets(t *testing.T) {
	const m, k, l, s = 5, 2, 3, 0.4
	var subsets []uint
	for set := range uint(1 << m) {
		if bits.OnesCount(set) == k {
			subsets = append(subsets, set)
		}
	}
	for _, floor := range []float64{0, 0.6, 1} {
		want, choices := 0.0, 0.0
		for chosen := range uint(1 << len(subsets)) {
			if bits.OnesCount(chosen) != l {
				continue
			}
			choices++
			for equal := range uint(1 << m) {
				if n := bits.OnesCount(equal); n >= Least(floor, m) && anyWithin(subsets, chosen, equal) {
					want += math.Pow(s, float64(n)) * math.Pow(1-s, float64(m-n))
				}
			}
		}
		if got := mustIndex(t, m, k, l, 1).Found(floor, s); math.Abs(got-want/choices) > 1e-12 {
			t.Errorf("floor %v: %v, all choices say %v", floor, got, want/choices)
		}
	}
}

// anyWithin reports whether a chosen subset lies within a set.
func anyWithin(subsets []uint, chosen, set uint) bool {
	for i, s := range subsets {
		if chosen>>i&1 == 1 && s&^set == 0 {
			return true
		}
	}
	return false
}

// Different subsets find more than repeated ones; at l=160 of 3,160 the difference is visible.
func TestFoundBounds(t *testing.T) {
	x, most := mustIndex(t, 80, 2, 160, 1), 0.0
	for s := 0.0; s <= 1; s += 1.0 / 64 {
		exact, repeated := x.Found(0.075, s), Found(80, 2, 160, 0.075, s)
		if exact < repeated-1e-12 || exact > 1 {
			t.Errorf("similarity %v: %v, with repetition %v", s, exact, repeated)
		}
		most = max(most, exact-repeated)
	}
	if most < 0.005 || most > 0.006 {
		t.Errorf("at most %v more than with repetition, about .006 were worked out", most)
	}
	if got := x.Found(0.075, 1); math.Abs(got-1) > 1e-12 {
		t.Errorf("equal documents: %v", got)
	}
}

package bags

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// randomBag returns a bag of n of the terms below terms, each with a count up to most.
func randomBag(r *rand.Rand, n, terms, most int) Bag {
	in := map[uint32]bool{}
	for len(in) < n {
		in[uint32(r.IntN(terms))] = true
	}
	var b Bag
	for t := range in {
		b.Terms = append(b.Terms, t)
	}
	slices.Sort(b.Terms)
	for range b.Terms {
		b.Counts = append(b.Counts, uint16(1+r.IntN(most)))
	}
	return b
}

// sameScores compares a scorer with Similarity on some bags.
func sameScores(t *testing.T, s *Scorer, bag Bag, others ...Bag) {
	t.Helper()
	s.Reset(bag)
	for i, other := range append(others, bag, Bag{}) {
		if got, want := s.Similarity(other), Similarity(bag, other); got != want {
			t.Fatalf("%d terms with bag %d of %d terms: %v, want %v", bag.Len(), i, other.Len(), got, want)
		}
		if got, want := s.LogCosine(other), LogCosine(bag, other); got != want {
			t.Fatalf("%d terms with bag %d of %d terms: cosine %v, want %v", bag.Len(), i, other.Len(), got, want)
		}
	}
}

// TestScorer reuses one scorer for bags of all sizes in random order, including bags without a table.
func TestScorer(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Scorer
	if got := s.Similarity(randomBag(r, 5, 10, 3)); got != 0 {
		t.Errorf("the zero value: %v", got)
	}
	sizes := []int{0, 1, 2, 30, 60, 100, 300, tableTerms - 1, tableTerms, tableTerms + 1, 5000}
	positive := 0
	for range 300 {
		size := sizes[r.IntN(len(sizes))]
		terms := max(10, size+1) << r.IntN(8)
		bag := randomBag(r, size, terms, 1+r.IntN(math.MaxUint16))
		var others []Bag
		for range 10 {
			n := r.IntN(min(terms, 2*size+10))
			others = append(others, randomBag(r, n, terms, 1+r.IntN(math.MaxUint16)))
		}
		sameScores(t, &s, bag, others...)
		for _, o := range others {
			if Similarity(bag, o) > 0 {
				positive++
			}
		}
	}
	if positive < 1000 {
		t.Errorf("only %d pairs have anything in common", positive)
	}
}

// TestScorerExtremes has terms and counts at the bounds of their types, and terms at equal distances, whose hashes are
// not random.
func TestScorerExtremes(t *testing.T) {
	var s Scorer
	edge := Bag{Terms: []uint32{0, 1, math.MaxInt32, math.MaxUint32 - 1, math.MaxUint32}, Counts: []uint16{math.MaxUint16, 1, math.MaxUint16, 2, math.MaxUint16}}
	sameScores(t, &s, edge, Bag{Terms: []uint32{0}, Counts: []uint16{3}}, Bag{Terms: []uint32{math.MaxUint32}, Counts: []uint16{math.MaxUint16}})
	for shift := range 20 {
		var steps Bag
		for i := range uint32(700) {
			steps.Terms, steps.Counts = append(steps.Terms, i<<shift), append(steps.Counts, 1)
		}
		sameScores(t, &s, steps, edge, Bag{Terms: steps.Terms[100:], Counts: steps.Counts[100:]})
	}
	var large Bag // the sum of its counts exceeds 32 bits
	for i := range uint32(70000) {
		large.Terms, large.Counts = append(large.Terms, i), append(large.Counts, math.MaxUint16)
	}
	sameScores(t, &s, edge, large)
	sameScores(t, &s, large, edge)
	if n := len(s.table); n > 1<<tableBits {
		t.Errorf("a table of %d places", n)
	}
}

// TestScorerOfDamagedBags passes invalid bags: for damaged tables, a scorer returns what Similarity returns, and it
// works afterwards.
func TestScorerOfDamagedBags(t *testing.T) {
	var s Scorer
	good := Bag{Terms: []uint32{3, 4, 7, 8}, Counts: []uint16{1, 2, 3, 4}}
	for _, terms := range [][]uint32{{3, 3, 7, 8}, {3, 7, 8, 8}, {3, 3, 3, 3}, {8, 7, 4, 3}, {3, 8, 4, 7}, {math.MaxUint32, 0, 3, 4}} {
		sameScores(t, &s, Bag{Terms: terms, Counts: good.Counts}, good)
		sameScores(t, &s, good, Bag{Terms: []uint32{3, 4, 9}, Counts: []uint16{2, 2, 2}})
	}
}

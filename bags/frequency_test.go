package bags

import (
	"errors"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
)

// Counts in batches of any size add up to document frequencies, and terms that are too rare or too common among the
// bags with terms of their kind are left out.
func TestFrequencies(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const content = 1 << 63
	corpus := Corpus{Links: 100, Content: 40}
	how := Weighting{MinDF: 2, MaxDF: 0.5}
	df := map[uint64]uint32{0: 10, 1: 1, 2: 2, 7: 50, 9: 51, content: 3, content | 7: 20, content | 8: 21, ^uint64(0): 1}
	var terms []uint64
	for term, n := range df {
		terms = append(terms, slices.Repeat([]uint64{term}, int(n))...)
	}
	r.Shuffle(len(terms), func(i, j int) { terms[i], terms[j] = terms[j], terms[i] })
	want := map[uint64]uint32{0: 10, 2: 2, 7: 50, content: 3, content | 7: 20}
	for _, batch := range []int{1, 10, 1000} {
		type counted struct {
			term uint64
			df   uint32
		}
		var sorted []counted // as an external sort would
		for some := range slices.Chunk(slices.Clone(terms), batch) {
			last := uint64(0)
			for term, n := range Counted(some) {
				if term < last {
					t.Errorf("term %d behind %d", term, last)
				}
				last = term
				sorted = append(sorted, counted{term, n})
			}
		}
		slices.SortFunc(sorted, func(a, b counted) int {
			if a.term < b.term {
				return -1
			}
			return 1
		})
		got := map[uint64]uint32{}
		f := NewFrequencies(how, corpus, func(term uint64, df uint32) error { got[term] += df; return nil })
		for _, c := range sorted {
			if err := f.Add(c.term, 0, c.df); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(got, want) || f.Kept != 5 || f.Rare != 2 || f.Common != 2 {
			t.Errorf("batches of %d: kept %v, %d kept, %d rare, %d common; want %v", batch, got, f.Kept, f.Rare, f.Common, want)
		}
	}
}

func TestCountedStops(t *testing.T) {
	for term, n := range Counted([]uint64{3, 1, 3, 1}) {
		if term != 1 || n != 2 {
			t.Errorf("%d times %d", n, term)
		}
		break
	}
}

func TestFrequenciesError(t *testing.T) {
	broken := errors.New("broken")
	f := NewFrequencies(Weighting{MaxDF: 1}, Corpus{Links: 10}, func(uint64, uint32) error { return broken })
	if err := errors.Join(f.Add(1, 0, 5), f.Add(2, 0, 5)); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

package bags

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func TestDictionary(t *testing.T) {
	d := dictionary(t, Weighting{Scheme: "idf"}, 100, 1, 10)
	if id, factor, ok := d.Lookup(20); id != 1 || math.Abs(factor-math.Log(10)) > 1e-12 || !ok {
		t.Errorf("number %d, factor %v, %v", id, factor, ok)
	}
	for _, absent := range []Term{0, 9, 11, 21, math.MaxUint64} {
		if _, _, ok := d.Lookup(absent); ok {
			t.Errorf("term %d is found", absent)
		}
	}
	for _, c := range []struct {
		hash []uint64
		df   []uint32
	}{{[]uint64{1}, nil}, {[]uint64{2, 1}, []uint32{1, 1}}, {[]uint64{1, 1}, []uint32{1, 1}}} {
		if _, err := NewDictionary(plain, Corpus{1, 1}, c.hash, c.df); err == nil {
			t.Errorf("%v with %v is accepted as a dictionary", c.hash, c.df)
		}
	}
}

// The weight of a term depends on the bags with terms of its kind, and on the frequencies of these terms.
func TestDictionaryOfKinds(t *testing.T) {
	how := Weighting{Scheme: IDF}
	d := twoFields(t, how, Corpus{Links: 100, Content: 1000}, 1, 10, 10, 100)
	for _, c := range []struct {
		term   Term
		id     uint32
		factor float64
	}{{10, 0, math.Log(100)}, {20, 1, math.Log(10)}, {Term(10).OfContent(), 2, math.Log(100)}, {Term(20).OfContent(), 3, math.Log(10)}} {
		if id, factor, ok := d.Lookup(c.term); id != c.id || math.Abs(factor-c.factor) > 1e-12 || !ok {
			t.Errorf("term %x: number %d, factor %v, %v; want %d, %v", c.term, id, factor, ok, c.id, c.factor)
		}
	}
	how.Scheme = NMDF
	both, links := twoFields(t, how, Corpus{100, 100}, 1, 10, 20, 90), dictionary(t, how, 100, 1, 10)
	if _, got, _ := both.Lookup(10); got != links.factor[0] {
		t.Errorf("factor %v, without content %v", got, links.factor[0])
	}
}

// TestLookupLaw: Lookup finds what binary search finds, whether or not the hashes are spread evenly.
func TestLookupLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(1, 64).Draw(t, "bits")
		high := rapid.SampledFrom([]int{0, 64 - bits}).Draw(t, "shift") // all low, or all high
		draw := rapid.Custom(func(t *rapid.T) uint64 { return rapid.Uint64().Draw(t, "x") >> (64 - bits) << high })
		hash := rapid.SliceOf(draw).Draw(t, "hashes")
		slices.Sort(hash)
		hash = slices.Compact(hash)
		d, err := NewDictionary(plain, Corpus{1, 1}, hash, make([]uint32, len(hash)))
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range append(rapid.SliceOf(draw).Draw(t, "others"), hash...) {
			want, found := slices.BinarySearch(hash, x)
			if id, factor, ok := d.Lookup(Term(x)); ok != found || ok && (int(id) != want || factor != 1) {
				t.Fatalf("%x: number %d, factor %v, %v; want %d, %v", x, id, factor, ok, want, found)
			}
		}
	})
}

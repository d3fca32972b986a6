package bags

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var plain = Weighting{Scheme: "none", TF: "raw", Sum: 100, MinDF: 1, MaxDF: 1}

// dictionary numbers the terms 10, 20, 30 … from 0, with the given document frequencies.
func dictionary(t testing.TB, how Weighting, n uint64, df ...uint32) *Dictionary {
	t.Helper()
	var hash []uint64
	for i := range df {
		hash = append(hash, uint64(10*(i+1)))
	}
	d, err := NewDictionary(how, Corpus{Links: n}, hash, df)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// raw returns a raw bag of the terms of dictionary with the given numbers of occurrences.
func raw(occurrences ...float64) []Weighted {
	var out []Weighted
	for i, f := range occurrences {
		out = append(out, Weighted{Term: Term(10 * (i + 1)), Weight: uint64(f * Unit)})
	}
	return out
}

func TestWeigh(t *testing.T) {
	with := func(f func(*Weighting)) Weighting { w := plain; f(&w); return w }
	idf := with(func(w *Weighting) { w.Scheme = "idf" })
	nmdf := with(func(w *Weighting) { w.Scheme = "nmdf" })
	logTF := with(func(w *Weighting) { w.TF = "log" })
	seven := with(func(w *Weighting) { w.Sum = 7 })
	for _, c := range []struct {
		name string
		how  Weighting
		n    uint64
		df   []uint32
		raw  []Weighted
		want Bag
	}{
		{"nothing", plain, 10, []uint32{1}, nil, Bag{}},
		{"nothing that is known", plain, 10, []uint32{1}, []Weighted{{Term: 15, Weight: 9}, {Term: 9999, Weight: 9}}, Bag{}},
		{"without weight", plain, 10, []uint32{1, 1}, raw(0, 0), Bag{}},
		{"one term has all", plain, 10, []uint32{1}, raw(0.01), Bag{[]uint32{0}, []uint16{100}}},
		{"by proportion", plain, 10, []uint32{1, 1}, raw(1, 3), Bag{[]uint32{0, 1}, []uint16{25, 75}}},
		{"largest remainder, ties to the smaller term", plain, 10, []uint32{1, 1, 1}, raw(1, 1, 1), Bag{[]uint32{0, 1, 2}, []uint16{34, 33, 33}}},
		// Parts of 7: 3.5, 2.1, 1.4.
		{"largest remainder", seven, 10, []uint32{1, 1, 1}, raw(5, 3, 2), Bag{[]uint32{0, 1, 2}, []uint16{4, 2, 1}}},
		// Parts of 7: 6.8, 0.1, 0.1: what rounds to nothing is left out.
		{"no count of nothing", seven, 10, []uint32{1, 1, 1}, raw(68, 1, 1), Bag{[]uint32{0}, []uint16{7}}},
		// ln(100/10) : ln(100/1) = 1 : 2.
		{"idf", idf, 100, []uint32{10, 1}, raw(1, 1), Bag{[]uint32{0, 1}, []uint16{33, 67}}},
		// 4·ln(100/10) : ln(100/1) = 4 : 2.
		{"idf and tf", idf, 100, []uint32{10, 1}, raw(4, 1), Bag{[]uint32{0, 1}, []uint16{67, 33}}},
		{"a term in every bag says nothing", idf, 100, []uint32{100, 1}, raw(50, 1), Bag{[]uint32{1}, []uint16{100}}},
		{"nor do two", idf, 100, []uint32{100, 100}, raw(50, 1), Bag{}},
		// ln df = 0, 1, 2 (times ln 10): µ 1, σ √(2/3); factors exp(-3/4), 1, exp(-3/4) = .4724, 1, .4724 of 1.9447.
		{"nmdf", nmdf, 1000, []uint32{1, 10, 100}, raw(1, 1, 1), Bag{[]uint32{0, 1, 2}, []uint16{24, 52, 24}}},
		// The same although several terms have df 1: every df counts once.
		{"nmdf over distinct df", nmdf, 1000, []uint32{1, 10, 100, 1, 1, 1, 1, 1}, raw(1, 1, 1), Bag{[]uint32{0, 1, 2}, []uint16{24, 52, 24}}},
		{"nmdf of one df", nmdf, 1000, []uint32{5, 5}, raw(1, 3), Bag{[]uint32{0, 1}, []uint16{25, 75}}},
		// 1+log2(8) = 4 to 1; half an occurrence stays a half: parts 72.73, 18.18, 9.09.
		{"log tf", logTF, 10, []uint32{1, 1, 1}, raw(8, 1, .5), Bag{[]uint32{0, 1, 2}, []uint16{73, 18, 9}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := NewWeigher(c.how, dictionary(t, c.how, c.n, c.df...)).Weigh(&Raw{Terms: c.raw})
			if len(got.Terms) == 0 {
				got = Bag{}
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestKeep(t *testing.T) {
	w := Weighting{MinDF: 2, MaxDF: 0.10}
	for _, c := range []struct {
		n    uint64
		df   uint32
		want bool
	}{
		{1000, 1, false}, {1000, 2, true}, {1000, 100, true}, {1000, 101, false}, {1000, 1000, false},
		{20, 2, true}, {20, 10, true}, {20, 11, false}, // a tenth would be 2: few bags are never too many
		{5, 5, true}, {0, 1, false},
	} {
		if got := w.Keep(c.n, c.df); got != c.want {
			t.Errorf("df %d of %d: %v", c.df, c.n, got)
		}
	}
}

// TestWeighLaws: every bag has exactly the sum, counts of 1 or more, and sorted terms, and a term with a larger weight
// never has a smaller count.
func TestWeighLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "terms")
		how := Weighting{
			Scheme: rapid.SampledFrom([]Scheme{Unweighted, IDF, NMDF}).Draw(t, "scheme"), TF: rapid.SampledFrom([]TF{RawTF, LogTF}).Draw(t, "tf"),
			Sum: rapid.SampledFrom([]int{1, 2, 7, 100, 1000, MaxSum}).Draw(t, "sum"), MinDF: 1, MaxDF: 1,
		}
		hash, df, in := make([]uint64, n), make([]uint32, n), make([]Weighted, n)
		for i := range n {
			hash[i], df[i] = uint64(i)<<40, rapid.Uint32Range(1, 5000).Draw(t, "df")
			in[i] = Weighted{Term: Term(hash[i]), Weight: 1 << rapid.IntRange(0, 50).Draw(t, "bits") * rapid.Uint64Range(1, 9).Draw(t, "weight")}
		}
		dict, err := NewDictionary(how, Corpus{Links: 10_000}, hash, df)
		if err != nil {
			t.Fatal(err)
		}
		w := NewWeigher(how, dict)
		b := w.Weigh(&Raw{Terms: in})
		if b.Sum() != how.Sum || !slices.IsSorted(b.Terms) || slices.Contains(b.Counts, 0) || len(b.Terms) != len(b.Counts) {
			t.Fatalf("%+v: sum %d", b, b.Sum())
		}
		count := make([]uint16, n)
		for i, x := range b.Terms {
			count[x] = b.Counts[i]
		}
		factor := how.Factors(10_000, df)
		weight := func(i int) float64 { return w.how.TF.of(in[i].Weight) * factor(df[i]) }
		for i := range n - 1 {
			if x, y := weight(i), weight(i+1); x > y*(1+1e-9) && count[i] < count[i+1] || y > x*(1+1e-9) && count[i+1] < count[i] {
				t.Fatalf("weights %g and %g count %d and %d", x, y, count[i], count[i+1])
			}
		}
	})
}

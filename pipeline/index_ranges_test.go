package pipeline

import (
	"math/bits"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/tables"
)

// shinglesOf writes a table of shingles.
func shinglesOf(t testing.TB, pages [][]uint64) *tables.Shingles {
	t.Helper()
	path := filepath.Join(t.TempDir(), tables.ShinglesFile)
	w, err := tables.CreateShingles(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, values := range pages {
		w.Add(tables.ShinglePage{Document: uint32(i), Values: values})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := tables.OpenShingles(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// randomPages draws pages of values of some bits, and gives every page the common ones.
func randomPages(pages, most, width int, common ...uint64) [][]uint64 {
	random := rand.New(rand.NewPCG(1, uint64(width)))
	out := make([][]uint64, pages)
	for i := range out {
		out[i] = slices.Clone(common)
		for range random.IntN(most + 1) {
			out[i] = append(out[i], random.Uint64()>>(64-width))
		}
		slices.Sort(out[i])
		out[i] = slices.Compact(out[i])
	}
	return out
}

// Postings come in order, with any width of values, with much memory or little, also if many are in one range or in
// every page.
func TestRangeSorter(t *testing.T) {
	for name, c := range map[string]struct {
		pages   [][]uint64
		bits    int
		modulus uint64
		memory  int64
	}{
		"random":         {randomPages(300, 200, 40), 40, 1, 1 << 26},
		"little memory":  {randomPages(300, 200, 40), 40, 1, 1},
		"55 bits":        {randomPages(300, 200, 55, 0, 1<<55-1), 55, 1, 1},
		"16 bits":        {randomPages(300, 5000, 16), 16, 1, 1},
		"sampled":        {randomPages(300, 5000, 40), 40, 7, 1},
		"in every page":  {randomPages(5000, 3, 40, 5, 1<<39), 40, 1, 1},
		"near the start": {randomPages(200, 60, 9), 40, 1, 1},
		"nothing":        {nil, 40, 1, 1},
		"no values":      {make([][]uint64, 3), 40, 1, 1},
	} {
		table := shinglesOf(t, c.pages)
		var want, got []uint64
		for page, values := range c.pages {
			whole := tables.IndexedWhole(len(values), c.modulus)
			for _, v := range values {
				if whole || v%c.modulus == 0 {
					want = append(want, v<<bits.Len(uint(len(c.pages)))|uint64(page))
				}
			}
		}
		slices.Sort(want)
		for _, workers := range []int{1, 3} {
			got = got[:0]
			r, ok := newRangeSorter(table, indexSampling{modulus: c.modulus, postings: int64(len(want))}, c.bits, workers, c.memory)
			if err := r.sort(t.Context(), workers, func(list []uint64) { got = append(got, list...) }); err != nil {
				t.Fatal(err)
			}
			if !ok || !slices.Equal(got, want) {
				t.Errorf("%s: %d postings, want %d, or another order", name, len(got), len(want))
			}
		}
	}
}

// A value of 64 bits and a page do not fit into a number.
func TestRangeSorterFits(t *testing.T) {
	table := shinglesOf(t, randomPages(256, 3, 40))
	for width, want := range map[int]bool{40: true, 55: true, 56: false, 64: false} {
		if _, ok := newRangeSorter(table, indexSampling{modulus: 1}, width, 1, 1); ok != want {
			t.Errorf("%d bits: %v", width, ok)
		}
	}
}

// BenchmarkRangeSorter sorts the postings of 30,000 pages of up to 600 shingles.
func BenchmarkRangeSorter(b *testing.B) {
	pages := randomPages(30_000, 600, 40)
	n := 0
	for _, p := range pages {
		n += len(p)
	}
	table := shinglesOf(b, pages)
	for b.Loop() {
		r, _ := newRangeSorter(table, indexSampling{modulus: 1, postings: int64(n)}, 40, 1, 1<<28)
		if err := r.sort(b.Context(), 1, func([]uint64) {}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds(), "postings/s")
}

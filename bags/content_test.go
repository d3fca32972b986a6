package bags

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

var mixing = Weighting{Scheme: Unweighted, TF: RawTF, Sum: 100, MaxDF: 1, Content: 2, ContentTerms: 2}

// The more pages link to a document, the smaller is the part of its content in its bag, down to none.
func TestContentFalls(t *testing.T) {
	w := NewWeigher(mixing, dictionary(t, mixing, 10, 1, 1, 1, 1))
	last := uint16(math.MaxUint16)
	for _, c := range []struct {
		pages float64
		want  uint16 // of term 1
	}{{0, 67}, {1, 33}, {1.5, 24}, {2, 18}, {5, 5}, {10, 2}, {18, 1}, {19, 0}, {1e6, 0}} {
		raw := &Raw{Terms: terms(0, 1), Content: terms(1, 1), Pages: uint64(c.pages * Unit)}
		b := w.Weigh(raw)
		got := uint16(0)
		if i, ok := slices.BinarySearch(b.Terms, 1); ok {
			got = b.Counts[i]
		}
		if got != c.want || got > last || b.Sum() != 100 {
			t.Errorf("%g pages: %d of %d, want %d", c.pages, got, b.Sum(), c.want)
		}
		last = got
	}
}

// terms returns raw terms from number, weight, number, weight, …
func terms(of ...uint64) (all []Weighted) {
	for i := 0; i < len(of); i += 2 {
		all = append(all, Weighted{Term(10 * (of[i] + 1)), of[i+1] * Unit})
	}
	return all
}

func TestContent(t *testing.T) {
	off := mixing
	off.Content = 0
	for _, c := range []struct {
		name    string
		how     Weighting
		raw     Raw
		want    Bag
		origins Origins
	}{
		{"nothing", mixing, Raw{}, Bag{}, Origins{}},
		{"links alone", mixing, Raw{Terms: terms(0, 1, 1, 3)}, Bag{[]uint32{0, 1}, []uint16{25, 75}}, Origins{}},
		{"off", off, Raw{Terms: terms(0, 1), Content: terms(1, 1)}, Bag{[]uint32{0}, []uint16{100}}, Origins{}},
		{"a title", off, Raw{Terms: terms(0, 3, 1, 1), Title: terms(0, 2)}, Bag{[]uint32{0, 1}, []uint16{75, 25}}, Origins{[]uint32{0}, []uint16{50}, []uint16{0}}},
		{"content alone", mixing, Raw{Content: terms(2, 1)}, Bag{[]uint32{2}, []uint16{100}}, Origins{[]uint32{2}, []uint16{0}, []uint16{100}}},
		{"the best two terms", mixing, Raw{Content: terms(0, 1, 1, 2, 2, 4, 3, 1)}, Bag{[]uint32{1, 2}, []uint16{40, 60}}, Origins{[]uint32{1, 2}, []uint16{0, 0}, []uint16{40, 60}}},
		{"title and content", mixing, Raw{Terms: terms(0, 1), Title: terms(0, 1), Content: terms(0, 1, 1, 1)}, Bag{[]uint32{0, 1}, []uint16{67, 33}}, Origins{[]uint32{0, 1}, []uint16{34, 0}, []uint16{33, 33}}},
		{"content without terms of the dictionary", mixing, Raw{Terms: terms(0, 1), Title: terms(0, 1), Content: terms(9, 1)}, Bag{[]uint32{0}, []uint16{100}}, Origins{[]uint32{0}, []uint16{100}, []uint16{0}}},
	} {
		w := NewWeigher(c.how, dictionary(t, c.how, 10, 1, 1, 1, 1))
		w.Weigh(&Raw{Terms: terms(0, 1), Title: terms(0, 1), Content: terms(1, 1, 2, 1)}) // leaves its buffers
		got := w.Weigh(&c.raw)
		if !slices.Equal(got.Terms, c.want.Terms) || !slices.Equal(got.Counts, c.want.Counts) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		s := w.Origins()
		if !slices.Equal(s.Terms, c.origins.Terms) || !slices.Equal(s.Title, c.origins.Title) || !slices.Equal(s.Content, c.origins.Content) {
			t.Errorf("%s: sources %v, want %v", c.name, s, c.origins)
		}
	}
}

// Parts are whole, within one of the exact ones, and at most the count.
func TestParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Uint32Range(0, math.MaxUint16).Draw(t, "n")
		content := rapid.Float64Range(0, 1).Draw(t, "content")
		p := parts{title: (1 - content) * rapid.Float64Range(0, 1).Draw(t, "title"), content: content}
		title, own := p.of(n)
		if title+own > n || math.Abs(float64(title)-p.title*float64(n)) > 1+1e-9 || math.Abs(float64(own)-p.content*float64(n)) > 1+1e-9 {
			t.Fatalf("%+v of %d: %d and %d", p, n, title, own)
		}
	})
}

func TestRawRoundTrip(t *testing.T) {
	var got Raw
	for _, want := range []Raw{
		{}, {Terms: terms(1, 2)}, {Terms: terms(1, 2, 3, 4), Title: terms(1, 1), Content: terms(2, 5, 3, 1), Pages: 1 << 40},
		{Content: terms(7, 1)}, {Terms: terms(0, 1)},
	} {
		want.Pages *= uint64(min(1, len(want.Title)+len(want.Content))) // those of other documents decide nothing
		if err := got.Decode(want.Append(nil)); err != nil || cmp.Diff(want, got, cmpopts.EquateEmpty()) != "" {
			t.Errorf("%v: %+v, want %+v", err, got, want)
		}
	}
	whole := (&Raw{Terms: terms(1, 2), Title: terms(1, 1), Content: terms(2, 5), Pages: 300}).Append(nil)
	for n := range len(whole) {
		if err := got.Decode(whole[:n]); err == nil && n != len(AppendTerms(nil, terms(1, 2))) {
			t.Errorf("%d of %d bytes: no error", n, len(whole))
		}
	}
}

func TestRawAll(t *testing.T) {
	var got []Term
	raw := Raw{Terms: terms(1, 2, 3, 4), Content: terms(0, 1, 2, 5, 3, 1, 9, 1)}
	if err := raw.All(func(t Term) error { got = append(got, t); return nil }); err != nil || !slices.Equal(got, []Term{10, 20, 30, 40, 100}) {
		t.Error(got, err)
	}
}

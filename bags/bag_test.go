package bags

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// drawBag draws bags over few terms, so that they have some in common.
func drawBag(t *rapid.T, name string) Bag {
	m := rapid.MapOfN(rapid.Uint32Range(0, 12), rapid.Uint16Range(1, 6), 0, 10).Draw(t, name)
	var b Bag
	for term := range uint32(13) {
		if n, ok := m[term]; ok {
			b.Terms, b.Counts = append(b.Terms, term), append(b.Counts, n)
		}
	}
	return b
}

func TestSimilarity(t *testing.T) {
	for _, c := range []struct {
		a, b            Bag
		smaller, larger int
	}{
		{Bag{}, Bag{}, 0, 0},
		{Bag{}, Bag{[]uint32{3}, []uint16{2}}, 0, 2},
		{Bag{[]uint32{1, 2}, []uint16{1, 1}}, Bag{[]uint32{3, 4}, []uint16{1, 1}}, 0, 4},
		{Bag{[]uint32{1, 2}, []uint16{3, 1}}, Bag{[]uint32{1, 5}, []uint16{2, 2}}, 2, 6},
		{Bag{[]uint32{1, 2, 9}, []uint16{3, 1, 1}}, Bag{[]uint32{1, 2, 9}, []uint16{3, 1, 1}}, 5, 5},
		{Bag{[]uint32{7}, []uint16{math.MaxUint16}}, Bag{[]uint32{7}, []uint16{1}}, 1, math.MaxUint16},
	} {
		smaller, larger := Overlap(c.a, c.b)
		if smaller != c.smaller || larger != c.larger {
			t.Errorf("%v, %v: %d over %d, want %d over %d", c.a, c.b, smaller, larger, c.smaller, c.larger)
		}
		want := 0.0
		if c.larger > 0 {
			want = float64(c.smaller) / float64(c.larger)
		}
		if got := Similarity(c.a, c.b); got != want {
			t.Errorf("%v, %v: %v, want %v", c.a, c.b, got, want)
		}
	}
}

// TestSimilarityLaws compares the similarity with the Jaccard coefficient of the flattened bags.
func TestSimilarityLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBag(t, "a"), drawBag(t, "b")
		got := Similarity(a, b)
		if back := Similarity(b, a); back != got {
			t.Fatalf("%v one way, %v the other", got, back)
		}
		if self := Similarity(a, a); self != 1 && a.Len() > 0 {
			t.Fatalf("%v with itself", self)
		}
		if want := jaccard(flat(a), flat(b)); got != want {
			t.Fatalf("%v, the flattened sets say %v", got, want)
		}
		if c := drawBag(t, "c"); a.Len()+b.Len() > 0 && c.Len() > 0 {
			if 1-Similarity(a, b) > 1-Similarity(a, c)+1-Similarity(c, b)+1e-12 {
				t.Fatal("1 - similarity breaks the triangle inequality")
			}
		}
	})
}

// flat returns the flattened bag. Each element is a number made of the term and the occurrence.
func flat(b Bag) []uint32 {
	return b.Elements([]uint32{}, func(term, occurrence uint32) uint32 { return term<<16 | occurrence })
}

func jaccard(a, b []uint32) float64 {
	both := 0
	for _, x := range a {
		if slices.Contains(b, x) {
			both++
		}
	}
	if len(a)+len(b) == 0 {
		return 0
	}
	return float64(both) / float64(len(a)+len(b)-both)
}

func TestElements(t *testing.T) {
	b := Bag{[]uint32{4, 9}, []uint16{2, 1}}
	got := b.Elements([]uint32{5}, func(term, occurrence uint32) uint32 { return 10*term + occurrence })
	if want := []uint32{5, 41, 42, 91}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if b.Sum() != 3 || b.Len() != 2 {
		t.Errorf("sum %d, length %d", b.Sum(), b.Len())
	}
}

package bags

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// terms returns terms of links from number, weight, number, weight, …
func terms(of ...uint64) (all []Weighted) {
	for i := 0; i < len(of); i += 2 {
		all = append(all, Weighted{Term(10 * (of[i] + 1)), of[i+1] * Unit})
	}
	return all
}

// own returns the same as terms of content.
func own(of ...uint64) []Weighted {
	all := terms(of...)
	for i := range all {
		all[i].Term = all[i].Term.OfContent()
	}
	return all
}

// twoFields returns a dictionary of the first n terms, of links as numbers 0 to n-1, and of content as n to 2n-1.
func twoFields(t testing.TB, how Weighting, corpus Corpus, df ...uint32) *Dictionary {
	t.Helper()
	var hash []uint64
	for i := range df {
		hash = append(hash, uint64(10*(i%(len(df)/2)+1)))
		if i >= len(df)/2 {
			hash[i] |= uint64(ofContent)
		}
	}
	d, err := NewDictionary(how, corpus, hash, df)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// Each field of a bag has the sum by itself, and the title has a quarter of the content.
func TestContent(t *testing.T) {
	how := Weighting{Scheme: Unweighted, TF: RawTF, Sum: 100, MaxDF: 1, ContentTerms: 2}
	d := twoFields(t, how, Corpus{10, 10}, 1, 1, 1, 1, 1, 1, 1, 1)
	w := NewWeigher(how, d)
	for _, c := range []struct {
		name string
		raw  Raw
		want Bag
	}{
		{"nothing", Raw{}, Bag{}},
		{"links", Raw{Terms: terms(0, 1, 1, 3)}, Bag{[]uint32{0, 1}, []uint16{25, 75}}},
		{"content in place of links", Raw{Terms: own(0, 1, 1, 3)}, Bag{[]uint32{4, 5}, []uint16{25, 75}}},
		{"a title", Raw{Title: own(0, 1, 1, 3)}, Bag{[]uint32{4, 5}, []uint16{25, 75}}},
		{"content", Raw{Content: own(2, 1)}, Bag{[]uint32{6}, []uint16{100}}},
		{"counts of content grow with their logarithm", Raw{Content: own(0, 1, 1, 8)}, Bag{[]uint32{4, 5}, []uint16{20, 80}}},
		{"the best two terms", Raw{Content: own(0, 1, 1, 2, 2, 4, 3, 1)}, Bag{[]uint32{5, 6}, []uint16{40, 60}}},
		{"a title and content", Raw{Title: own(0, 5), Content: own(1, 1, 2, 1)}, Bag{[]uint32{4, 5, 6}, []uint16{25, 38, 37}}},
		{"a title and content of the same words", Raw{Title: own(0, 1), Content: own(0, 1, 1, 1)}, Bag{[]uint32{4, 5}, []uint16{63, 37}}},
		{"a title and content without known words", Raw{Title: own(0, 1), Content: own(9, 1)}, Bag{[]uint32{4}, []uint16{100}}},
		{"content and a title without known words", Raw{Title: own(9, 1), Content: own(0, 1)}, Bag{[]uint32{4}, []uint16{100}}},
		{"all", Raw{Terms: terms(0, 7), Title: own(0, 1), Content: own(1, 1)}, Bag{[]uint32{0, 4, 5}, []uint16{100, 25, 75}}},
	} {
		w.Weigh(&Raw{Terms: terms(0, 1), Title: own(0, 1), Content: own(1, 1, 2, 1)}) // leaves its buffers
		if d := cmp.Diff(c.want, w.Weigh(&c.raw), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// The similarity of two bags is the mean of the similarity of their fields, weighed by the sums of the larger counts.
func TestSimilarityOfParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawBag(t, "a"), drawBag(t, "b")
		content := rapid.Uint32Range(0, 14).Draw(t, "first term of content")
		mean, sum := 0.0, 0
		linksA, contentA := a.Split(content)
		linksB, contentB := b.Split(content)
		for _, p := range [][2]Bag{{linksA, linksB}, {contentA, contentB}} {
			_, larger := Overlap(p[0], p[1])
			mean, sum = mean+float64(larger)*Similarity(p[0], p[1]), sum+larger
		}
		if mean /= max(1, float64(sum)); math.Abs(mean-Similarity(a, b)) > 1e-12 {
			t.Fatalf("%v, the fields say %v", Similarity(a, b), mean)
		}
		if whole := append(slices.Clone(linksA.Terms), contentA.Terms...); !slices.Equal(whole, a.Terms) || linksA.Sum()+contentA.Sum() != a.Sum() {
			t.Fatalf("%v is split into %v and %v", a, linksA, contentA)
		}
		for _, x := range linksA.Terms {
			if x >= content {
				t.Fatalf("term %d among links", x)
			}
		}
		for _, x := range contentA.Terms {
			if x < content {
				t.Fatalf("term %d in the content", x)
			}
		}
	})
}

func TestRawRoundTrip(t *testing.T) {
	var got Raw
	for _, want := range []Raw{
		{}, {Terms: terms(1, 2)}, {Terms: terms(1, 2, 3, 4), Title: own(1, 1), Content: own(2, 5, 3, 1)},
		{Content: own(7, 1)}, {Title: own(7, 1)}, {Terms: terms(0, 1)},
	} {
		if err := got.Decode(want.Append(nil)); err != nil || cmp.Diff(want, got, cmpopts.EquateEmpty()) != "" {
			t.Errorf("%v: %+v, want %+v", err, got, want)
		}
	}
	whole := (&Raw{Terms: terms(1, 2), Title: own(1, 1), Content: own(2, 5)}).Append(nil)
	for n := range len(whole) {
		if err := got.Decode(whole[:n]); err == nil && n != 1+len(AppendTerms(nil, terms(1, 2))) {
			t.Errorf("%d of %d bytes: no error", n, len(whole))
		}
	}
	if err := got.Decode(append(whole, 0)); err == nil {
		t.Error("a byte after the end: no error")
	}
}

// All yields each term once, and the terms of both lists of content in order.
func TestRawAll(t *testing.T) {
	var got []Term
	raw := Raw{Terms: terms(1, 2, 3, 4), Title: own(0, 1, 2, 1), Content: own(1, 5, 2, 5, 9, 1)}
	err := raw.All(func(t Term) error { got = append(got, t); return nil })
	if want := []Term{20, 40, Term(10).OfContent(), Term(20).OfContent(), Term(30).OfContent(), Term(100).OfContent()}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%x, %v; want %x", got, err, want)
	}
}

func TestRawParts(t *testing.T) {
	for _, c := range []struct {
		raw            Raw
		links, content bool
	}{
		{Raw{}, false, false}, {Raw{Terms: terms(1, 1)}, true, false}, {Raw{Terms: own(1, 1)}, false, true},
		{Raw{Title: own(1, 1)}, false, true}, {Raw{Content: own(1, 1)}, false, true}, {Raw{Terms: terms(1, 1), Title: own(1, 1)}, true, true},
	} {
		if links, content := c.raw.Fields(); links != c.links || content != c.content {
			t.Errorf("%+v: links %v, content %v", c.raw, links, content)
		}
	}
}

package bags

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// A term of content weighs by the documents in the language of its document. Without other languages the weight is what
// it was.
func TestByLanguageLaw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type cell struct {
			term     uint64
			language uint8
		}
		df := map[cell]uint32{}
		var n Languages
		for range rapid.IntRange(1, 400).Draw(t, "cells") {
			c := cell{uint64(rapid.IntRange(1, 300).Draw(t, "term")) | uint64(ofContent), uint8(rapid.IntRange(0, 3).Draw(t, "language"))}
			df[c] = uint32(rapid.IntRange(1, 50).Draw(t, "df"))
			n[c.language] = 60
		}
		cells, all := []cell{}, uint64(0)
		for c := range df {
			cells = append(cells, c)
		}
		slices.SortFunc(cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.term, b.term), cmp.Compare(a.language, b.language)) })
		for _, m := range n {
			all += m
		}
		var hash, several []uint64
		var sums []uint32
		f := NewFrequencies(Weighting{MaxDF: 1, MinDF: 2}, Corpus{Content: all}, func(term uint64, df uint32) error {
			hash, sums = append(hash, term), append(sums, df)
			return nil
		})
		f.ByLanguage(func(share uint64) error {
			several = append(several, share)
			return nil
		})
		for _, c := range cells {
			if err := f.Add(c.term, c.language, df[c]); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Flush(); err != nil {
			t.Fatal(err)
		}
		d, err := NewDictionary(Weighting{Scheme: IDF}, Corpus{Content: all}, hash, sums)
		if err != nil {
			t.Fatal(err)
		}
		d.ByLanguage(n, sums, several)
		for _, c := range cells {
			sum := df[cell{c.term, 0}] + df[cell{c.term, 1}] + df[cell{c.term, 2}] + df[cell{c.term, 3}]
			want := math.Log(float64(all) / float64(sum))
			if c.language != 0 {
				want = max(0, -math.Log((float64(df[c])+languagePrior*float64(sum)/float64(all))/(60+languagePrior)))
			}
			if _, factor, ok := d.LookupIn(Term(c.term), c.language); ok != (sum >= 2) || ok && math.Abs(factor-want) > 1e-5 {
				t.Fatalf("%v of %d: %v, want %v", c, sum, factor, want)
			}
		}
	})
}

// A word that all German pages have says nothing of one, however many English pages there are.
func TestWeighByLanguage(t *testing.T) {
	how := Weighting{Scheme: IDF, TF: RawTF, Sum: 100, MinDF: 1, MaxDF: 1, ContentTerms: 60}
	hash := []uint64{uint64(Term(1).OfContent()), uint64(Term(2).OfContent())}
	d, err := NewDictionary(how, Corpus{Content: 10_000}, hash, []uint32{1000, 100})
	if err != nil {
		t.Fatal(err)
	}
	raw := &Raw{Language: 4, Content: []Weighted{{Term(1).OfContent(), Unit}, {Term(2).OfContent(), Unit}}}
	if bag := NewWeigher(how, d).Weigh(raw); bag.Counts[0] < 30 {
		t.Errorf("without languages: %v", bag)
	}
	d.ByLanguage(Languages{1: 9000, 4: 1000}, []uint32{1000, 100}, nil)
	if bag := NewWeigher(how, d).Weigh(raw); bag.Counts[0] > 2 {
		t.Errorf("by language: %v", bag)
	}
}

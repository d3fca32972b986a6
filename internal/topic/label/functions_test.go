package label_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// TestFunctionWords checks that no label has function words of any language, whatever the language of the texts and
// whether they are in texts or in bags only, unless they are words of the language of the texts.
func TestFunctionWords(t *testing.T) {
	words := strings.Fields("and cells die go und zellen")
	a := text.Analysis{Language: text.Auto, Stem: true, Stop: "snowball"}
	voc, err := text.NewVocabulary(a)
	if err != nil {
		t.Fatal(err)
	}
	of := map[uint64]string{}
	crawl := label.Crawl{Bags: bags.Corpus{Links: 1000}, Word: nil}
	for _, w := range words {
		of[uint64(voc.TermIn("", []byte(w)))] = w
	}
	for hash := range of {
		crawl.Hash, crawl.DF = append(crawl.Hash, hash), append(crawl.DF, 5)
	}
	slices.Sort(crawl.Hash)
	crawl.Word = func(term uint32) string { return of[crawl.Hash[term]] }
	bag := bags.Bag{}
	for i := range crawl.Hash {
		bag.Terms, bag.Counts = append(bag.Terms, uint32(i)), append(bag.Counts, 20)
	}
	l, err := label.New(crawl, a)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ language, text, want string }{
		{"", "Zellen und die und", "Zellen, cells"}, {"swahili", "Zellen", "Zellen, cells"}, {"swahili", "die Zellen go", "cells, die Zellen go"},
	} {
		var members []label.Member
		for i := range 3 {
			members = append(members, label.Member{Bag: bag, Texts: []label.Text{{Source: uint64(i), Language: c.language, Name: []byte(c.text)}}})
		}
		got := l.Label(members)
		slices.Sort(got)
		if d := cmp.Diff(c.want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%s in %q: %s", c.text, c.language, d)
		}
	}
}

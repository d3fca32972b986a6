package label_test

import (
	"slices"
	"testing"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// A member that has a word around its links and in its content has it once, and the word has one number.
func TestWordsOfBothParts(t *testing.T) {
	shown := []string{"lute", "viola", "opera"}
	var hash []uint64
	words := map[uint64]string{}
	c := newCrawl(t, "")
	for i, w := range shown {
		term := c.voc.Term([]byte(w))
		words[uint64(term)], words[uint64(term.OfContent())] = w, w
		if hash = append(hash, uint64(term.OfContent())); i > 0 { // the first word is in contents only
			hash = append(hash, uint64(term))
		}
	}
	slices.Sort(hash)
	c.crawl = label.Crawl{Hash: hash, DF: []uint32{2, 2, 2, 2, 2}, Bags: bags.Corpus{Links: 1000, Content: 1000}, Word: func(term uint32) string { return words[hash[term]] }}
	of := func(w string) (terms []uint32) { // the terms of links come first
		for i, h := range hash {
			if words[h] == w {
				terms = append(terms, uint32(i))
			}
		}
		return terms
	}
	l, err := label.New(c.crawl, english)
	if err != nil {
		t.Fatal(err)
	}
	whole := bags.Bag{Terms: []uint32{0, 1, 2, 3, 4, 5}, Counts: []uint16{1, 1, 1, 1, 1, 1}} // the last term is none of the crawl
	_, own := whole.Split(2)
	want := []uint32{of("lute")[0], of("viola")[0], of("opera")[0]}
	slices.Sort(want)
	for _, bag := range []bags.Bag{whole, own} {
		got := slices.Sorted(l.Words(bag))
		if !slices.Equal(got, want) {
			t.Errorf("words of %v: %v, want %v", bag.Terms, got, want)
		}
	}
	// One member has a word in both fields, with large counts; the word that both members have is the label.
	member := func(w string) (m label.Member) {
		for t, h := range hash {
			if n := map[string]uint16{w: 95, "opera": 5}[words[h]]; n > 0 {
				m.Bag.Terms, m.Bag.Counts = append(m.Bag.Terms, uint32(t)), append(m.Bag.Counts, n)
			}
		}
		return m
	}
	if got := l.Label([]label.Member{member("viola"), member("lute")}); !slices.Equal(got, []string{"opera"}) {
		t.Errorf("label %q", got)
	}
	// A word that all contents have says nothing about a cluster, even if it is rare around links.
	for _, t := range of("opera") {
		if bags.Term(hash[t]).IsContent() {
			c.crawl.DF[t] = 1000
		}
	}
	if got := c.label([]label.Member{member("lute"), member("lute")}); !slices.Equal(got, []string{"lute"}) {
		t.Errorf("label %q", got)
	}
}

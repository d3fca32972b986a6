package label_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// The label of a cluster of three documents in a crawl of 1,000 bags. It leaves out the names of the members, and shows
// what all of them have in common in the form in which most pages write it.
func Example() {
	analysis := text.Analysis{Language: "english", Stem: true, Stop: "snowball"}
	v, err := text.NewVocabulary(analysis)
	if err != nil {
		fmt.Println(err)
		return
	}
	words := map[uint64]string{}
	for _, w := range []string{"text", "editor", "vim", "helix", "kakoune"} {
		words[uint64(v.Term([]byte(w)))] = w
	}
	crawl := label.Crawl{Hash: slices.Sorted(maps.Keys(words)), Bags: bags.Corpus{Links: 1000}}
	number := func(w string) uint32 {
		n, _ := slices.BinarySearch(crawl.Hash, uint64(v.Term([]byte(w))))
		return uint32(n)
	}
	crawl.DF = slices.Repeat([]uint32{5}, len(words))
	crawl.Word = func(term uint32) string { return words[crawl.Hash[term]] }

	var members []label.Member
	for i, name := range []string{"Vim", "Helix", "Kakoune"} {
		terms := []uint32{number("text"), number("editor"), number(strings.ToLower(name))}
		slices.Sort(terms)
		members = append(members, label.Member{
			Bag: bags.Bag{Terms: terms, Counts: []uint16{30, 30, 40}},
			Texts: []label.Text{
				{Source: uint64(2 * i), Language: "english", Name: []byte(name), After: []byte(", a text editor")},
				{Source: uint64(2*i + 1), Language: "english", Name: []byte(name + ", the text editor")},
			},
		})
	}
	l, err := label.New(crawl, analysis)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(label.Join(l.Label(members)))
	// Output:
	// text editor
}

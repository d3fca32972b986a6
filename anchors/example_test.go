package anchors_test

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
)

// A page with two links, and what it contributes to the bags of their targets: the words of the anchor and one word on
// each side.
func Example() {
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stem: true, Stop: "snowball"})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &text.Parser{Vocabulary: v}
	doc := p.HTML([]byte(`<p>A sweet <a href="/apple">crisp apple</a> for autumn. Try a <a href="/pear">pear</a>.`))
	word := map[bags.Term]string{}
	for _, w := range doc.Words {
		word[w.Term] = string(doc.Text[w.From:w.To])
	}
	e := anchors.NewExtractor(anchors.Window{Width: 1, Damping: anchors.NoDamping, Border: 1})
	targets := []string{"https://maker.example/apple", "https://maker.example/pear"} // of doc.Links
	err = e.Links(doc, targets, func(f *anchors.Fragment) error {
		fmt.Printf("%s: %s [%s] %s; the bag gets", f.Target, f.Before, f.Anchor, f.After)
		var words []string
		for _, t := range f.Terms {
			words = append(words, word[t.Term])
		}
		slices.Sort(words) // terms are in the order of their hashes
		fmt.Printf(" %q\n", words)
		return nil
	})
	fmt.Println(err)
	// Output:
	// https://maker.example/apple: A sweet [crisp apple] for autumn. Try a pear.; the bag gets ["apple" "crisp" "sweet"]
	// https://maker.example/pear: A sweet crisp apple for autumn. Try a [pear] .; the bag gets ["pear"]
	// <nil>
}

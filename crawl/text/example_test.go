package text_test

import (
	"fmt"

	"github.com/lshclust/lshclust/crawl/text"
)

func Example() {
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stem: true, Stop: "snowball"})
	if err != nil {
		fmt.Println(err)
		return
	}
	p := &text.Parser{Vocabulary: v}
	doc := p.HTML([]byte(`<title>Fruit</title><p>We grow <a href="/apple">crisp apples</a>.<p>An apple a day.`))
	fmt.Printf("%s: %q\n", doc.Title, doc.Text)
	for _, l := range doc.Links {
		words := doc.Words[l.From:l.To]
		fmt.Printf("%s: %s\n", l.Href, doc.Text[words[0].From:words[len(words)-1].To])
	}
	fmt.Println(v.Term([]byte("apples")) == v.Term([]byte("apple")))
	// Output:
	// Fruit: "We grow crisp apples.\nAn apple a day."
	// /apple: crisp apples
	// true
}

package capture

import (
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
)

func TestParse(t *testing.T) {
	for _, test := range []struct {
		name                 string
		page                 crawl.Page
		content, title, text string
	}{
		{"HTML", crawl.Page{HTML: []byte("<title>T</title><p>one <b>two"), Title: "ignored"}, "<title>T</title><p>one <b>two", "T", "one two"},
		{"empty HTML before text", crawl.Page{HTML: []byte{}, Text: []byte("ignored")}, "", "", ""},
		{"text", crawl.Page{Text: []byte("one two"), Title: "T"}, "one two", "T", "one two\n"},
		{"features", crawl.Page{Features: []string{"one", "two"}, Title: "ignored"}, "one\x00two", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			v, err := text.NewVocabulary(text.Analysis{Language: "english", Stop: "none"})
			if err != nil {
				t.Fatal(err)
			}
			if got := string(Content(&test.page)); got != test.content {
				t.Errorf("content %q, want %q", got, test.content)
			}
			doc := Parse(&text.Parser{Vocabulary: v}, &test.page)
			if string(doc.Title) != test.title || string(doc.Text) != test.text {
				t.Errorf("title %q and text %q, want %q and %q", doc.Title, doc.Text, test.title, test.text)
			}
		})
	}
}

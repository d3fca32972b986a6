package pipeline

import (
	"testing"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/config"
)

// A reader for the syntactic view alone has no vocabulary, hence no stemmer, and its records have neither terms nor
// content.
func TestReaderOfView(t *testing.T) {
	for _, view := range []string{config.Topical, config.Syntactic} {
		topical := view == config.Topical
		c, err := config.Preset("web")
		if err != nil {
			t.Fatal(err)
		}
		c.Views = []string{view}
		r, err := newCaptureReader(&build{config: c})
		if err != nil {
			t.Fatal(err)
		}
		if has := r.Vocabulary() != nil; has != topical {
			t.Errorf("%s: a vocabulary: %t", view, has)
		}
		records, terms, content := 0, 0, 0
		r.Emit = func(rec *anchors.Record) error {
			records, terms, content = records+1, terms+len(rec.Terms), content+len(rec.Content)
			return nil
		}
		for _, p := range []crawl.Page{
			{URL: "https://a.example/", HTML: []byte("<title>Pruning</title><p>Apple trees in winter <a href=/b>and pears</a>")},
			{URL: "https://a.example/t", Text: []byte("Pruning of apple trees in winter"), Title: "Apple trees"},
		} {
			p.Canonical = p.URL
			body, doc := r.Parse(&p)
			r.Describe(&p, body, doc, 1)
			if _, err := r.Fragments(&p, doc); err != nil {
				t.Fatal(err)
			}
			if n := len(doc.Words) + doc.Counted; n < 5 {
				t.Errorf("%s: %d words", view, n)
			}
		}
		if records != 3 || (terms > 0) != topical || (content > 0) != topical {
			t.Errorf("%s: %d records with %d terms, of the content %d", view, records, terms, content)
		}
	}
}

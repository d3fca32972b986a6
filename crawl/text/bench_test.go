package text_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// benchPages are real pages, and their size in bytes.
func benchPages(b *testing.B) (pages [][]byte, size int) {
	b.Helper()
	src, err := crawl.Open(filepath.Join(shareddata.Dir(b, "directory"), "pages.jsonl.gz"), crawl.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			b.Fatal(err)
		}
		page, err := rec.Page()
		if err != nil {
			b.Fatal(err)
		}
		pages, size = append(pages, page.HTML), size+len(page.HTML)
		if len(pages) == 3000 {
			break
		}
	}
	return pages, size
}

func englishTerms(t testing.TB, stop string) *text.Vocabulary {
	t.Helper()
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stem: true, Stop: stop})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// BenchmarkHTML is the row "HTML to words, terms and links" of docs/performance.md: real pages, one core.
func BenchmarkHTML(b *testing.B) {
	pages, size := benchPages(b)
	p := text.Parser{Vocabulary: englishTerms(b, "snowball")}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, html := range pages {
			p.HTML(html)
		}
	}
}

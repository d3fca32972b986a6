package text_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/text"
)

// BenchmarkHTML is the row "HTML to words and links" of docs/performance.md: real pages, one core.
func BenchmarkHTML(b *testing.B) {
	src, err := crawl.Open(filepath.Join(shareddata.Dir(b, "directory"), "pages.jsonl.gz"), crawl.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	var pages [][]byte
	size := 0
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			b.Fatal(err)
		}
		page, err := rec.Page()
		if err != nil {
			b.Fatal(err)
		}
		if pages = append(pages, page.HTML); len(pages) == 3000 {
			break
		}
		size += len(page.HTML)
	}
	v, err := text.NewVocabulary(text.Analysis{Language: "english", Stem: true, Stop: "snowball"})
	if err != nil {
		b.Fatal(err)
	}
	p := text.Parser{Vocabulary: v}
	b.SetBytes(int64(size))
	for b.Loop() {
		for _, html := range pages {
			p.HTML(html)
		}
	}
}

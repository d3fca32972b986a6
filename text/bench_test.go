package text_test

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/text"
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

// BenchmarkHTML is the row "HTML to words, terms and links" of docs/performance.md: real pages, one core.
func BenchmarkHTML(b *testing.B) {
	pages, size := benchPages(b)
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

// BenchmarkPlain reads plain text in pieces of 2.6 KB, as a run without the topical view does.
func BenchmarkPlain(b *testing.B) {
	src, err := crawl.Open(filepath.Join(shareddata.Dir(b, "neardup-rfc"), "docs.jsonl.gz"), crawl.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer src.Close()
	var rfcs []byte
	for rec, err := range src.Records(b.Context()) {
		if err != nil {
			b.Fatal(err)
		}
		page, err := rec.Page()
		if err != nil {
			b.Fatal(err)
		}
		if rfcs = append(rfcs, page.Text...); len(rfcs) > 4<<20 {
			break
		}
	}
	p := text.Parser{Guessing: true}
	b.SetBytes(int64(len(rfcs)))
	for b.Loop() {
		for piece := range slices.Chunk(rfcs, 2600) {
			p.Plain(piece)
		}
	}
}

package crawl_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl/record"
)

// TestTexts reads texts that are lists of paragraphs, whose metadata is JSON, or that have no name.
func TestTexts(t *testing.T) {
	type lists struct {
		URL  string   `parquet:"url"`
		Text []string `parquet:"text,list"`
	}
	type groups struct {
		Text     string `parquet:"text"`
		Metadata string `parquet:"metadata"`
	}
	type alone struct {
		Text  string `parquet:"text"`
		Label int64  `parquet:"label"`
	}
	type permalinks struct {
		Text string `parquet:"text"`
		Link string `parquet:"perma_link"`
	}
	for _, c := range []struct {
		name string
		file []byte
		want string
	}{
		{"lists", ParquetOf(t, []lists{{"https://x.example/a", []string{"one", "two"}}, {"https://x.example/b", nil}, {"https://x.example/c", []string{"", "three"}}}), "https://x.example/a text one\ntwo\nhttps://x.example/c text three empty-page=1"},
		{"groups", ParquetOf(t, []groups{{"one", `{"url":"https://x.example/a"}`}, {"two", "{"}, {"three", `{"source":"https://x.example/c"}`}}), "https://x.example/a text one\ntable.parquet#2 text two\nhttps://x.example/c text three "},
		{"alone", ParquetOf(t, []alone{{"one", 1}, {"two", 2}, {"three", 3}}), "table.parquet#1 text one\ntable.parquet#2 text two\ntable.parquet#3 text three "},
		{"addresses", ParquetOf(t, []permalinks{{"one", "https://x.example/a"}}), " unknown-columns=1"},
	} {
		path := ParquetFile(t, c.file)
		pages, l, err := Read(t, path, record.Options{})
		got := strings.Join(LinesOf(pages), "\n") + " " + LeftOut(l)
		if err != nil || got != c.want || filepath.Base(path) != "table.parquet" {
			t.Errorf("%s: %q, want %q, %v: %+v", c.name, got, c.want, err, l.Tallies())
		}
	}
}

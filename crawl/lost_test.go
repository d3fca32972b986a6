package crawl_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
)

// TestLostStart reads the records behind a damaged start by the compression that the name says, although frames of zstd may
// hold the beginnings of records as they are.
func TestLostStart(t *testing.T) {
	var pages []string
	for i := range 8 {
		pages = append(pages, WarcPage(i))
	}
	for name, b := range map[string][]byte{"a.warc.zst": Zstd(nil, pages...), "a.warc": []byte(strings.Join(pages, "")), "a.warc.gz": []byte(strings.Join(pages, ""))} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, b[20:], 0o600); err != nil {
			t.Fatal(err)
		}
		src, err := crawl.Open(path, crawl.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		got := 0
		for rec, err := range src.Records(context.Background()) {
			if err == nil && rec.URL != "" {
				got++
			}
		}
		if got != 7 {
			t.Errorf("%s: %d pages of 7", name, got)
		}
	}
}

package skew

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/lshclust/lshclust/crawl"
)

// Every input can be read, holds what it should, and is the same when it is written again.
func TestInputs(t *testing.T) {
	pages := map[string]int{"captures": 50, "links": 50, "tiny": 50, "rows": 50, "common": 50, "template": 50}
	for _, in := range Inputs {
		t.Run(in.Name, func(t *testing.T) {
			size := int64(1_000_000)
			if pages[in.Name] > 0 {
				size = int64(pages[in.Name])
			}
			var b, again bytes.Buffer
			if err := in.Write(&b, size); err != nil {
				t.Fatal(err)
			}
			if err := in.Write(&again, size); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
				t.Errorf("not the same twice (%v)", err)
			}
			path := filepath.Join(t.TempDir(), in.File)
			if err := os.WriteFile(path, b.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			if n := pagesOf(t, path); n != max(1, pages[in.Name]) {
				t.Errorf("%d pages", n)
			}
		})
	}
}

func pagesOf(t *testing.T, path string) (n int) {
	src, err := crawl.Open(path, crawl.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			t.Error(err)
			continue
		}
		if _, err := rec.Page(); err != nil {
			t.Error(err)
		}
		n++
	}
	return n
}

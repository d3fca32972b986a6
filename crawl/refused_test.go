package crawl_test

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl"
)

// TestMemoryError checks that an input that needs more memory than is allowed says how much is enough, and that it can
// be read with that much.
func TestMemoryError(t *testing.T) {
	var archive bytes.Buffer
	z := zip.NewWriter(&archive)
	for i := range 10_000 {
		_, _ = z.Create(fmt.Sprintf("%d.html", i))
	}
	z.Close()
	var far bytes.Buffer
	w, err := zstd.NewWriter(&far, zstd.WithWindowSize(32<<20))
	if err != nil {
		t.Fatal(err)
	}
	for i := range 20_000 {
		fmt.Fprintf(w, `{"url":"https://a.example/%d","html":"<p>page"}`+"\n", i)
	}
	w.Close()
	for name, content := range map[string][]byte{"many.zip": archive.Bytes(), "far.jsonl.zst": far.Bytes()} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var little *crawl.MemoryError
		if err := firstError(path, 1<<20); !errors.As(err, &little) {
			t.Fatalf("%s with 1 MiB: %v", name, err)
		}
		if err := firstError(path, little.Needed); errors.As(err, &little) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// firstError returns the error of opening an input, or else the first error of reading it.
func firstError(path string, memory int64) error {
	src, err := crawl.Open(path, crawl.Options{Memory: memory})
	if err != nil {
		return err
	}
	defer src.Close()
	for _, err := range src.Records(context.Background()) {
		return err
	}
	return nil
}

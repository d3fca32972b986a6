package browser

import (
	"context"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/serve"
)

// update takes the pictures of the README again: go test -run TestPictures . -update
var update = flag.Bool("update", false, "take the pictures of the README again")

// pictures are the paths of the pages in the README, by the names of the pictures.
var pictures = map[string]string{"overview": "/"}

// TestPictures checks that the README shows each picture, light and dark, and that none is large.
func TestPictures(t *testing.T) {
	docs := filepath.Join("..", "..", "..", "docs")
	if *update {
		takePictures(t, docs)
	}
	readme, err := os.ReadFile(filepath.Join(docs, "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for name := range pictures {
		for _, file := range []string{name + "-light.webp", name + "-dark.webp"} {
			picture, err := os.ReadFile(filepath.Join(docs, file))
			if shown := strings.Contains(string(readme), `"docs/`+file+`"`); err != nil || len(picture) > 150_000 || !shown {
				t.Errorf("%s: %d bytes, %v; in the README: %v", file, len(picture), err, shown)
			}
		}
	}
}

// takePictures takes the pictures of a run of the whole sample.
func takePictures(t *testing.T, to string) {
	t.Helper()
	pages, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	in, out := filepath.Join(t.TempDir(), "pages.jsonl"), filepath.Join(t.TempDir(), "run")
	cluster(t, in, out, pages)
	tab := NewTab(t)
	if tab.base, err = started(serve.Source{Name: "manual", Path: out}); err != nil {
		t.Fatal(err)
	}
	for name, path := range pictures {
		for _, scheme := range []string{"light", "dark"} {
			tab.Screen(1280, scheme, true)
			tab.Open(path)
			tab.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
				quality := int64(80)
				shot, err := chromedp.Call(ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{Format: "webp", Quality: &quality})
				if err != nil {
					return err
				}
				return os.WriteFile(filepath.Join(to, name+"-"+scheme+".webp"), shot.Data, 0o666)
			}))
		}
	}
}

package runs_test

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

func TestEachPage(t *testing.T) {
	pages := runtest.SamplePages(t, 20)
	pages = append(pages, pages[0], "{not json")
	r := runtest.Opened(t, runtest.Preset(t, "web"), pages)
	seen := map[uint32]int{}
	err := r.EachPage(context.Background(), func(id uint32, p *crawl.Page) error {
		if r.Document(id).URL != p.Canonical || !r.Document(id).Crawled {
			t.Errorf("page %s as document %d, %s", p.Canonical, id, r.Document(id).URL)
		}
		seen[id]++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	twice := 0
	for _, n := range seen {
		twice += n - 1
	}
	if len(seen) != 20 || twice != 1 {
		t.Errorf("%d documents, %d of them again", len(seen), twice)
	}
	stop := errors.New("stop")
	if err := r.EachPage(context.Background(), func(uint32, *crawl.Page) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of the caller became %v", err)
	}
	in := r.Manifest.Inputs[0].Path
	runtest.Must(t, os.Rename(in, in+".away"))
	defer os.Rename(in+".away", in)
	if err := r.EachPage(context.Background(), func(uint32, *crawl.Page) error { return nil }); err == nil {
		t.Error("no error without the input")
	}
}

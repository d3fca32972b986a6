package pipeline_test

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/tables"
)

// TestRunInsideInput checks that a run inside the folder that it reads, directly or through a symbolic link, can be
// stopped and continued, has the same tables as a run outside, and is not input of a later run over the same folder.
func TestRunInsideInput(t *testing.T) {
	pages := strings.Join(samplePages(t, 5), "\n") + "\n"
	for name, files := range map[string]map[string]string{
		"site":  {"index.html": "<title>Top</title><a href=b/c.html>the sweet apple</a>", "b/c.html": "<title>Apple</title><a href=../>back to the top</a>"},
		"crawl": {"a.jsonl": pages, "b/c.jsonl": pages},
	} {
		t.Run(name, func(t *testing.T) {
			root := filepath.Join(t.TempDir(), "in")
			for file, content := range files {
				at := filepath.Join(root, file)
				must(t, os.MkdirAll(filepath.Dir(at), 0o777))
				must(t, os.WriteFile(at, []byte(content), 0o600))
			}
			link := filepath.Join(t.TempDir(), "link")
			must(t, os.Symlink(root, link))
			c := preset(t, "web")
			outside := filepath.Join(t.TempDir(), "outside")
			if _, err := pipeline.Cluster(t.Context(), outside, []string{root}, c, pipeline.Options{}); err != nil {
				t.Fatal(err)
			}
			for i, in := range []string{root, link} {
				out := filepath.Join(root, "b", []string{"run", "run2"}[i])
				if _, err := stopped(t, out, c, pipeline.Options{}, moment{"group", "stage"}, in); err == nil {
					t.Fatal("not stopped")
				}
				r, err := pipeline.Cluster(t.Context(), out, []string{in}, c, pipeline.Options{})
				if err != nil {
					t.Fatal("cannot be gone on with:", err)
				}
				if in == root {
					sameFile(t, tables.PairsFile, outside, out)
					sameFile(t, "documents.lsh", outside, out)
				} else if n := dropped(r, record.ReasonRunDir); n < 1 {
					t.Errorf("%d run directories left out, want the earlier one at least", n)
				}
			}
		})
	}
}

func dropped(r pipeline.Result, reason crawl.Reason) (n int64) {
	for _, d := range r.Manifest.Dropped {
		if d.Reason == string(reason) {
			n += d.Count
		}
	}
	return n
}

func sameFile(t *testing.T, name string, a, b string) {
	t.Helper()
	x, err := os.ReadFile(filepath.Join(a, name))
	must(t, err)
	y, err := os.ReadFile(filepath.Join(b, name))
	must(t, err)
	if !bytes.Equal(x, y) {
		t.Errorf("%s differs", name)
	}
}

// TestUnreadableInput checks that an unreadable input is skipped and counted, even when a run continues, and that
// nothing is written if no input can be read.
func TestUnreadableInput(t *testing.T) {
	good, dir, c := write(t, samplePages(t, 10)...), t.TempDir(), preset(t, "web")
	c.Views = []string{config.Syntactic}
	loop := filepath.Join(dir, "loop.warc") // root may read everything, but not this
	must(t, os.Symlink(loop, loop))
	socket := filepath.Join(dir, "s.warc")
	l, err := net.Listen("unix", socket)
	must(t, err)
	defer l.Close()
	for _, inputs := range [][]string{{loop, good}, {good, socket, loop}, {dir, good}} {
		out := filepath.Join(t.TempDir(), "run")
		if _, err := stopped(t, out, c, pipeline.Options{}, moment{"group", "stage"}, inputs...); err == nil {
			t.Fatal("not stopped")
		}
		r, err := pipeline.Cluster(t.Context(), out, inputs, c, pipeline.Options{})
		if err != nil {
			t.Fatal(inputs, err)
		}
		if n := dropped(r, record.ReasonUnreadableFile); n != r.Damaged || n < 1 || r.Manifest.Counts["pages"] != 10 {
			t.Errorf("%v: %d unreadable of %d damaged, %d pages", inputs, n, r.Damaged, r.Manifest.Counts["pages"])
		}
	}
	out := filepath.Join(t.TempDir(), "run")
	if _, err := pipeline.Cluster(t.Context(), out, []string{loop, socket}, c, pipeline.Options{}); err == nil {
		t.Error("no error where nothing can be read")
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a run was made of nothing")
	}
}

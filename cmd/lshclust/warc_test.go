package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// warcFile is a line of MANIFEST.tsv.
type warcFile struct {
	name  string
	sound bool // gzip finds no damage
	bytes int64
}

func warcFiles(t *testing.T, dir string) []warcFile {
	raw, err := os.ReadFile(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var out []warcFile
	for line := range strings.Lines(string(raw)) {
		if cells := strings.Split(line, "\t"); !strings.HasPrefix(line, "#") && len(cells) > 6 {
			info, err := os.Stat(filepath.Join(dir, cells[0]))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, warcFile{cells[0], cells[6] == "ok", info.Size()})
		}
	}
	return out
}

// TestWARCFixtures clusters small files, TestLongWARCFixtures all others, of the shared WARC data by itself. The run must have the pages that the reader
// finds and pass lshclust info --check; damage must be listed with its place and give exit code 3. crawl.TestWARCFixtures
// tests the reader itself.
func TestWARCFixtures(t *testing.T) {
	clusterFixtures(t, func(i int, f warcFile) bool { return (i%7 == 0 || !f.sound) && f.bytes < 1<<20 })
}

func TestLongWARCFixtures(t *testing.T) {
	clusterFixtures(t, func(i int, f warcFile) bool { return i%7 != 0 && f.sound || f.bytes >= 1<<20 })
}

func clusterFixtures(t *testing.T, some func(int, warcFile) bool) {
	dir := shareddata.Dir(t, "warc")
	files := warcFiles(t, dir)
	if len(files) != 68 {
		t.Fatalf("%d files in the manifest", len(files))
	}
	for i, f := range files {
		if !some(i, f) {
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			pages, damaged := readAlone(t, filepath.Join(dir, f.name))
			if !f.sound && damaged == 0 {
				t.Error("the manifest says that it is broken, the reader does not")
			}
			checkCluster(t, filepath.Join(dir, f.name), pages, damaged)
		})
	}
}

// readAlone counts pages and damage with the reader.
func readAlone(t *testing.T, path string) (pages, damaged int64) {
	src, err := crawl.Open(path, crawl.Options{})
	var skip *crawl.Skip
	if errors.As(err, &skip) {
		return 0, b2i(skip.Reason.Damage())
	}
	defer src.Close()
	var l crawl.Ledger
	for rec, err := range src.Records(t.Context()) {
		var p crawl.Page
		if err == nil {
			p, err = rec.Page()
		}
		if err == nil {
			pages++
			l.AddPage(&p)
		} else if !l.Add(err) {
			t.Fatal(err)
		}
	}
	return pages, l.Damaged()
}

func b2i(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// checkCluster compares a run of the command with what the reader found.
func checkCluster(t *testing.T, path string, pages, damaged int64) {
	out := filepath.Join(t.TempDir(), "run")
	c := exec.Command("lshclust", "cluster", "-o", out, path)
	var said bytes.Buffer
	c.Stderr = &said
	want := exitDone
	switch {
	case damaged > 0:
		want = exitSkipped
	case pages == 0:
		want = exitCondition
	}
	if err := c.Run(); c.ProcessState == nil || c.ProcessState.ExitCode() != want {
		t.Fatalf("%v, want exit code %d\n%s", err, want, &said)
	}
	if place := path + " at byte "; damaged > 0 && !strings.Contains(said.String(), place) {
		t.Errorf("no place of the damage:\n%s", &said)
	}
	r, err := run.Check(context.Background(), out, runs.Checks()...)
	if err != nil || !r.OK() {
		t.Errorf("check: %v, %v", err, r.Err())
	}
	opened, err := run.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	read, _ := opened.Manifest.Stage("read")
	pages += read.Counts["revisits"] // which the reader alone does not resolve
	if got := opened.Manifest.Counts["pages"]; got != pages {
		t.Errorf("%d pages, the reader gives %d (%+v)", got, pages, read)
	}
	if told := count(pages-opened.Manifest.Counts["captures_superseded"], "page") + ", "; !strings.Contains(said.String(), told) {
		t.Errorf("%q is not told:\n%s", told, &said)
	}
}

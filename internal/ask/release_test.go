package ask

import (
	"archive/zip"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

var update = flag.Bool("update", false, "keep a run of this version, and its answers, as those of the last release")

// TestRelease opens a run that the last release built. As long as the number of the format is the same, the run must be
// without damage to this program, and have the same answers. A program with another number must refuse it and say which
// version built it. A table that changes needs a new number, except between releases. A release replaces the run: go test -run TestRelease ./internal/ask -update.
func TestRelease(t *testing.T) {
	const kept, answers = "testdata/release.zip", "testdata/release.txt"
	if *update {
		words := strings.Repeat("apples pears plums cherries quinces medlars figs dates olives grapes ", 4)
		keep(t, runtest.Build(t, runtest.Preset(t, "web"), runtest.Lines(t,
			[2]string{"https://a.example/", "<title>Fruit</title><p>" + words}, [2]string{"https://b.example/", "<title>Fruit</title><p>" + words + "and nuts"},
			[2]string{"https://c.example/", "<p>Orchard fruit: <a href=https://a.example/>apples</a>, <a href=https://b.example/>pears</a>, <a href=https://gone.example/>plums</a>"},
			[2]string{"https://d.example/", "<p>Bridges of steel: <a href=https://e.example/>suspension</a>, <a href=https://f.example/>suspension</a>"},
		)), kept)
	}
	path := filepath.Join(t.TempDir(), "run")
	unzip(t, kept, path)
	r, err := runs.Open(path)
	if errors.Is(err, run.ErrFormat) {
		if manifest, _ := os.ReadFile(filepath.Join(path, run.ManifestName)); bytes.Contains(manifest, fmt.Appendf(nil, "\n  \"format\": %d,", run.FormatVersion)) ||
			!strings.Contains(err.Error(), "the version of lshclust that built it") {
			t.Error(err)
		}
		return
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if report, err := run.Check(t.Context(), path, runs.Checks()...); errors.Join(err, report.Err()) != nil {
		t.Error(errors.Join(err, report.Err()))
	}
	var b strings.Builder
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		fmt.Fprintf(&b, "%s %q %d links, %d words\n", d.URL, r.NameOf(id), d.InLinks, d.Words)
		for _, n := range topics.Related(r, id, topics.Lookup{Top: 3}) {
			fmt.Fprintf(&b, "  related    %.6f %s %q\n", n.Similarity, n.URL, n.Shared)
		}
		if !d.Crawled {
			continue
		}
		list, _, err := texts.Duplicates(r, id, 2)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range list {
			fmt.Fprintf(&b, "  duplicates %.6f %s\n", n.Resemblance, n.URL)
		}
	}
	if *update {
		if err := os.WriteFile(answers, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(answers)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("other answers than those in %s:\n%s", answers, b.String())
	}
}

// keep writes the files of a run into a zip file.
func keep(t *testing.T, path, zipped string) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	if err := errors.Join(z.AddFS(os.DirFS(path)), z.Close(), os.WriteFile(zipped, b.Bytes(), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// unzip writes the files of a zip file into a new folder.
func unzip(t *testing.T, zipped, path string) {
	z, err := zip.OpenReader(zipped)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if err := os.CopyFS(path, z); err != nil {
		t.Fatal(err)
	}
}

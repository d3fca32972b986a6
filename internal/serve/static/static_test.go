package static

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// partOfSample returns a run of part of the sample, and of a hostile page.
func partOfSample(t *testing.T) *api.Run {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	in, at := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "<b>run</b>")
	lines := append(bytes.Join(bytes.SplitAfterN(all, []byte("\n"), 201)[:200], nil),
		[]byte(`{"url":"https://evil.example/%22%3E%3Cscript%3E","html":"<title>&lt;/title>&lt;script>alert(1)&lt;/script></title>The index of the search tree is hostile."}`+"\n")...)
	if err := os.WriteFile(in, lines, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.Cluster(t.Context(), at, []string{in}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := runs.Open(at)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Base(at)
	run := api.NewRun(r, name, []string{name})
	t.Cleanup(func() {
		if err := run.Close(); err != nil {
			t.Error(err)
		}
	})
	return run
}

// exported exports a run twice.
func exported(t *testing.T, run *api.Run, o Options) []File {
	t.Helper()
	files, err := Export(t.Context(), run, o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Export(context.WithoutCancel(t.Context()), run, o)
	if err != nil || !slices.EqualFunc(files, again, func(a, b File) bool { return a.Name == b.Name && bytes.Equal(a.Body, b.Body) }) {
		t.Errorf("two exports differ, %v", err)
	}
	return files
}

var (
	linked = regexp.MustCompile(`(?:href|src|action)="([^"]*)"`)
	inline = regexp.MustCompile(`(?i)<script(>| [^>]*>[^<])|<style|\sstyle="[^i]|<[^>]*\son[a-z]+=|<form`)
)

// TestExport checks that the pages link only to one another and to the web, and that every page can be reached.
func TestExport(t *testing.T) {
	const pages, clusters = 20, 5
	names, reached, kinds := map[string]bool{}, map[string]bool{"index.html": true}, map[string]int{}
	files := exported(t, partOfSample(t), Options{Pages: pages, Clusters: clusters})
	for _, f := range files {
		names[f.Name] = true
		kind, _, _ := strings.Cut(f.Name, "-")
		kinds[kind]++
	}
	for _, f := range files {
		if filepath.Ext(f.Name) != ".html" {
			continue
		}
		for _, m := range linked.FindAllSubmatch(f.Body, -1) {
			to, _, _ := strings.Cut(string(m[1]), "#")
			reached[to] = true
			if to != "" && !names[to] && !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "http://") && to != "data:," {
				t.Errorf("%s leads to %s", f.Name, m[0])
			}
		}
		if bad := inline.Find(f.Body); bad != nil {
			t.Errorf("%s: %s", f.Name, bad)
		}
		if len(f.Body) > 100_000 || !bytes.Contains(f.Body, []byte(policy)) {
			t.Errorf("%s has %d bytes or no policy", f.Name, len(f.Body))
		}
	}
	for name := range names {
		if !reached[name] && filepath.Ext(name) == ".html" {
			t.Errorf("nothing leads to %s", name)
		}
	}
	for _, name := range []string{"index.html", "run.html", "compare.html"} {
		if !names[name] {
			t.Errorf("%s is missing", name)
		}
	}
	if kinds["page"] != pages || kinds["cluster"] > clusters || kinds["compare"] < 4 {
		t.Errorf("%v", kinds)
	}
}

// TestWrite checks that a report is written to a new or an empty folder only, also behind a symbolic link.
func TestWrite(t *testing.T) {
	run := partOfSample(t)
	dir := t.TempDir()
	link, real := filepath.Join(dir, "link"), filepath.Join(dir, "real")
	if err := errors.Join(os.Mkdir(real, 0o777), os.Symlink(real, link), os.Symlink(filepath.Join(dir, "nothing"), filepath.Join(dir, "lost"))); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{filepath.Join(dir, "new", "report"), link} {
		n, err := Write(t.Context(), at, run, Options{Pages: 1})
		there, err2 := os.ReadDir(at)
		if err := errors.Join(err, err2); err != nil || n != len(there) || n < 5 {
			t.Errorf("%s: %d files, and %d are there: %v", at, n, len(there), err)
		}
		if _, err := Write(t.Context(), at, run, Options{}); !errors.Is(err, ErrNotEmpty) {
			t.Errorf("%s, again: %v", at, err)
		}
		if left, err := os.ReadDir(at); err != nil || len(left) != len(there) {
			t.Errorf("%s: %d files are left, %v", at, len(left), err)
		}
	}
	if _, err := Write(t.Context(), filepath.Join(dir, "lost"), run, Options{}); err == nil {
		t.Error("a link that leads nowhere was written to")
	}
}

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
	"github.com/lshclust/lshclust/serve/api"
)

// exported exports a run of part of the sample, and of a hostile page.
func exported(t *testing.T, o Options) []File {
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
	inline = regexp.MustCompile(`(?i)<script(>| [^>]*>[^<])|<style|\sstyle="[^l]|<[^>]*\son[a-z]+=|<form`)
)

// TestExport checks that the pages link only to one another and to the web, and that every page can be reached.
func TestExport(t *testing.T) {
	const pages, clusters = 20, 5
	names, reached, kinds := map[string]bool{}, map[string]bool{"index.html": true}, map[string]int{}
	files := exported(t, Options{Pages: pages, Clusters: clusters})
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

// TestWrite checks that Write accepts only a new or empty folder or an unchanged report, and replaces a report as a
// whole.
func TestWrite(t *testing.T) {
	first, second := []File{{"index.html", []byte("one")}, {"page-1.html", []byte("1")}}, []File{{"index.html", []byte("two")}}
	dir := t.TempDir()
	at := filepath.Join(dir, "new", "report")
	holds := func(want ...string) {
		t.Helper()
		entries, err := os.ReadDir(at)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, e := range entries {
			names = append(names, e.Name())
		}
		if !slices.Equal(names, want) {
			t.Errorf("%v, want %v", names, want)
		}
		if left, err := os.ReadDir(filepath.Dir(at)); err != nil || len(left) != 1 {
			t.Errorf("beside the report: %v, %v", left, err)
		}
	}
	write := func(files []File, want error) {
		t.Helper()
		if err := Write(at, files); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
	}
	write(first, nil)
	holds("index.html", listName, "page-1.html")
	write(second, nil)
	holds("index.html", listName)
	if body, err := os.ReadFile(filepath.Join(at, "index.html")); err != nil || string(body) != "two" {
		t.Errorf("%s, %v", body, err)
	}
	put := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(at, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("notes.txt", "mine")
	write(first, ErrForeign)
	holds("index.html", listName, "notes.txt")
	if err := os.Remove(filepath.Join(at, "notes.txt")); err != nil {
		t.Fatal(err)
	}
	put("index.html", "TWO")
	write(first, ErrForeign)
	put("index.html", "two")
	for _, text := range []string{"", "{}", `{"kind":"` + kindOfList + `","files":[{"name":"../x","bytes":1,"xxh3":"0"}]}`, strings.Repeat("[", 1000)} {
		put(listName, text)
		write(first, ErrForeign)
	}
	if err := os.RemoveAll(at); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(at, 0o777); err != nil {
		t.Fatal(err)
	}
	write(first, nil)
	holds("index.html", listName, "page-1.html")
}

// TestWriteLinks checks that Write follows a symbolic link to the folder, and that a link in place of a file is not
// taken for a report.
func TestWriteLinks(t *testing.T) {
	dir := t.TempDir()
	files := []File{{"index.html", []byte("one")}}
	link, real := filepath.Join(dir, "link"), filepath.Join(dir, "real")
	if err := os.Symlink(real, link); err != nil {
		t.Fatal(err)
	}
	if err := Write(link, files); err == nil {
		t.Error("a link that leads nowhere was written to")
	}
	if err := os.Mkdir(real, 0o777); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := Write(link, files); err != nil {
			t.Error(err)
		}
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().IsRegular() || info.IsDir() {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	index := filepath.Join(real, "index.html")
	if err := os.Rename(index, filepath.Join(dir, "elsewhere")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "elsewhere"), index); err != nil {
		t.Fatal(err)
	}
	if err := Write(real, files); !errors.Is(err, ErrForeign) {
		t.Errorf("%v", err)
	}
	for _, name := range []string{"../x.html", "a/b.html", "x.exe", "", "lshclust-report.json"} {
		if err := Write(filepath.Join(dir, "names"), []File{{name, nil}}); err == nil {
			t.Errorf("a file %q was written", name)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "names")); err == nil {
		t.Error("a report with wrong names was written")
	}
}

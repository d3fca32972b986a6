package crawl_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

func pageURLs(pages []record.Page) (out []string) {
	for _, p := range pages {
		out = append(out, p.URL)
	}
	return out
}

func TestFolder(t *testing.T) {
	root := treeOf(t, map[string]string{
		"index.html":          "<html>top",
		"a/index.htm":         "<html>a",
		"a/b.html":            "<html>b",
		"a/c d%?.html":        "<html>c",
		"a/ü.xhtml":           "<html>ü",
		"a/packed.html.gz":    string(Gzip("<html>packed")),
		"a/cut.html.gz":       string(Gzip("<html>packed")[:20]),
		"a/latin.html":        "<html>\xe4",
		"about":               "<!DOCTYPE html><p>x",
		"LICENSE":             "no HTML",
		"style.css":           "x",
		"empty.html":          " \n",
		".git/x.html":         "<html>hidden",
		".well-known/x.html":  "<html>known",
		"a/loop":              "->..",
		"a/link.html":         "->b.html",
		"a/dangling.html":     "->nowhere",
		"example.org/in.html": "<html>in",
	})
	pages, l, err := Read(t, root, record.Options{Base: "http://example.org/docs"})
	want := []string{}
	for _, name := range []string{".well-known/x.html", "a/b.html", "a/c%20d%25%3F.html", "a/cut.html", "a/", "a/latin.html", "a/link.html", "a/packed.html", "a/%C3%BC.xhtml",
		"about", "example.org/in.html", ""} {
		want = append(want, "http://example.org/docs/"+name)
	}
	if d := cmp.Diff(want, pageURLs(pages)); d != "" || err != nil {
		t.Error(err, d)
	}
	if string(pages[5].HTML) != "<html>ä" || string(pages[7].HTML) != "<html>packed" || !pages[0].Time.IsZero() {
		t.Errorf("%q, %q, %v", pages[5].HTML, pages[7].HTML, pages[0].Time)
	}
	// These are not HTML: LICENSE, style.css, .git, loop.
	if l.Count(record.ReasonNotHTML) != 4 || l.Count(record.ReasonEmptyPage) != 1 || l.Count(record.ReasonUnreadableFile) != 1 || l.Count(record.ReasonTruncatedGzip) != 1 || l.Count(record.ReasonCharsetGuessed) != 1 || l.Total() != 8 {
		t.Errorf("%+v", l.Tallies())
	}
}

func TestFolderMirror(t *testing.T) {
	root := treeOf(t, map[string]string{
		"www.postgresql.org/docs/index.html": "<html>",
		"www.postgresql.org/view?id=1.html":  "<html>",
		"v1.2/a.html":                        "<html>",
		"a.html":                             "<html>",
	})
	pages, _, _ := Read(t, root, record.Options{})
	want := []string{"https://localhost/a.html", "https://localhost/v1.2/a.html", "https://www.postgresql.org/docs/", "https://www.postgresql.org/view?id=1.html"}
	if d := cmp.Diff(want, pageURLs(pages)); d != "" {
		t.Error(d)
	}
	pages, _, _ = Read(t, filepath.Join(root, "www.postgresql.org"), record.Options{})
	want = []string{"https://www.postgresql.org/docs/", "https://www.postgresql.org/view?id=1.html"}
	if d := cmp.Diff(want, pageURLs(pages)); d != "" {
		t.Error(d)
	}
	if _, err := crawl.Open(root, record.Options{Base: "ftp://x/"}); !errors.Is(err, record.ReasonBadURL) {
		t.Error(err)
	}
}

func TestHTMLFile(t *testing.T) {
	root := treeOf(t, map[string]string{"a.html": "\n<p>x", "b.html.gz": string(Gzip("<html>", "b")), "c.html.gz": string(Gzip("<html>" + strings.Repeat("a", 9))[:30])})
	for name, want := range map[string]string{"a.html": "\n<p>x", "b.html.gz": "<html>b"} {
		pages, l, err := Read(t, filepath.Join(root, name), record.Options{Base: "http://e.org/x/"})
		if err != nil || len(pages) != 1 || string(pages[0].HTML) != want || pages[0].URL != "http://e.org/x/"+strings.TrimSuffix(name, ".gz") {
			t.Errorf("%s: %v, %+v, %v", name, pages, l.Tallies(), err)
		}
	}
	if _, l, err := Read(t, filepath.Join(root, "c.html.gz"), record.Options{}); l.Count(record.ReasonTruncatedGzip) != 1 && !errors.Is(err, record.ReasonTruncatedGzip) {
		t.Errorf("%v, %v", l.Tallies(), err)
	}
}

func TestOpenRefuses(t *testing.T) {
	root := treeOf(t, map[string]string{"empty": "", "x.txt": "words", "x.zip": "PK\x03\x04", "x.gz": "\x1f\x8b\x08"})
	for name, want := range map[string]record.Reason{"empty": record.ReasonEmptyFile, "missing": record.ReasonUnreadableFile, "x.txt": record.ReasonUnsupportedFormat, "x.zip": record.ReasonBadZip,
		"x.gz": record.ReasonTruncatedGzip} {
		_, _, err := Read(t, filepath.Join(root, name), record.Options{})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestExpand(t *testing.T) {
	archives := treeOf(t, map[string]string{"b.warc.gz": "", "a/z.jsonl.gz": "", "a/y.jsonl": "", "notes.txt": "", "c.warc.gz.md5": ""})
	site := treeOf(t, map[string]string{"a/index.html": "", "b.warc.gz": ""})
	empty := treeOf(t, map[string]string{"x.txt": ""})
	in := func(names ...string) (out []string) {
		for _, n := range names {
			out = append(out, filepath.Join(archives, n))
		}
		return out
	}
	got, _, err := crawl.Expand([]string{"-", archives, site, empty, filepath.Join(archives, "b.warc.gz"), "-"}, nil)
	want := slices.Concat([]string{"-"}, in("a/y.jsonl", "a/z.jsonl.gz", "b.warc.gz"), []string{filepath.Join(site, "b.warc.gz"), site, empty})
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	if _, _, err := crawl.Expand([]string{filepath.Join(archives, "missing")}, nil); !errors.Is(err, record.ReasonUnreadableFile) {
		t.Error(err)
	}
}

// TestStopEarly stops reading every kind of source in the middle.
func TestStopEarly(t *testing.T) {
	root := treeOf(t, map[string]string{"a.html": "<html>", "b.html": "<html>", "x.jsonl": "{}\n{}", "x.warc": WarcPage(1) + WarcPage(2)})
	for _, path := range []string{root, filepath.Join(root, "x.jsonl"), filepath.Join(root, "x.warc"), filepath.Join(root, "a.html")} {
		src, err := crawl.Open(path, record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for range src.Records(context.Background()) {
			break
		}
		if err := src.Close(); err != nil {
			t.Error(path, err)
		}
	}
}

// treeOf writes files into a new folder. A value that begins with "->" is a symbolic link.
func treeOf(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "site")
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(content, "->"); ok {
			if err := os.Symlink(to, path); err != nil {
				t.Fatal(err)
			}
		} else if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

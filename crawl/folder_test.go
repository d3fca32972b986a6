package crawl

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tree writes files into a new folder. A value that begins with "->" is a symbolic link.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "site")
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if to, ok := strings.CutPrefix(content, "->"); ok {
			if err := os.Symlink(to, path); err != nil {
				t.Skip(err)
			}
		} else if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func pageURLs(pages []Page) (out []string) {
	for _, p := range pages {
		out = append(out, p.URL)
	}
	return out
}

func TestFolder(t *testing.T) {
	root := tree(t, map[string]string{
		"index.html":          "<html>top",
		"a/index.htm":         "<html>a",
		"a/b.html":            "<html>b",
		"a/c d%?.html":        "<html>c",
		"a/ü.xhtml":           "<html>ü",
		"a/packed.html.gz":    string(gz("<html>packed")),
		"a/cut.html.gz":       string(gz("<html>packed")[:20]),
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
	pages, l, err := read(t, root, Options{Base: "http://example.org/docs"})
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
	// Not HTML: LICENSE, style.css, .git, loop.
	if l.Count(ReasonNotHTML) != 4 || l.Count(ReasonEmptyPage) != 1 || l.Count(ReasonUnreadableFile) != 1 || l.Count(ReasonTruncatedGzip) != 1 || l.Total() != 7 {
		t.Errorf("%+v", l.Tallies())
	}
}

func TestFolderMirror(t *testing.T) {
	root := tree(t, map[string]string{
		"www.postgresql.org/docs/index.html": "<html>",
		"www.postgresql.org/view?id=1.html":  "<html>",
		"v1.2/a.html":                        "<html>",
		"a.html":                             "<html>",
	})
	pages, _, _ := read(t, root, Options{})
	want := []string{"https://localhost/a.html", "https://localhost/v1.2/a.html", "https://www.postgresql.org/docs/", "https://www.postgresql.org/view?id=1.html"}
	if d := cmp.Diff(want, pageURLs(pages)); d != "" {
		t.Error(d)
	}
	pages, _, _ = read(t, filepath.Join(root, "www.postgresql.org"), Options{})
	want = []string{"https://www.postgresql.org/docs/", "https://www.postgresql.org/view%3Fid=1.html"}
	if d := cmp.Diff(want, pageURLs(pages)); d != "" {
		t.Error(d)
	}
	if _, err := Open(root, Options{Base: "ftp://x/"}); !errors.Is(err, ReasonBadURL) {
		t.Error(err)
	}
}

func TestHTMLFile(t *testing.T) {
	root := tree(t, map[string]string{"a.html": "\n<p>x", "b.html.gz": string(gz("<html>", "b")), "c.html.gz": string(gz("<html>" + long(9))[:30])})
	for name, want := range map[string]string{"a.html": "\n<p>x", "b.html.gz": "<html>b"} {
		pages, l, err := read(t, filepath.Join(root, name), Options{Base: "http://e.org/x/"})
		if err != nil || len(pages) != 1 || string(pages[0].HTML) != want || pages[0].URL != "http://e.org/x/"+strings.TrimSuffix(name, ".gz") {
			t.Errorf("%s: %v, %+v, %v", name, pages, l.Tallies(), err)
		}
	}
	if _, l, err := read(t, filepath.Join(root, "c.html.gz"), Options{}); l.Count(ReasonTruncatedGzip) != 1 && !errors.Is(err, ReasonTruncatedGzip) {
		t.Errorf("%v, %v", l.Tallies(), err)
	}
}

func TestOpenRefuses(t *testing.T) {
	root := tree(t, map[string]string{"empty": "", "x.txt": "words", "x.zip": "PK\x03\x04", "x.gz": "\x1f\x8b\x08"})
	for name, want := range map[string]Reason{"empty": ReasonEmptyFile, "missing": ReasonUnreadableFile, "x.txt": ReasonUnsupportedFormat, "x.zip": ReasonBadZip,
		"x.gz": ReasonTruncatedGzip} {
		_, _, err := read(t, filepath.Join(root, name), Options{})
		if !errors.Is(err, want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

func TestExpand(t *testing.T) {
	crawl := tree(t, map[string]string{"b.warc.gz": "", "a/z.jsonl.gz": "", "a/y.jsonl": "", "notes.txt": "", "c.warc.gz.md5": ""})
	site := tree(t, map[string]string{"a/index.html": "", "b.warc.gz": ""})
	empty := tree(t, map[string]string{"x.txt": ""})
	in := func(names ...string) (out []string) {
		for _, n := range names {
			out = append(out, filepath.Join(crawl, n))
		}
		return out
	}
	got, _, err := Expand([]string{"-", crawl, site, empty, filepath.Join(crawl, "b.warc.gz"), "-"})
	want := slices.Concat([]string{"-"}, in("a/y.jsonl", "a/z.jsonl.gz", "b.warc.gz"), []string{site, empty})
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(err, d)
	}
	if _, _, err := Expand([]string{filepath.Join(crawl, "missing")}); !errors.Is(err, ReasonUnreadableFile) {
		t.Error(err)
	}
}

// TestStopEarly leaves every kind of source in the middle.
func TestStopEarly(t *testing.T) {
	root := tree(t, map[string]string{"a.html": "<html>", "b.html": "<html>", "x.jsonl": "{}\n{}", "x.warc": warcPage(1) + warcPage(2)})
	for _, path := range []string{root, filepath.Join(root, "x.jsonl"), filepath.Join(root, "x.warc"), filepath.Join(root, "a.html")} {
		src, err := Open(path, Options{})
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

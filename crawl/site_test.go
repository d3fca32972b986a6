package crawl_test

import (
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

const (
	aPage  = "<!DOCTYPE html><p>one page of words"
	linked = "<!DOCTYPE html><a href='%'>x</a>"
)

func linksTo(targets ...string) string {
	out := aPage
	for _, t := range targets {
		out += strings.Replace(linked, "%", t, 1)
	}
	return out
}

func canonical(url string) string {
	return "<!DOCTYPE html><head><meta charset=utf-8><LINK href=" + url + " Rel='canonical'></head><p>one"
}

// TestFolders reads folders as people have them: which of their files are pages, under which URLs, and what is said
// about the others.
func TestFolders(t *testing.T) {
	warc := string(Gzip(WarcPage(1)))
	line := `{"url":"https://example.org/line","text":"one line of words"}` + "\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		o     record.Options
		want  string // canonical URLs, aliases and times
		left  string
	}{
		{"programs", map[string]string{"www.example.org/index.html": aPage, "www.example.org/about.php": aPage, "www.example.org/t.php?f=3&t=10": aPage, "www.example.org/l.asp?id=7": aPage,
			"www.example.org/n/item.aspx": aPage, "www.example.org/faq.jsp;jsessionid=ABC": aPage, "www.example.org/wiki/Version_1.2": aPage, "www.example.org/style.css?v=2": "b {}",
			"www.example.org/a,b.cgi": aPage, "www.example.org/data.bin": "\x00\x01"}, record.Options{},
			"https://example.org/a,b.cgi https://example.org/about.php https://example.org/faq.jsp https://example.org https://example.org/l.asp?id=7 https://example.org/n/item.aspx " +
				"https://example.org/t.php?f=3&t=10 https://example.org/wiki/Version_1.2", "not-html=2"},
		{"source of programs", map[string]string{"index.html": aPage, "a.php": "<?php echo 1;", "b.php": aPage + "<?php echo 1 ?>", "c.jsp": "<%@ page %>" + aPage}, record.Options{},
			"https://localhost", "looks-like-html=1 not-html=2"},
		{"names of Windows", map[string]string{"www.example.org/index.html@id=3": aPage, "www.example.org/v.php@t=5.html": aPage, "www.example.org/me@home.html": aPage, "www.example.org/logo@2x.png": "x"},
			record.Options{}, "https://example.org?id=3 https://example.org/me@home.html https://example.org/v.php?t=5", "not-html=1"},
		{"copies with numbers", map[string]string{"index.html@$%2Fy.1": aPage, "a.html": aPage, "a.html.1": aPage, "v1.2": aPage}, record.Options{},
			"https://localhost/a.html https://localhost/a.html https://localhost?$%2Fy.1 https://localhost/v1.2", ""},
		{"links say that @ begins a query", map[string]string{"a.html": linksTo("view?x=1", "view?x=2"), "view@x=1": aPage, "view@x=2": aPage}, record.Options{Base: "https://example.org/"},
			"https://example.org/a.html https://example.org/view?x=1 https://example.org/view?x=2", ""},
		{"converted links", map[string]string{"e.org/a.html": linksTo("v.php%3Ft=5.html", "b.html"), "e.org/b.html": canonical("/b"), "e.org/v.php?t=5.html": aPage}, record.Options{},
			"https://e.org/a.html https://e.org/b<https://e.org/b.html https://e.org/v.php?t=5<https://e.org/v.php%3Ft=5.html", ""},
		{"archives beside HTML", map[string]string{"index.html": aPage, "a.warc.gz": warc, "._a.warc.gz": "x"}, record.Options{},
			"https://example.org/1@2020-01-02 https://localhost", "companion-file=1"},
		{"tables beside HTML", map[string]string{"index.html": aPage, "a.jsonl": line, "b.csv": "size,colour\n1,red\n", "c.json": line}, record.Options{},
			"https://localhost", "archive-left-out=1 not-html=2"},
		{"an unpacked WACZ", map[string]string{"c/datapackage.json": "{}", "c/archive/a.warc.gz": warc, "c/README.html": aPage, "c/pages/pages.jsonl": line}, record.Options{},
			"https://example.org/1@2020-01-02", ""},
		{"a crawl of Browsertrix beside HTML", map[string]string{"report.html": aPage, "c/archive/a.warc.gz": warc, "c/pages/pages.jsonl": line}, record.Options{},
			"https://example.org/1@2020-01-02 https://localhost/report.html", "companion-file=1"},
		{"files named otherwise", map[string]string{"c4.00000-of-01024.json.gz": string(Gzip(line)), "wiki_00": line, "items.jl": line, "state.json": "{\"a\": 1}\n", "README.md": "# x", "part-0.gz": string(Gzip(line))},
			record.Options{}, strings.Repeat("https://example.org/line ", 4), ""},
		{"an index beside archives", map[string]string{"a.warc.gz": warc, "index.cdxj": "org,example)/1 20200102030405 {\"url\": \"http://example.org/1\", \"filename\": \"a.warc.gz\", \"offset\": \"0\"}\n"}, record.Options{},
			"https://example.org/1@2020-01-02", ""},
		{"texts", map[string]string{"site/page.md": "---\nurl: https://www.example.org/p\ntitle: 'A title'\ndate: 2024-05-06\n---\n# Heading\n\nwords", "site/b.txt": "words", ".hidden.txt": "words", "e.md": "", "x.png": "x"},
			record.Options{}, "https://localhost/site/b.txt https://example.org/p@2024-05-06", "empty-page=1 not-html=2"},
		{"texts beside HTML", map[string]string{"index.html": aPage, "README.md": "# words", "robots.txt": "User-agent: *"}, record.Options{}, "https://localhost", "not-html=2"},
		{"companions", map[string]string{"a.html": aPage, "._a.html": "x", ".DS_Store": "x", "__MACOSX/a.html": aPage, "desktop.ini": "x", "a.html~": aPage, "a.html.orig": aPage},
			record.Options{}, "https://localhost/a.html", "companion-file=6"},
		{"hosts", map[string]string{"192.0.2.7/a.html": aPage, "127.0.0.1+8000/a.html": aPage, "xn--bcher-kva.example/a.html": aPage, "example.org+8080/a.html": aPage, "localhost/a.html": aPage, "https/b.org/a.html": aPage, "v1.2/a.html": aPage},
			record.Options{}, "http://127.0.0.1:8000/a.html https://192.0.2.7/a.html https://example.org:8080/a.html https://b.org/a.html https://localhost/a.html https://localhost/v1.2/a.html https://xn--bcher-kva.example/a.html", ""},
		{"saved by browsers", map[string]string{"A page.html": "<!-- saved from url=(0021)https://example.org/a -->" + aPage, "A page_files/x.html": aPage, "B-Dateien/x.html": aPage, "B.htm": "<!-- saved from url=(0014)about:internet -->" + aPage},
			record.Options{}, "https://example.org/a https://localhost/B.htm", "companion-file=2"},
		{"saved by extensions", map[string]string{"s.html": "<!DOCTYPE html> <html><!--\n Page saved with SingleFile \n url: https://example.org/s \n saved date: Wed May 01 2024 10:01:00 GMT+0200 (Summer)\n-->" + aPage,
			"m.html": "<!-- Saved from https://example.org/m at 2024-05-06T10:00:00Z using monolith v2.8 -->" + aPage}, record.Options{},
			"https://example.org/m@2024-05-06 https://example.org/s@2024-05-01", ""},
		{"saved, but published elsewhere", map[string]string{"b.org/a.html": "<!-- saved from url=(0021)https://example.org/a -->" + aPage}, record.Options{}, "https://b.org/a.html", ""},
		{"HTTrack", map[string]string{"index.html": "<html><title>Local index - HTTrack Website Copier</title>", "hts-cache/x.html": aPage, "e.org/i2f.html": "<!-- Mirrored from e.org/i.php?id=1 by HTTrack Website Copier/3.x [XR], Mon, 06 May 2024 10:00:00 GMT -->" + linksTo("i2f.html")},
			record.Options{}, "https://e.org/i.php?id=1@2024-05-06<https://e.org/i2f.html", "companion-file=2"},
		{"ArchiveBox", map[string]string{"archive/1714557600.5/index.json": `{"url":"https://example.org/x","timestamp":"1714557600.5"}`, "archive/1714557600.5/output.html": aPage, "archive/1714557600.5/index.html": aPage,
			"archive/1714557600.5/readability/content.html": aPage}, record.Options{}, "https://example.org/x@2024-05-01", ""},
	} {
		root := treeOf(t, c.files)
		files, _, err := crawl.Expand([]string{root}, nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		left := &crawl.Ledger{}
		for _, f := range files {
			c.o.Expanded = true
			pages, l, err := Read(t, f, c.o)
			if err != nil {
				t.Errorf("%s: %v", c.name, err)
			}
			left.Merge(l)
			for _, p := range pages {
				s := p.Canonical
				if !p.Time.IsZero() {
					s += p.Time.Format("@2006-01-02")
				}
				if p.Alias != "" {
					s += "<" + p.Alias
				}
				got = append(got, s)
			}
		}
		if s := strings.Join(got, " "); s != strings.TrimSpace(c.want) || LeftOut(left) != c.left {
			t.Errorf("%s:\n got %s, %s\nwant %s, %s", c.name, s, LeftOut(left), c.want, c.left)
		}
	}
}

// TestCleanURLs checks which proof decides the URL of a page, and what forbids it.
func TestCleanURLs(t *testing.T) {
	listed := `<urlset><url><loc>https://example.org/</loc></url><url><loc>https://example.org/a</loc></url><url><loc>https://example.org/b/</loc></url></urlset>`
	for _, c := range []struct {
		name  string
		files map[string]string
		o     record.Options
		want  string
	}{
		{"canonical links", map[string]string{"a.html": canonical("/a"), "b.html": canonical("/b/"), "c.html": canonical("/other"), "d.html": canonical("/d.html")}, record.Options{}, "/a /b /c.html /d.html"},
		{"canonical links of an unknown site", map[string]string{"a.html": canonical("https://example.org/docs/a")}, record.Options{}, "/a"},
		{"canonical links of another site", map[string]string{"a.html": canonical("https://other.example/a")}, record.Options{Base: "https://example.org"}, "/a.html"},
		{"a sitemap", map[string]string{"sitemap.xml": listed, "index.html": aPage, "a.html": aPage, "b.html": aPage, "c.html": aPage}, record.Options{}, "/a /b /c.html "},
		{"a canonical link against the sitemap", map[string]string{"sitemap.xml": listed, "index.html": aPage, "a.html": canonical("a.html"), "b.html": aPage}, record.Options{}, "/a.html /b "},
		{"most links", map[string]string{"a.html": linksTo("b", "b", "b.html"), "b.html": linksTo("/c.html", "c", "c.html"), "c.html": aPage, "d.html": aPage}, record.Options{}, "/a.html /b /c.html /d.html"},
		{"most links, of pages without links", map[string]string{"a.html": linksTo("b"), "b.html": linksTo("c"), "c.html": aPage, "d.html": aPage}, record.Options{}, "/a /b /c /d"},
		{"another page there", map[string]string{"a.html": canonical("/a"), "a/index.html": aPage, "b.html": canonical("/b"), "b": aPage}, record.Options{}, "/a /a.html /b /b.html"},
		{"switched off", map[string]string{"a.html": canonical("/a")}, record.Options{Literal: true}, "/a.html"},
	} {
		pages, _, err := Read(t, treeOf(t, c.files), c.o)
		var got []string
		for _, p := range pages {
			_, path, _ := strings.Cut(strings.TrimPrefix(p.Canonical, "https://"), "/")
			if path != "" {
				path = "/" + path
			}
			got = append(got, path)
		}
		if s := strings.Join(got, " "); s != c.want || err != nil {
			t.Errorf("%s: %q, want %q (%v)", c.name, s, c.want, err)
		}
	}
}

// TestEvidenceIgnoresRuns checks that a run under construction in a folder does not change the URLs of its pages.
func TestEvidenceIgnoresRuns(t *testing.T) {
	files := map[string]string{"b.html": linksTo("c.html", "c.html"), "c.html": aPage, path.Join("a", "work", "state.json"): "{}"}
	for i := range 9 {
		files[path.Join("a", "work", "words"+string(rune('0'+i)))] = linksTo("/c", "/c", "/c")
	}
	pages, _, err := Read(t, treeOf(t, files), record.Options{})
	if got := strings.Join(pageURLs(pages), " "); got != "https://localhost/b.html https://localhost/c.html" || err != nil {
		t.Error(got, err)
	}
}

// TestErrorPages checks that what a server answers instead of an archive is not a page.
func TestErrorPages(t *testing.T) {
	root := treeOf(t, map[string]string{"a.warc.gz": aPage, "c.wacz": aPage, "d.warc.gz": string(Gzip(aPage)), "e.warc.gz": "<?xml version=\"1.0\"?><Error/>"})
	for _, name := range []string{"a.warc.gz", "c.wacz", "d.warc.gz", "e.warc.gz"} {
		_, _, err := Read(t, filepath.Join(root, name), record.Options{})
		if err == nil || !strings.Contains(err.Error(), "unsupported-format") || !strings.Contains(err.Error(), "under the name of an archive") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

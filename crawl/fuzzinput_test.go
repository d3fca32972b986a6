package crawl

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// The laws that fuzzing holds containers, lists and links to.

// zipOf writes a zip archive in memory.
func zipOf(tb testing.TB, entries ...zipEntry) []byte {
	tb.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		w, err := z.CreateHeader(&zip.FileHeader{Name: e.name, Method: e.method})
		if err != nil {
			tb.Fatal(err)
		}
		if _, err := w.Write(e.data); err != nil {
			tb.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// FuzzZip: whatever a zip says of itself, what is read of it is bounded by its size, and comes from inside of it.
func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, zipEntry{"archive/a.warc.gz", zip.Store, gz(warcPage(1))}, zipEntry{"archive/b.warc", zip.Deflate, []byte(warcPage(2))}, zipEntry{"pages/pages.jsonl", zip.Deflate, []byte(waczPages)}, zipEntry{"datapackage.json", zip.Store, []byte("{}")}))
	f.Add(zipOf(f, zipEntry{"a/index.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")}, zipEntry{"../c.html", zip.Store, []byte("<p>c")}))
	f.Add(overlapping(zipOf(f, zipEntry{"a.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")})))
	f.Add(zipOf(f, zipEntry{"x/y.jsonl", zip.Deflate, []byte(`{"url":"http://example.org/","text":"x"}`)}, zipEntry{"z.csv", zip.Store, []byte("source,target\na.com,b.com\n")}))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1<<16 {
			return
		}
		var pages []Page
		n := allocated(func() {
			src, err := sniff(inMemory("x.zip", in), Options{MaxPage: 1 << 14, MaxLine: 1 << 16}.withDefaults())
			if err != nil {
				return
			}
			defer src.Close()
			pages, _ = drain(t, src)
			if src.Offset() > src.Size() {
				t.Fatalf("%d of %d bytes read", src.Offset(), src.Size())
			}
		})
		if n > 256<<20+uint64(len(in))<<12 {
			t.Fatalf("%d bytes took %d of memory", len(in), n)
		}
		for _, p := range pages {
			if _, name, ok := strings.Cut(p.Pos.File, zipMark); sniffZip(in) && (!ok || !filepath.IsLocal(name)) {
				t.Fatalf("a page from %v", p.Pos)
			}
		}
	})
}

// FuzzWACZ: an archive and a list of pages in a WACZ say what they say alone, stored or deflated.
func FuzzWACZ(f *testing.F) {
	f.Add(gz(warcPage(1), warcPage(2)), []byte(waczPages))
	f.Add([]byte(warcPage(1)+"garbage\n"+warcPage(2)[:150]), []byte(`{"url": "x", "text": 1}`+"\n"+`{"url": "http://example.org/", "text": "\ud800"}`))
	f.Fuzz(func(t *testing.T, archive, texts []byte) {
		if len(archive)+len(texts) > 1<<15 {
			return
		}
		o := Options{MaxPage: 1 << 14, MaxLine: 1 << 14}
		var said [2][]string
		var damaged bool // behind damage a stream that cannot go back may lose what a file does not
		for i, method := range []uint16{zip.Store, zip.Deflate} {
			in := zipOf(t, zipEntry{"archive/a.warc", method, archive}, zipEntry{"pages/pages.jsonl", method, texts})
			src, err := sniff(inMemory("x.wacz", in), o.withDefaults())
			if err != nil {
				t.Fatal(err)
			}
			if src.Format() != "wacz" {
				t.Fatal(src.Format())
			}
			pages, l := drain(t, src)
			damaged = l.Count(ReasonBadGzip)+l.Count(ReasonTruncatedGzip)+l.Count(ReasonBadZstd) > 0
			for _, p := range pages {
				if p.Rendered == NotRendered || !strings.Contains(p.Pos.File, "pages.jsonl") {
					said[i] = append(said[i], fmt.Sprint(hashOf(&p)))
				} else if !bytes.Contains(texts, []byte("text")) {
					t.Fatalf("%q of %q", p.Text, texts)
				}
			}
		}
		alone, err := sniff(inMemory("a.warc", archive), o.withDefaults())
		var want []string
		if err == nil && !isZipSource(alone) {
			pages, _ := drain(t, alone)
			for _, p := range pages {
				want = append(want, fmt.Sprint(hashOf(&p)))
			}
		} else if err == nil {
			return // a zip in a zip is not read
		}
		if !slices.Equal(said[0], want) {
			t.Fatalf("stored: %v; alone: %v", said[0], want)
		}
		if swells := len(said[1]) != len(want); !slices.Equal(said[1], want) && !(swells && (damaged || len(archive) > ratioFree/maxRatio)) {
			t.Fatalf("deflated: %v; alone: %v", said[1], want)
		}
	})
}

func isZipSource(src Source) bool { _, ok := src.(*zipSource); return ok }

// FuzzSitemap: what a sitemap says is bounded and canonical; one that was written is read back.
func FuzzSitemap(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.org/docs/</loc><lastmod>2024-01-02</lastmod></url></urlset>`), "https://example.org/a?b=1&c=<d>", "2024-01-02")
	f.Add([]byte(`<sitemapindex><sitemap><loc>https://www.example.org/docs/maps/one.xml.gz</loc></sitemap><sitemap><loc>https://www.example.org/../../etc/passwd</loc></sitemap></sitemapindex>`), "https://example.org/%zz", "x")
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "&c;&c;">]><urlset><url><loc>&b;</loc></url></urlset>`), " http://Example.org/ ", "2023-05-06T07:08:09+00:00")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte, loc, lastmod string) {
		s := readSitemaps(dir, Options{}.withDefaults())
		_ = s.parse(bytes.NewReader(raw))
		checkSitemap(t, s, raw)
		var b bytes.Buffer
		b.WriteString("<urlset><url><loc>")
		_ = xml.EscapeText(&b, []byte(loc))
		b.WriteString("</loc><lastmod>")
		_ = xml.EscapeText(&b, []byte(lastmod))
		b.WriteString("</lastmod></url></urlset>")
		s = readSitemaps(dir, Options{}.withDefaults())
		if err := s.parse(bytes.NewReader(b.Bytes())); err != nil {
			t.Fatalf("%s: %v", b.Bytes(), err)
		}
		checkSitemap(t, s, b.Bytes())
		if !utf8.ValidString(loc) || strings.ContainsFunc(loc, func(r rune) bool { return r < ' ' || r >= 0xd800 }) {
			return // not to be written as XML
		}
		u, err := url.Parse(strings.TrimSpace(loc))
		if listed := len(s.locs) == 1 && s.locs[0] == strings.TrimSpace(loc); listed != (err == nil && u.Host != "") {
			t.Fatalf("%q is listed as %q", loc, s.locs)
		}
		c, err := DefaultRules().Canonical(strings.TrimSpace(loc))
		if at := parseTime(strings.TrimSpace(lastmod)); len(s.locs) == 1 && err == nil && !s.lastmod[c].Equal(at) {
			t.Fatalf("%q of %q: %v, want %v", loc, lastmod, s.lastmod, at)
		}
	})
}

func checkSitemap(t *testing.T, s *sitemap, raw []byte) {
	t.Helper()
	if n := bytes.Count(raw, []byte("<")); len(s.locs)+len(s.lastmod) > 2*n || len(s.seen) > maxSitemaps {
		t.Fatalf("%d and %d URLs of %q", len(s.locs), len(s.lastmod), raw)
	}
	for c, at := range s.lastmod {
		if again, err := DefaultRules().Canonical(c); again != c || err != nil || at.IsZero() {
			t.Fatalf("%q at %v: %q, %v", c, at, again, err)
		}
	}
	if base := s.base(); base != "" && !strings.HasPrefix(base, "http") {
		t.Fatalf("base %q of %q", base, raw)
	}
}

// FuzzTableWritten: rows that a writer of CSV writes are read back, whatever stands in the words.
func FuzzTableWritten(f *testing.F) {
	f.Add("red, \"ripe\" apple", "the\nred", byte(0))
	f.Add(" \t;|,", `"`, byte(1))
	f.Add("\xff\xfe", "ä\n\n\"\"", byte(2))
	f.Add("", "x", byte(3))
	f.Fuzz(func(t *testing.T, anchor, before string, which byte) {
		if strings.ContainsAny(anchor+before, "\\\r\x00") || !utf8.ValidString(anchor) || !utf8.ValidString(before) || strings.TrimSpace(anchor) == "" ||
			strings.Count(before+anchor, "\n") > maxRowLines/2 || len(anchor)+len(before) > maxRowBytes/4 {
			return // of backslashes there are two ways of writing, and the ends of lines inside of quotes are LF
		}
		comma := []rune{',', ';', '|'}[which%3]
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma, w.UseCRLF = comma, which%2 == 1
		row := []string{"https://a.example/", "https://b.example/", anchor, before}
		_ = w.Write([]string{"source", "target", "anchor", "before"})
		_ = w.Write(row)
		_ = w.Write(row)
		if w.Flush(); w.Error() != nil {
			return
		}
		pages, l, err := readBytes(t, b.Bytes(), Options{MaxLine: 1 << 20})
		if err != nil || len(pages) != 2 || l.Total() != 0 {
			t.Fatalf("%q: %d rows, %v, %v", b.String(), len(pages), l.Tallies(), err)
		}
		for _, p := range pages {
			if got := p.Links[0]; got.Anchor != anchor || got.Before != before {
				t.Fatalf("%q: anchor %q, before %q", b.String(), got.Anchor, got.Before)
			}
		}
	})
}

// FuzzResolve: a link leads where net/url says, as far as that knows what is lenient here; and where it leads does not
// depend on how it is written.
func FuzzResolve(f *testing.F) {
	for _, c := range []struct{ base, href string }{
		{"http://example.org/a/b?c=d", "../x"}, {"https://example.org", "?q=1"}, {"https://example.org/a/", "#top"}, {"https://example.org/a/b", "//other.example/x"},
		{"http://example.org/a/b/c/d?q=x/../y", "./../../.././g;x=1/../y"}, {"https://example.org:8080/%7Ea/", "b%2Fc"}, {"https://example.org/a:b/", "c:d"}, {"https://[::1]/a", `\x\..\y`},
		{"https:0", "//"}, {"https://example.org/a", "///x/y"}, {"https://example.org/a", "//?q"},
		{"https://example.org/a/b", ""}, {"https://example.org/a/b", "HTTP://EXAMPLE.org/./c"}, {"https://example.org/a/b", "mailto:x"},
	} {
		f.Add(c.base, c.href)
	}
	f.Fuzz(func(t *testing.T, page, href string) {
		base, err := Base(page, "")
		if err != nil {
			return
		}
		rules := DefaultRules()
		got, err := rules.Resolve(base, href)
		if err == nil {
			checkCanonical(t, rules, got)
		}
		if again, err2 := rules.Resolve(base, got); err == nil && (again != got || err2 != nil) {
			t.Fatalf("%q on %q leads to %q, and that to %q, %v", href, page, got, again, err2)
		}
		if spaced, err2 := rules.Resolve(base, " \n"+href+"\t "); spaced != got || err != err2 { //nolint:errorlint // Reasons
			t.Fatalf("%q on %q leads to %q, %v, and with space around it to %q, %v", href, page, got, err, spaced, err2)
		}
		if namesNoHost(href) && err == nil {
			t.Fatalf("%q on %q names no host and leads to %q", href, page, got)
		}
		if want, ok := byNetURL(base, href); ok && (want != got || err != nil) {
			t.Fatalf("%q on %q leads to %q, %v, by net/url to %q", href, page, got, err, want)
		}
	})
}

// namesNoHost knows links such as // and ///?q. Two slashes and more stand in front of a host, and where none follows the
// URL standard of browsers finds no URL; net/url goes to the host of the page.
func namesNoHost(href string) bool {
	rest := strings.TrimLeft(href, "/")
	return strings.HasPrefix(href, "//") && (rest == "" || rest[0] == '?' || rest[0] == '#')
}

// byNetURL is what net/url makes of a link; ok is false where the two differ by design: what is no ASCII of RFC 3986,
// a scheme before a relative path, and what names no host. Of more than two slashes in front it is not told, since for
// browsers they are two.
func byNetURL(base *url.URL, href string) (string, bool) {
	const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/?#&=+,;@!$'()*"
	if strings.Trim(href, plain) != "" || namesNoHost(href) || strings.HasPrefix(href, "//") && strings.HasPrefix(strings.TrimLeft(href, "/"), "@") {
		return "", false
	}
	for _, c := range []byte(href) {
		if strings.IndexByte(plain, c) < 0 {
			return "", false
		}
	}
	if strings.HasPrefix(href, "//") {
		href = "//" + strings.TrimLeft(href, "/")
	}
	u, err := url.Parse(href)
	if err != nil {
		return "", false
	}
	abs := base.ResolveReference(u)
	if abs.Host == "" {
		return "", false
	}
	c, err := DefaultRules().Canonical(abs.String())
	return c, err == nil
}

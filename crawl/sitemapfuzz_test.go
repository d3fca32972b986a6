package crawl

import (
	"bytes"
	"encoding/xml"
	"net/url"
	"os"
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// FuzzSitemap checks that the entries of a sitemap are bounded and canonical, and that a sitemap that was written is
// read back.
func FuzzSitemap(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.org/docs/</loc><lastmod>2024-01-02</lastmod></url></urlset>`), "https://example.org/a?b=1&c=<d>", "2024-01-02")
	f.Add([]byte(`<sitemapindex><sitemap><loc>https://www.example.org/docs/maps/one.xml.gz</loc></sitemap><sitemap><loc>https://www.example.org/../../etc/passwd</loc></sitemap></sitemapindex>`), "https://example.org/%zz", "x")
	f.Add([]byte(`<!DOCTYPE a [<!ENTITY b "&c;&c;">]><urlset><url><loc>&b;</loc></url></urlset>`), " http://Example.org/ ", "2023-05-06T07:08:09+00:00")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, raw []byte, loc, lastmod string) {
		s := readSitemaps(os.DirFS(dir), path.Clean, record.Options{}.WithDefaults())
		_ = s.parse(bytes.NewReader(raw))
		checkSitemap(t, s, raw)
		var b bytes.Buffer
		b.WriteString("<urlset><url><loc>")
		_ = xml.EscapeText(&b, []byte(loc))
		b.WriteString("</loc><lastmod>")
		_ = xml.EscapeText(&b, []byte(lastmod))
		b.WriteString("</lastmod></url></urlset>")
		s = readSitemaps(os.DirFS(dir), path.Clean, record.Options{}.WithDefaults())
		if err := s.parse(bytes.NewReader(b.Bytes())); err != nil {
			t.Fatalf("%s: %v", b.Bytes(), err)
		}
		checkSitemap(t, s, b.Bytes())
		if !utf8.ValidString(loc) || strings.ContainsFunc(loc, func(r rune) bool { return r < ' ' || r >= 0xd800 }) {
			return // cannot be written as XML
		}
		u, err := url.Parse(strings.TrimSpace(loc))
		if listed := len(s.locs) == 1 && s.locs[0] == strings.TrimSpace(loc); listed != (err == nil && u.Host != "") {
			t.Fatalf("%q is listed as %q", loc, s.locs)
		}
		c, err := urls.DefaultRules().Canonical(strings.TrimSpace(loc))
		if at := record.ParseTime(strings.TrimSpace(lastmod)); len(s.locs) == 1 && err == nil && !s.lastmod[c].Equal(at) {
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
		if again, err := urls.DefaultRules().Canonical(c); again != c || err != nil {
			t.Fatalf("%q at %v: %q, %v", c, at, again, err)
		}
	}
	if base := s.base(); base != "" && !strings.HasPrefix(base, "http") {
		t.Fatalf("base %q of %q", base, raw)
	}
}

package crawl_test

import (
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// TestSitemap reads folders with sitemaps.
func TestSitemap(t *testing.T) {
	const urlset = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>https://www.example.org/docs/</loc><lastmod>2024-01-02</lastmod></url>` +
		`<url><loc> https://www.example.org/docs/a/b.html </loc><lastmod>2023-05-06T07:08:09+00:00</lastmod></url><url><loc>https://www.example.org/docs/gone.html</loc></url></urlset>`
	pages := map[string]string{"index.html": "<p>top", "a/b.html": "<p>b"}
	with := func(name, content string) map[string]string {
		out := map[string]string{name: content}
		for k, v := range pages {
			out[k] = v
		}
		return out
	}
	index := with("sitemap.xml", `<sitemapindex><sitemap><loc>https://www.example.org/docs/maps/one.xml.gz</loc></sitemap><sitemap><loc>https://www.example.org/../../etc/passwd</loc></sitemap></sitemapindex>`)
	index["one.xml.gz"] = string(Gzip(urlset))
	const known = "https://www.example.org/docs/ 2024-01-02 https://www.example.org/docs/a/b.html 2023-05-06"
	for _, c := range []struct {
		name  string
		files map[string]string
		o     record.Options
		want  string
		left  string
	}{
		{"a list", with("sitemap.xml", urlset), record.Options{}, known, ""},
		{"compressed", with("sitemap.xml.gz", string(Gzip(urlset))), record.Options{}, known, ""},
		{"an index", index, record.Options{}, known, ""},
		{"another base", with("sitemap.xml", urlset), record.Options{Base: "https://other.example/"}, "https://other.example/ 0001-01-01 https://other.example/a/b.html 0001-01-01", ""},
		{"the same base", with("sitemap.xml", urlset), record.Options{Base: "http://example.org/docs"}, strings.ReplaceAll(known, "https://www.", "http://"), ""},
		{"of another site", with("sitemap.xml", strings.ReplaceAll(urlset, "/docs/", "/elsewhere/x")), record.Options{}, "https://localhost/ 0001-01-01 https://localhost/a/b.html 0001-01-01", ""},
		{"a page listed twice", with("sitemap.xml", strings.Replace(urlset, "</urlset>", "<url><loc>https://example.org/docs/a/b.html</loc><lastmod>2020</lastmod></url></urlset>", 1)), record.Options{}, known, ""},
		{"that stops", with("sitemap.xml", urlset[:len(urlset)-60]), record.Options{}, known, "bad-sitemap=1"},
		{"of nothing", with("sitemap.xml", "<x/>"), record.Options{}, "https://localhost/ 0001-01-01 https://localhost/a/b.html 0001-01-01", "bad-sitemap=1"},
	} {
		dir := treeOf(t, c.files)
		src, err := crawl.Open(dir, c.o)
		if err != nil {
			t.Fatal(err)
		}
		got, l := Drain(t, src)
		var list []string
		for i := len(got) - 1; i >= 0; i-- {
			list = append(list, got[i].URL+got[i].Time.Format(" 2006-01-02"))
		}
		var left []string
		for r := range strings.FieldsSeq(LeftOut(l)) {
			if !strings.HasPrefix(r, "not-html") { // the sitemaps themselves
				left = append(left, r)
			}
		}
		if s := strings.Join(list, " "); s != c.want || strings.Join(left, " ") != c.left {
			t.Errorf("%s: %s, %v; want %s, %s", c.name, s, l.Tallies(), c.want, c.left)
		}
	}
}

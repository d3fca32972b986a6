package crawl_test

import (
	"archive/zip"
	"bytes"
	"context"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// urlsIn returns the URLs of the pages of an input.
func urlsIn(t *testing.T, path string, o record.Options) (out []string) {
	t.Helper()
	src, err := crawl.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for rec, err := range src.Records(context.Background()) {
		if err != nil {
			continue
		}
		p, err := rec.Page()
		if err == nil {
			out = append(out, p.URL+"@"+p.Time.Format("2006"))
		}
	}
	slices.Sort(out)
	return out
}

// A site in a zip or tar archive has the URLs that it has in a folder, also if the archive holds the folder itself, whatever
// the order of its files.
func TestSiteInside(t *testing.T) {
	sitemap := func(base string) string {
		return `<urlset><url><loc>` + base + `</loc></url><url><loc>` + base + `guide</loc><lastmod>2021-02-03</lastmod></url></urlset>`
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"links": {map[string]string{"index.html": linksTo("/guide", "/team"), "guide.html": linksTo("/team"), "team.html": aPage},
			[]string{"https://localhost/@0001", "https://localhost/guide@0001", "https://localhost/team@0001"}},
		"canonical link": {map[string]string{"index.html": aPage, "a.html": canonical("/a")}, []string{"https://localhost/@0001", "https://localhost/a@0001"}},
		"sitemap": {map[string]string{"sitemap.xml": sitemap("https://example.org/docs/"), "index.html": aPage, "guide.html": aPage},
			[]string{"https://example.org/docs/@0001", "https://example.org/docs/guide@2021"}},
	} {
		for _, top := range []string{"", "site/"} {
			if top != "" && name != "sitemap" {
				continue // its name is a part of the URLs
			}
			root := treeOf(t, c.files)
			var b bytes.Buffer
			var files []zipEntry
			z := zip.NewWriter(&b)
			for _, file := range slices.Sorted(maps.Keys(c.files)) {
				w, err := z.Create(top + file)
				if err == nil {
					_, err = w.Write([]byte(c.files[file]))
				}
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, zipEntry{name: top + file, data: []byte(c.files[file])})
			}
			if err := z.Close(); err != nil {
				t.Fatal(err)
			}
			tars := string(tarOf(t, files...))
			slices.Reverse(files)
			reversed := string(tarOf(t, files...))
			for packed, content := range map[string]string{"x.zip": b.String(), "x.tar": tars, "y.tar": reversed, "x.tgz": string(Gzip(tars)), "y.tar.gz": string(Gzip(reversed))} {
				path := filepath.Join(treeOf(t, map[string]string{packed: content}), packed)
				if d := cmp.Diff(c.want, urlsIn(t, path, record.Options{})); d != "" {
					t.Errorf("%s in %q of %s: %s", name, top, packed, d)
				}
			}
			if d := cmp.Diff(c.want, urlsIn(t, root, record.Options{})); d != "" {
				t.Errorf("%s in a folder: %s", name, d)
			}
		}
	}
}

// Texts of shards with one name in several folders have different ids.
func TestShardNames(t *testing.T) {
	names := []string{"a/x/part-0.jsonl", "b/x/part-0.jsonl", "b/part-1.jsonl"}
	files, all := map[string]string{}, []string{}
	for _, name := range names {
		files[name] = `{"text":"one text"}`
	}
	dir := treeOf(t, files)
	for _, name := range names {
		all = append(all, filepath.Join(dir, filepath.FromSlash(name)))
	}
	for i, want := range []string{"a/x/part-0.jsonl#1@0001", "b/x/part-0.jsonl#1@0001", "part-1.jsonl#1@0001"} {
		if got := urlsIn(t, all[i], record.Options{Archives: all}); len(got) != 1 || got[0] != want {
			t.Errorf("%s: %q", all[i], got)
		}
	}
}

// TestMAFF reads pages that Firefox saved: their URLs are in index.rdf, and their frames are no pages.
func TestMAFF(t *testing.T) {
	entries := []zipEntry{{"1/index.html", zip.Deflate, []byte("<title>one</title>" + someWords)}, {"1/index_files/frame.html", zip.Deflate, []byte("<p>frame")},
		{"1/index.rdf", zip.Deflate, []byte("<RDF:RDF>\n<MAF:originalurl RDF:resource=\"https://example.org/p?a=1&amp;b=2\"/>\n<MAF:title RDF:resource=\"one\"/>\n" +
			"<MAF:archivetime RDF:resource=\"Sat, 04 May 2019 10:00:00 GMT\"/>")}}
	for name, b := range map[string][]byte{"x.maff": zipOf(t, entries...), "x.tar": tarOf(t, entries...)} {
		pages, l, err := Read(t, file(t, name, b), record.Options{})
		if err != nil || len(pages) != 1 || pages[0].URL != "https://example.org/p?a=1&b=2" || pages[0].Time.Year() != 2019 || l.Count(record.ReasonCompanion) != 1 {
			t.Errorf("%s: %+v, %+v, %v", name, pages, l.Tallies(), err)
		}
	}
}

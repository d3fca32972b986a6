package crawl_test

import (
	"archive/zip"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// The laws that fuzzing checks for containers, lists and links.

// FuzzZip checks that whatever a zip archive claims, the amount read is bounded by its size and comes from inside the
// archive.
func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, zipEntry{"archive/a.warc.gz", zip.Store, Gzip(WarcPage(1))}, zipEntry{"archive/b.warc", zip.Deflate, []byte(WarcPage(2))}, zipEntry{"pages/pages.jsonl", zip.Deflate, []byte(waczPages)}, zipEntry{"datapackage.json", zip.Store, []byte("{}")}))
	f.Add(zipOf(f, zipEntry{"a/index.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")}, zipEntry{"../c.html", zip.Store, []byte("<p>c")}))
	f.Add(overlapping(zipOf(f, zipEntry{"a.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")})))
	f.Add(zipOf(f, zipEntry{"x/y.jsonl", zip.Deflate, []byte(`{"url":"http://example.org/","text":"x"}`)}, zipEntry{"z.csv", zip.Store, []byte("source,target\na.com,b.com\n")}))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1<<16 {
			return
		}
		var pages []record.Page
		n := Allocated(func() {
			src, err := crawl.Sniff(InMemory("x.zip", in), record.Options{MaxPage: 1 << 14, MaxLine: 1 << 16}.WithDefaults())
			if err != nil {
				return
			}
			defer src.Close()
			pages, _ = Drain(t, src)
			if src.Offset() > src.Size() {
				t.Fatalf("%d of %d bytes read", src.Offset(), src.Size())
			}
		})
		if n > 256<<20+uint64(len(in))<<12 {
			t.Fatalf("%d bytes took %d of memory", len(in), n)
		}
		for _, p := range pages {
			if _, name, ok := strings.Cut(p.Pos.File, crawl.ZipMark); crawl.SniffZip(in) && (!ok || !filepath.IsLocal(name)) {
				t.Fatalf("a page from %v", p.Pos)
			}
		}
	})
}

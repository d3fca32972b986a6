package crawl_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/crawltest"
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// The laws that fuzzing checks for containers, lists and links.

// FuzzZip checks that whatever a zip archive claims, the amount that is read is bounded by its size, and comes from
// inside the archive.
func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, zipEntry{"archive/a.warc.gz", zip.Store, crawltest.Gzip(crawltest.WarcPage(1))}, zipEntry{"archive/b.warc", zip.Deflate, []byte(crawltest.WarcPage(2))}, zipEntry{"pages/pages.jsonl", zip.Deflate, []byte(waczPages)}, zipEntry{"datapackage.json", zip.Store, []byte("{}")}))
	f.Add(zipOf(f, zipEntry{"a/index.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")}, zipEntry{"../c.html", zip.Store, []byte("<p>c")}))
	f.Add(overlapping(zipOf(f, zipEntry{"a.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")})))
	f.Add(zipOf(f, zipEntry{"x/y.jsonl", zip.Deflate, []byte(`{"url":"http://example.org/","text":"x"}`)}, zipEntry{"z.csv", zip.Store, []byte("source,target\na.com,b.com\n")}))
	f.Fuzz(func(t *testing.T, in []byte) {
		if len(in) > 1<<16 {
			return
		}
		var pages []record.Page
		n := crawltest.Allocated(func() {
			src, err := crawl.Sniff(crawltest.InMemory("x.zip", in), record.Options{MaxPage: 1 << 14, MaxLine: 1 << 16}.WithDefaults())
			if err != nil {
				return
			}
			defer src.Close()
			pages, _ = crawltest.Drain(t, src)
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

// FuzzWACZ checks that an archive and a list of pages give the same in a WACZ as on their own, stored or deflated.
func FuzzWACZ(f *testing.F) {
	f.Add(crawltest.Gzip(crawltest.WarcPage(1), crawltest.WarcPage(2)), []byte(waczPages))
	f.Add([]byte(crawltest.WarcPage(1)+"garbage\n"+crawltest.WarcPage(2)[:150]), []byte(`{"url": "x", "text": 1}`+"\n"+`{"url": "http://example.org/", "text": "\ud800"}`))
	f.Fuzz(func(t *testing.T, archive, texts []byte) {
		if len(archive)+len(texts) > 1<<15 {
			return
		}
		o := record.Options{MaxPage: 1 << 14, MaxLine: 1 << 14}
		var said [2][]string
		var damaged bool // after damage, a stream that cannot seek may lose what a file does not
		for i, method := range []uint16{zip.Store, zip.Deflate} {
			in := zipOf(t, zipEntry{"archive/a.warc", method, archive}, zipEntry{"pages/pages.jsonl", method, texts})
			src, err := crawl.Sniff(crawltest.InMemory("x.wacz", in), o.WithDefaults())
			if err != nil {
				t.Fatal(err)
			}
			if src.Format() != "wacz" {
				t.Fatal(src.Format())
			}
			pages, l := crawltest.Drain(t, src)
			damaged = l.Count(record.ReasonBadGzip)+l.Count(record.ReasonTruncatedGzip)+l.Count(record.ReasonBadZstd) > 0
			for _, p := range pages {
				if p.Rendered == record.NotRendered || !strings.Contains(p.Pos.File, "pages.jsonl") {
					said[i] = append(said[i], fmt.Sprint(crawltest.HashOf(&p)))
				} else if !bytes.Contains(texts, []byte("text")) {
					t.Fatalf("%q of %q", p.Text, texts)
				}
			}
		}
		alone, err := crawl.Sniff(crawltest.InMemory("a.warc", archive), o.WithDefaults())
		var want []string
		if err == nil && !isZipSource(alone) {
			pages, _ := crawltest.Drain(t, alone)
			for _, p := range pages {
				want = append(want, fmt.Sprint(crawltest.HashOf(&p)))
			}
		} else if err == nil {
			return // a zip archive in a zip archive is not read
		}
		if !slices.Equal(said[0], want) {
			t.Fatalf("stored: %v; alone: %v", said[0], want)
		}
		if swells := len(said[1]) != len(want); !slices.Equal(said[1], want) && !(swells && (damaged || len(archive) > payload.RatioFree/payload.MaxRatio)) {
			t.Fatalf("deflated: %v; alone: %v", said[1], want)
		}
	})
}

func isZipSource(src record.Source) bool { _, ok := src.(*crawl.ZipSource); return ok }

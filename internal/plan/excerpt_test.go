package plan

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/lshclust/lshclust/crawl"
	"github.com/parquet-go/parquet-go"
)

// generated is the number of pages of an input.
const generated = 600

// records are the lines or archive records of pages, of very different lengths, by the form of the input.
func records(form string) (all [][]byte) {
	for i := range generated {
		text := strings.Repeat(fmt.Sprintf("paragraph %d of page %d. ", i*i, i), 10+i%7*40)
		url := fmt.Sprintf("https://p.example/%d", i)
		page := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<title>%d</title><p>%s", i, text)
		r := map[string]string{
			"pages": fmt.Sprintf("{\"url\":%q,\"text\":%q}\n", url, text),
			"links": strings.Repeat(fmt.Sprintf("%s\thttps://t.example/%d\tan anchor\n", url, i), 20),
			"warc": fmt.Sprintf("WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: %s\r\nWARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
				url, len(page), page),
		}[form]
		all = append(all, []byte(r))
	}
	return all
}

func packed(t *testing.T, open func(w io.Writer) io.WriteCloser, parts ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts {
		w := open(&b)
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
		must(t, w.Close())
	}
	return b.Bytes()
}

func gzipped(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) }

func zstded(w io.Writer) io.WriteCloser {
	z, _ := zstd.NewWriter(w)
	return z
}

// files are inputs of every kind.
func files(t *testing.T) map[string][]byte {
	pages, archive := bytes.Join(records("pages"), nil), bytes.Join(records("warc"), nil)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for i := range 300 {
		f, err := z.Create(fmt.Sprintf("site/%d.html", i))
		must(t, err)
		fmt.Fprintf(f, "<title>%d</title>%s", i, strings.Repeat(fmt.Sprintf("<p>paragraph %d", i), 300))
	}
	must(t, z.Close())
	type row struct {
		URL  string `parquet:"url"`
		Text string `parquet:"text"`
	}
	var rows bytes.Buffer
	p := parquet.NewGenericWriter[row](&rows, parquet.MaxRowsPerRowGroup(500))
	for i := range 3000 {
		if _, err := p.Write([]row{{fmt.Sprintf("https://p.example/%d", i), fmt.Sprintf("text of page %d %s", i, strings.Repeat(fmt.Sprint(i*i), 60))}}); err != nil {
			t.Fatal(err)
		}
	}
	must(t, p.Close())
	return map[string][]byte{
		"pages.jsonl": pages, "pages.jsonl.gz": packed(t, gzipped, pages), "pages.jsonl.zst": packed(t, zstded, pages),
		"links.tsv": append([]byte("source\ttarget\tanchor\n"), bytes.Join(records("links"), nil)...), "crawl.warc": archive, "one.warc.gz": packed(t, gzipped, archive),
		"crawl.warc.gz": packed(t, gzipped, records("warc")...), "site.zip": zipped.Bytes(), "pages.parquet": rows.Bytes(),
	}
}

// names returns the URLs of the pages of an input, or the rows of a table of links.
func names(t *testing.T, path string) map[string]bool {
	t.Helper()
	src, err := crawl.Open(path, crawl.Options{})
	must(t, err)
	defer src.Close()
	out := map[string]bool{}
	for r, err := range src.Records(t.Context()) {
		if err != nil {
			continue
		}
		if p, err := r.Page(); err == nil {
			out[p.URL+fmt.Sprint(len(p.Links))] = true
		}
	}
	return out
}

// TestExcerpt checks for each format that an excerpt holds records of the input and no others, and about as large a share
// of them as it says, which is one of bytes: some pages are far longer than others.
func TestExcerpt(t *testing.T) {
	for name, content := range files(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			must(t, os.WriteFile(path, content, 0o600))
			budget, within := len(content)/10, 2.0
			if strings.Contains(name, ".jsonl.") || name == "one.warc.gz" { // a stream of few blocks
				budget, within = len(content)*2/3, 4
			}
			made, said, err := excerpt(t.TempDir(), path, int64(budget))
			must(t, err)
			if made == path || said >= 1 || said <= 0 {
				t.Fatalf("%s, %.3f of %d bytes", made, said, len(content))
			}
			all, some := names(t, path), names(t, made)
			strange := 0
			for n := range some {
				if !all[n] {
					strange++
				}
			}
			if strange > len(some)/20 {
				t.Errorf("%d of %d records are not in the input", strange, len(some))
			}
			share := float64(len(some)) / float64(len(all))
			if math.Abs(math.Log(share/said)) > math.Log(within) {
				t.Errorf("%d of %d records, a share of %.3f, and it says %.3f", len(some), len(all), share, said)
			}
			if whole, share, err := excerpt(t.TempDir(), path, 1<<30); err != nil || whole != path || share != 1 {
				t.Errorf("with room for all: %s, %.3f, %v", whole, share, err)
			}
		})
	}
}

// TestFolder checks that the excerpt of a folder has some of its files, and its sitemap.
func TestFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "www.example.org")
	for i := range 200 {
		path := filepath.Join(root, fmt.Sprint(i%7), fmt.Sprintf("%d.html", i))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, bytes.Repeat([]byte("<p>text"), 1000), 0o600))
	}
	must(t, os.WriteFile(filepath.Join(root, "sitemap.xml"), []byte("<urlset></urlset>"), 0o600))
	made, share, err := excerpt(t.TempDir(), root, 100<<10)
	must(t, err)
	if _, err := os.Stat(filepath.Join(made, "sitemap.xml")); err != nil || filepath.Base(made) != "www.example.org" {
		t.Errorf("%s: %v", made, err)
	}
	if n := len(names(t, made)); n < 10 || n > 20 {
		t.Errorf("%d files, a share of %.3f", n, share)
	}
}

// TestHostile checks that files that are no crawl have an excerpt, which may be the file itself, and that it does not
// take long.
func TestHostile(t *testing.T) {
	zeros := make([]byte, 64<<20)
	for name, content := range map[string][]byte{
		"empty": {}, "short": []byte("x"), "zeros": zeros[:4<<20], "one line": bytes.Repeat([]byte("x"), 4<<20),
		"magic.gz": append([]byte{0x1f, 0x8b, 8}, zeros[:4<<20]...), "magic.zst": append([]byte{0x28, 0xb5, 0x2f, 0xfd}, zeros[:4<<20]...),
		"magic.zip": append([]byte("PK\x03\x04"), zeros[:4<<20]...), "magic.parquet": append([]byte("PAR1"), zeros[:4<<20]...),
		"magic.warc": append([]byte("WARC/1.0\r\n"), zeros[:4<<20]...), "bomb.gz": packed(t, gzipped, zeros),
		"many.gz": bytes.Repeat(packed(t, gzipped, []byte("{}\n")), 100_000), "magics": bytes.Repeat(gzipMagic, 1<<20),
		"cut.gz": packed(t, gzipped, bytes.Repeat([]byte("{\"url\":\"x\"}\n"), 1<<20))[:10_000],
	} {
		path := filepath.Join(t.TempDir(), name)
		must(t, os.WriteFile(path, content, 0o600))
		if made, share, err := excerpt(t.TempDir(), path, 64<<10); err != nil || !(share >= 0) || share > 1 {
			t.Errorf("%s: %s, %.3f, %v", name, made, share, err)
		}
	}
	if _, _, err := excerpt(t.TempDir(), filepath.Join(t.TempDir(), "missing"), 1); err == nil {
		t.Error("a missing file has an excerpt")
	}
}

package excerpt

import (
	"archive/zip"
	"bytes"
	"context"
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
	"github.com/lshclust/lshclust/internal/workload"
	"github.com/parquet-go/parquet-go"
)

// generated is the number of pages of a world.
const generated = 600

func world(t *testing.T) *workload.World {
	t.Helper()
	w, err := workload.New(workload.Config{Pages: generated, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

func written(t *testing.T, write func(ctx context.Context, w io.Writer, from, to int64) error, from, to int64) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := write(t.Context(), &b, from, to); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func packed(t *testing.T, open func(w io.Writer) io.WriteCloser, parts ...[]byte) []byte {
	t.Helper()
	var b bytes.Buffer
	for _, p := range parts {
		w := open(&b)
		if _, err := w.Write(p); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
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
	w := world(t)
	pages, archive := written(t, w.WritePages, 0, generated), written(t, w.WriteWARC, 0, generated)
	var members [][]byte
	for i := range int64(generated) {
		members = append(members, written(t, w.WriteWARC, i, i+1))
	}
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for i := range 300 {
		f, err := z.Create(fmt.Sprintf("site/%d.html", i))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(f, "<title>%d</title>%s", i, strings.Repeat(fmt.Sprintf("<p>paragraph %d", i), 300))
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
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
	if err := p.Close(); err != nil {
		t.Fatal(err)
	}
	return map[string][]byte{
		"pages.jsonl": pages, "pages.jsonl.gz": packed(t, gzipped, pages), "pages.jsonl.zst": packed(t, zstded, pages),
		"links.tsv": written(t, w.WriteLinks, 0, generated), "crawl.warc": archive, "one.warc.gz": packed(t, gzipped, archive),
		"crawl.warc.gz": packed(t, gzipped, members...), "site.zip": zipped.Bytes(), "pages.parquet": rows.Bytes(),
	}
}

// names returns the URLs of the pages of an input, or the rows of a table of links.
func names(t *testing.T, path string) map[string]bool {
	t.Helper()
	src, err := crawl.Open(path, crawl.Options{})
	if err != nil {
		t.Fatal(err)
	}
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

// TestMake checks for each format that an excerpt holds records of the input and no others, from its last tenth too,
// and about as large a share of them as it says, which is one of bytes: some pages are far longer than others.
func TestMake(t *testing.T) {
	const budget = 300 << 10
	for name, content := range files(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, content, 0o600); err != nil {
				t.Fatal(err)
			}
			x, err := Make(t.TempDir(), path, budget)
			if err != nil {
				t.Fatal(err)
			}
			if x.Path == path || x.Share >= 1 || x.Share <= 0 || x.Reached < 0.9 {
				t.Fatalf("%+v of %d bytes", x, len(content))
			}
			all, some := names(t, path), names(t, x.Path)
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
			if math.Abs(math.Log(share/x.Share)) > math.Log(2) {
				t.Errorf("%d of %d records, a share of %.3f, and it says %.3f", len(some), len(all), share, x.Share)
			}
			whole, err := Make(t.TempDir(), path, 1<<30)
			if err != nil || whole.Path != path || whole.Share != 1 {
				t.Errorf("with room for all: %+v, %v", whole, err)
			}
		})
	}
}

// TestFolder checks that the excerpt of a folder has some of its files, and its sitemap.
func TestFolder(t *testing.T) {
	root := filepath.Join(t.TempDir(), "www.example.org")
	for i := range 200 {
		path := filepath.Join(root, fmt.Sprint(i%7), fmt.Sprintf("%d.html", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, bytes.Repeat([]byte("<p>text"), 1000), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "sitemap.xml"), []byte("<urlset></urlset>"), 0o600); err != nil {
		t.Fatal(err)
	}
	x, err := Make(t.TempDir(), root, 100<<10)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(x.Path, "sitemap.xml")); err != nil || filepath.Base(x.Path) != "www.example.org" {
		t.Errorf("%+v: %v", x, err)
	}
	if n := len(names(t, x.Path)); n < 10 || n > 20 {
		t.Errorf("%d files, a share of %.3f", n, x.Share)
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
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		x, err := Make(t.TempDir(), path, 64<<10)
		if err != nil || !(x.Share >= 0) || x.Share > 1 || !(x.Reached > 0) || x.Reached > 1 {
			t.Errorf("%s: %+v, %v", name, x, err)
		}
	}
	if _, err := Make(t.TempDir(), filepath.Join(t.TempDir(), "missing"), 1); err == nil {
		t.Error("a missing file has an excerpt")
	}
}

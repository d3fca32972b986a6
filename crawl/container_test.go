package crawl_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/s2"
	"github.com/pierrec/lz4/v4"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// tarOf returns a tar archive. A name that ends with "->" is a hard link, "=>" a symbolic one.
func tarOf(t testing.TB, entries ...zipEntry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Size: int64(len(e.data)), Mode: 0o644, Typeflag: tar.TypeReg}
		if name, ok := strings.CutSuffix(e.name, "->"); ok {
			h = &tar.Header{Name: name, Linkname: "a.html", Typeflag: tar.TypeLink}
		}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(e.data); err != nil && h.Size > 0 {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// packers compress with each codec whose writer is in Go.
var packers = map[string]func(w io.Writer) io.WriteCloser{
	".lz4": func(w io.Writer) io.WriteCloser { return lz4.NewWriter(w) },
	".sz":  func(w io.Writer) io.WriteCloser { return s2.NewWriter(w, s2.WriterSnappyCompat()) },
	".br":  func(w io.Writer) io.WriteCloser { return brotli.NewWriter(w) },
}

func packedBy(suffix string, parts ...string) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		w := packers[suffix](&b)
		_, _ = io.WriteString(w, p)
		w.Close()
	}
	return b.Bytes()
}

const xzMagic = "\xfd7zXZ\x00"

// containers holds files with the pages 1 and 2 of WarcPage, in containers of every kind.
func containers(t *testing.T) map[string][]byte {
	archive := Gzip(WarcPage(1), WarcPage(2))
	wacz := zipOf(t, zipEntry{"archive/a.warc.gz", zip.Store, archive}, zipEntry{"datapackage.json", zip.Deflate, []byte("{}")})
	half := func(i int) []byte {
		return zipOf(t, zipEntry{"archive/a.warc.gz", zip.Store, Gzip(WarcPage(i))})
	}
	multi := zipOf(t, zipEntry{"datapackage.json", zip.Store, []byte(`{"profile": "multi-wacz-package"}`)}, zipEntry{"a.wacz", zip.Store, half(1)}, zipEntry{"b.wacz", zip.Deflate, half(2)})
	tars := tarOf(t, zipEntry{name: "x/a.warc.gz", data: archive})
	return map[string][]byte{
		"multi.wacz": multi, "of.zip": zipOf(t, zipEntry{"coll/x.wacz", zip.Store, wacz}), "in.zip": zipOf(t, zipEntry{"m.wacz", zip.Deflate, multi}),
		"x.wacz.gz": Gzip(string(wacz)), "x.tar": tars, "x.tar.gz": Gzip(string(tars)), "x.tar.zst": Zstd(nil, string(tars)),
		"x.tar.lz4": packedBy(".lz4", string(tars)), "tar.zip": zipOf(t, zipEntry{"x.tar.gz", zip.Deflate, Gzip(string(tars))}), "zip.tar": tarOf(t, zipEntry{name: "m.wacz", data: multi}),
		"zip.tgz": Gzip(string(tarOf(t, zipEntry{name: "m.wacz", data: multi}))), "packed.zip": zipOf(t, zipEntry{"c/datapackage.json", zip.Store, []byte("{}")}, zipEntry{"c/README.html", zip.Store, []byte("<p>x")}, zipEntry{"c/archive/a.warc.gz", zip.Store, archive}),
		"a.warc.lz4": packedBy(".lz4", WarcPage(1), WarcPage(2)), "a.warc.sz": packedBy(".sz", WarcPage(1), WarcPage(2)), "two.warc.bz2": fileOf(t, "testdata/two.warc.bz2"), "two.warc.xz": fileOf(t, "testdata/two.warc.xz"),
		"a.warc.br": packedBy(".br", WarcPage(1)+WarcPage(2)),
	}
}

// A file gives the same pages whether it can seek or not, and a Fetcher reads their records again if they say so.
func TestContainers(t *testing.T) {
	for name, b := range containers(t) {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(path, b, 0o666); err != nil {
				t.Fatal(err)
			}
			src, err := crawl.Open(path, record.Options{Workers: 3, Range: 100})
			if err != nil {
				t.Fatal(err)
			}
			defer src.Close()
			var f crawl.Fetcher
			defer f.Close()
			pages := ""
			for rec, err := range src.Records(t.Context()) {
				if skip, ok := err.(*record.Skip); ok && !skip.Reason.Damage() { //nolint:errorlint // a source yields it as it is
					continue
				} else if err != nil {
					t.Fatal(err)
				}
				pages += strings.TrimPrefix(rec.URL, "http://example.org/")
				again, err := f.Record(rec.Pos)
				if packed := strings.HasPrefix(name, "x.tar.") || name == "zip.tgz" || name == "tar.zip"; rec.Again() == packed {
					t.Errorf("%v can be read again: %v", rec.Pos, rec.Again())
				}
				if rec.Again() && (err != nil || !bytes.Equal(again.Data, rec.Data)) {
					t.Errorf("%v again: %v", rec.Pos, err)
				}
			}
			stream, err := crawl.NewSource(name, io.MultiReader(bytes.NewReader(b)), record.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer stream.Close()
			same, l := Drain(t, stream)
			if pages != "12" || Ends(same) != "1 2" || l.Damaged() > 0 {
				t.Errorf("%q, from a stream %q, %v", pages, Ends(same), l.Tallies())
			}
		})
	}
}

func TestTar(t *testing.T) {
	page := zipEntry{name: "./a.html", data: []byte("<p>a")}
	two := zipEntry{name: "www.example.org/b/index.html", data: []byte("<p>b")}
	whole := tarOf(t, page, two)
	bad := bytes.Clone(tarOf(t, page, page, two))
	bad[1024+3] ^= 0xff
	for name, c := range map[string]struct {
		b           []byte
		pages, left string
	}{
		"whole":      {whole, "https://localhost/a.html https://www.example.org/b/", ""},
		"one file":   {tarOf(t, page), "https://localhost/a.html", ""},
		"long name":  {tarOf(t, zipEntry{name: strings.Repeat("d/", 120) + "é.html", data: page.data}), "https://localhost/" + strings.Repeat("d/", 120) + "%C3%A9.html", ""},
		"links":      {tarOf(t, page, zipEntry{name: "b.html->"}, zipEntry{name: "b.png->"}), "https://localhost/a.html", "looks-like-html=1 not-html=1"},
		"unsafe":     {tarOf(t, zipEntry{name: "../b.html", data: page.data}, page), "https://localhost/a.html", "unsafe-name=1"},
		"companions": {tarOf(t, zipEntry{name: "__MACOSX/._a.html", data: []byte("x")}, zipEntry{name: "._a.html", data: []byte("x")}, page), "https://localhost/a.html", "companion-file=2"},
		"unmarked":   {whole[:2048], "https://localhost/a.html https://www.example.org/b/", "bad-tar=1"},
		"cut":        {whole[:1030], "https://localhost/a.html", "bad-tar=1"},
		"two":        {append(bytes.Clone(whole), tarOf(t, zipEntry{name: "c.html", data: page.data})...), "https://localhost/a.html https://www.example.org/b/ https://localhost/c.html", ""},
		"bad header": {bad, "https://localhost/a.html https://www.example.org/b/", "bad-tar=1"},
		"empty":      {make([]byte, 10<<10), "", ""},
	} {
		for _, in := range []io.Reader{bytes.NewReader(c.b), io.MultiReader(bytes.NewReader(c.b))} {
			src, err := crawl.NewSource("x.tar", in, record.Options{})
			if err != nil {
				if c.pages != "" {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			pages, l := Drain(t, src)
			var urls []string
			for _, p := range pages {
				urls = append(urls, p.URL)
			}
			if got := strings.Join(urls, " "); got != c.pages || LeftOut(l) != c.left {
				t.Errorf("%s: %q, %q; want %q, %q", name, got, LeftOut(l), c.pages, c.left)
			}
		}
	}
}

// What is in the archives is bounded, however deep they are in each other and whatever they claim.
func TestContainerBombs(t *testing.T) {
	wacz := zipOf(t, zipEntry{"archive/a.warc", zip.Store, []byte(WarcPage(1))})
	deep := wacz
	for range 10 {
		deep = zipOf(t, zipEntry{"x.zip", zip.Deflate, deep})
	}
	var many []zipEntry
	for i := range 2000 {
		many = append(many, zipEntry{fmt.Sprintf("%d.wacz", i), zip.Store, wacz})
	}
	xz := append([]byte(xzMagic), "\x00\x04\xe6\xd6\xb4\x46\x02\x00\x21\x01\x28\x00\x00\x00"...) // a dictionary of 4 GiB
	for name, c := range map[string]struct {
		in    io.Reader
		pages int
		left  string
	}{
		"deep.zip":   {bytes.NewReader(deep), 0, "unsupported-format=1"},
		"many.zip":   {bytes.NewReader(zipOf(t, many...)), 2000, ""},
		"zeros.tar":  {io.MultiReader(bytes.NewReader(tarHead("a.html", 1<<30)), io.LimitReader(same(0), 1<<30)), 0, "not-html=1"},
		"sparse.tar": {bytes.NewReader(sparse(1 << 40)), 0, "not-html=1"},
		"zeros.lz4":  {bytes.NewReader(packedBy(".lz4", `{"url":"https://a.example/","html":"`+strings.Repeat("x", 64<<20)+"\"}\n"+`{"url":"https://a.example/b","html":"<p>"}`)), 1, "line-too-long=1"},
		"xz.jsonl":   {bytes.NewReader(xz), 0, "bad-compression=1"},
	} {
		t.Run(name, func(t *testing.T) {
			memory := newWatermark()
			src, err := crawl.NewSource(name, c.in, record.Options{MaxLine: 8 << 20, MaxPage: 1 << 20})
			pages, l := []record.Page(nil), &crawl.Ledger{}
			if l.Add(err); err == nil {
				pages, l = Drain(t, src)
				src.Close()
			}
			if len(pages) != c.pages || LeftOut(l) != c.left {
				t.Errorf("%d pages, %q left out; want %d, %q", len(pages), LeftOut(l), c.pages, c.left)
			}
			if most := memory.end(); most > 256<<20 {
				t.Errorf("%d MiB", most>>20)
			}
		})
	}
}

// tarHead returns the header of a file in a tar archive.
func tarHead(name string, size int64) []byte {
	var b bytes.Buffer
	_ = tar.NewWriter(&b).WriteHeader(&tar.Header{Name: name, Size: size, Mode: 0o644})
	return b.Bytes()
}

// sparse returns a tar archive of a page that is a hole of n bytes, in the old form of GNU.
func sparse(n int64) []byte {
	b := tarHead("a.html", 0)
	b[156] = 'S'
	copy(b[257:], "ustar  \x00")
	clear(b[345:])
	number := func(at int, n int64) {
		b[at] = 0x80
		binary.BigEndian.PutUint64(b[at+4:], uint64(n))
	}
	number(386, n) // where the only piece of content is, and its size
	number(398, 0)
	number(483, n)
	copy(b[148:156], "        ")
	sum := 0
	for _, c := range b {
		sum += int(c)
	}
	copy(b[148:156], fmt.Sprintf("%06o\x00 ", sum))
	return append(b, make([]byte, 1024)...)
}

// FuzzTar checks that whatever a tar archive claims, reading it ends, and pages come from it.
func FuzzTar(f *testing.F) {
	f.Add(tarOf(f, zipEntry{name: "a.html", data: []byte("<p>a")}, zipEntry{name: "x/b.warc", data: []byte(WarcPage(1))}))
	f.Add(sparse(1 << 40))
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) > 1<<16 {
			return
		}
		seekable, l, err := ReadBytes(t, b, record.Options{})
		if err != nil {
			return
		}
		src, err := crawl.NewSource("memory", io.MultiReader(bytes.NewReader(b)), record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		if pages, again := Drain(t, src); len(pages) != len(seekable) || again.Total() != l.Total() {
			t.Fatalf("%d pages and %v, from a stream %d and %v", len(seekable), l.Tallies(), len(pages), again.Tallies())
		}
	})
}

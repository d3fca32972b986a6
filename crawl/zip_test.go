package crawl_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

const waczPages = `{"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}
{"id": "1", "url": "http://example.org/1", "ts": "2020-01-02T03:04:09.123Z", "title": "One", "text": "what it shows"}
{"id": "2", "url": "http://example.org/2", "ts": "2020-01-02T03:04:09Z"}
`

func TestWACZ(t *testing.T) {
	path := writeZip(t, "x.wacz", nil,
		zipEntry{"archive/a.warc.gz", zip.Store, Gzip(WarcPage(1), WarcPage(2))},
		zipEntry{"archive/b.warc.gz", zip.Deflate, Gzip(WarcPage(3))},
		zipEntry{"archive/c.warc.gz", zip.Store, Gzip(WarcPage(4), WarcPage(5))[:200]},
		zipEntry{"indexes/index.cdx.gz", zip.Store, Gzip("x")}, zipEntry{"pages/pages.jsonl", zip.Deflate, []byte(waczPages)}, zipEntry{"datapackage.json", zip.Deflate, []byte("{}")},
	)
	pages, l, err := Read(t, path, record.Options{Workers: 2, Range: 100})
	if err != nil || Ends(pages) != "1 2 3 4 1" || Tallied(l, true) != "truncated-gzip=1" || l.Total() != 1 {
		t.Fatal(Ends(pages), l.Tallies(), err)
	}
	if p := pages[4]; p.Rendered != record.RenderedLoaded || string(p.Text) != "what it shows" || !p.Time.Equal(time.Date(2020, 1, 2, 3, 4, 9, 123e6, time.UTC)) {
		t.Errorf("%+v", p)
	}
	second := pages[1].Pos
	if second.File != path+"!/archive/a.warc.gz" || second.Offset != int64(len(Gzip(WarcPage(1)))) {
		t.Error(second)
	}
	var f crawl.Fetcher
	defer f.Close()
	if rec, err := f.Record(second); err != nil || rec.URL != "http://example.org/2" {
		t.Error(rec, err)
	}
	if third := pages[2].Pos; third.File != path+"!/archive/b.warc.gz" {
		t.Error(third)
	} else if rec, err := f.Record(third); err != nil || rec.URL != "http://example.org/3" { // even though it is deflated
		t.Error(rec, err)
	}
	if _, err := f.Record(record.Position{File: path + "!/archive/d.warc.gz"}); err == nil {
		t.Error("a file that is not there was read")
	}
}

func TestZipOfHTML(t *testing.T) {
	path := writeZip(t, "site.zip", nil, zipEntry{"a/index.html", zip.Deflate, []byte("<p>a")}, zipEntry{"b.html", zip.Store, []byte("<p>b")},
		zipEntry{"a/x.png", zip.Store, []byte("png")}, zipEntry{"bomb.html", zip.Deflate, bytes.Repeat([]byte("<"), 8<<20)})
	pages, l, err := Read(t, path, record.Options{Base: "https://example.org/top"})
	if err != nil || Ends(pages) != "top/a top/b.html top/bomb.html" || Tallied(l, false) != "decompression-ratio=1 not-html=1" || l.Damaged() != 0 {
		t.Fatal(Ends(pages), l.Tallies(), err)
	}
	if n := len(pages[2].HTML); n > 2<<20 {
		t.Errorf("%d bytes of the bomb", n)
	}
	crawls := writeZip(t, "c.zip", nil, zipEntry{"x/a.warc.gz", zip.Store, Gzip(WarcPage(1))}, zipEntry{"b.jsonl", zip.Deflate, []byte(`{"url": "http://example.org/2", "text": "two"}`)}, zipEntry{"readme", zip.Store, []byte("x")})
	if pages, l, err := Read(t, crawls, record.Options{}); err != nil || Ends(pages) != "2 1" || l.Count(record.ReasonNotHTML) != 1 {
		t.Error(Ends(pages), l.Tallies(), err)
	}
	mirror := writeZip(t, "m.zip", nil, zipEntry{"www.example.org/index.html", zip.Store, []byte("<p>a")})
	if pages, _, _ := Read(t, mirror, record.Options{}); len(pages) != 1 || pages[0].URL != "https://www.example.org/" {
		t.Errorf("%+v", pages)
	}
}

// TestZipHostile checks that the metadata of a zip archive is not trusted.
func TestZipHostile(t *testing.T) {
	good := zipEntry{"archive/a.warc.gz", zip.Store, Gzip(WarcPage(1))}
	html := zipEntry{"a.html", zip.Deflate, []byte(strings.Repeat("<p>words ", 1000))}
	// central returns field i of the first central directory header, which contains sizes and methods.
	central := func(b []byte, i int) []byte { return b[bytes.Index(b, []byte("PK\x01\x02"))+i:] }
	for _, c := range []struct {
		name    string
		change  func(b []byte) []byte
		entries []zipEntry
		pages   string
		damage  string
	}{
		{"slip", nil, []zipEntry{{"archive/../../a.warc.gz", zip.Store, Gzip(WarcPage(2))}, good}, "1", "unsafe-name=1"},
		{"absolute", nil, []zipEntry{{"/archive/a.warc", zip.Store, []byte(WarcPage(2))}, good}, "1", "unsafe-name=1"},
		{"backslash", nil, []zipEntry{{`archive\..\x.warc`, zip.Store, []byte(WarcPage(2))}, good}, "1", "unsafe-name=1"},
		{"drive", nil, []zipEntry{{"C:x.warc", zip.Store, []byte(WarcPage(2))}, good}, "1", "unsafe-name=1"},
		{"zip in a zip", nil, []zipEntry{{"archive/b.wacz", zip.Store, []byte("PK\x03\x04")}, good}, "1", "bad-zip=1"},
		{"bomb", nil, []zipEntry{{"archive/b.warc", zip.Deflate, append([]byte(WarcPage(2)), make([]byte, 60<<20)...)}, good}, "1 2", "bad-record=1"},
		{"bomb of one page", nil, []zipEntry{{"archive/b.warc", zip.Deflate, []byte(WarcRecord("response", "http://example.org/2", Response("", "<html>"+strings.Repeat("x", 60<<20))))}, good}, "1 2", "truncated-record=1"},
		{"size too small", func(b []byte) []byte { binary.LittleEndian.PutUint32(central(b, 24), 100); return b }, []zipEntry{html}, "", "bad-zip=1"},
		{"size too large", func(b []byte) []byte { binary.LittleEndian.PutUint32(central(b, 24), 1<<31); return b }, []zipEntry{html}, "", "bad-zip=1"},
		{"packed size too large", func(b []byte) []byte { binary.LittleEndian.PutUint32(central(b, 20), 1<<31); return b }, []zipEntry{html}, "", "bad-zip"},
		{"encrypted", func(b []byte) []byte { central(b, 8)[0] |= 1; return b }, []zipEntry{html}, "", "bad-zip=1"},
		{"other method", func(b []byte) []byte { central(b, 10)[0] = 99; return b }, []zipEntry{html}, "", "bad-zip=1"},
		{"overlap", overlapping, []zipEntry{html, {"b.html", zip.Store, []byte("<p>b")}}, "", "bad-zip"},
		{"cut", func(b []byte) []byte { return b[:len(b)-30] }, []zipEntry{html}, "", "bad-zip"},
		{"broken data", func(b []byte) []byte { b[50] ^= 0xff; return b }, []zipEntry{html}, "", "bad-zip=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages, l, err := Read(t, writeZip(t, "x.zip", c.change, c.entries...), record.Options{})
			if Ends(pages) != c.pages || DamageOf(l, err) != c.damage {
				t.Errorf("%q, %q, %v; want %q, %q; %+v", Ends(pages), DamageOf(l, err), err, c.pages, c.damage, l.Tallies())
			}
		})
	}
}

// overlapping makes the second file begin where the first one does.
func overlapping(b []byte) []byte {
	first := bytes.Index(b, []byte("PK\x01\x02"))
	second := first + 4 + bytes.Index(b[first+4:], []byte("PK\x01\x02"))
	copy(b[second+42:second+46], b[first+42:first+46])
	return b
}

func TestCDX(t *testing.T) {
	records := []string{WarcPage(1), WarcPage(2), WarcPage(3), strings.Replace(WarcPage(4), "200 OK", "404 Not Found", 1)}
	packed := Gzip(records...)
	var at []int
	for i := range records {
		at = append(at, len(Gzip(records[:i]...)))
	}
	cdxj := "!meta {\"x\": 1}\n"
	classic := " CDX N b a m s k r M S V g\n"
	short := " CDX a b V g\n"
	for i, o := range at {
		status, mime := "200", "text/html"
		if i == 3 {
			status, mime = "404", "text/plain"
		}
		cdxj += fmt.Sprintf(`org,example)/%d 202%d0102030405 {"url": "http://example.org/%d", "mime": "%s", "status": "%s", "digest": "x", "length": "9", "offset": "%d", "filename": "a.warc.gz"}`+"\n", i+1, i, i+1, mime, status, o)
		classic += fmt.Sprintf("org,example)/%d 202%d0102030405 http://example.org/%d %s %s X - - 99 %d some/where/a.warc.gz\n", i+1, i, i+1, mime, status, o)
		short += fmt.Sprintf("http://example.org/%d 202%d0102030405 %d a.warc.gz\n", i+1, i, o)
	}
	bad := `org,example)/ 2020 {"url": "http://example.org/", "offset": "7", "filename": "a.warc.gz"}
org,example)/ 2020 {"url": "http://example.org/", "offset": 0, "filename": "../../etc/b.warc.gz"}
org,example)/ 2020 {"offset"
org,example)/ 2020 {"filename": "a.warc.gz"}
org,example)/ 2020 x y
`
	root := treeOf(t, map[string]string{
		"a.warc.gz": string(packed), "all.cdxj": cdxj, "all.cdxj.gz": string(Gzip(cdxj)), "classic.cdx": classic, "short.cdx": short, "headless.cdx": strings.SplitN(classic, "\n", 2)[1],
		"bad.cdxj": bad, "archive/b.warc": WarcPage(7), "indexes/b.cdxj": `org,example)/7 2020 {"url": "x", "offset": 0, "filename": "b.warc"}`,
	})
	selected := func(from, to string, status, mime []string) record.Options {
		s, err := record.ParseSelection(from, to, status, mime)
		if err != nil {
			t.Fatal(err)
		}
		return record.Options{Select: s}
	}
	for _, c := range []struct {
		file        string
		o           record.Options
		pages, left string
	}{
		{"all.cdxj", record.Options{}, "1 2 3", "http-status=1"},
		{"all.cdxj.gz", record.Options{}, "1 2 3", "http-status=1"},
		{"classic.cdx", record.Options{}, "1 2 3", "http-status=1"},
		{"short.cdx", record.Options{}, "1 2 3", "http-status=1"},
		{"headless.cdx", record.Options{}, "1 2 3", "http-status=1"},
		{"all.cdxj", selected("", "", []string{"404"}, nil), "4", "not-selected=3"},
		{"all.cdxj", selected("", "", nil, []string{"text/plain"}), "", "http-status=1 not-selected=3"},
		{"all.cdxj", selected("", "", nil, []string{"TEXT/HTML"}), "1 2 3", "not-selected=1"},
		{"all.cdxj", selected("2030", "", nil, nil), "", "not-selected=4"},
		{"indexes/b.cdxj", record.Options{}, "7", ""},
		{"bad.cdxj", record.Options{}, "", "bad-index=3 no-archive=2"},
	} {
		pages, l, err := Read(t, filepath.Join(root, c.file), c.o)
		left := strings.TrimSpace(Tallied(l, true) + " " + Tallied(l, false))
		if err != nil || Ends(pages) != c.pages || left != c.left {
			t.Errorf("%s %+v: %q, %q, %v; want %q, %q; %+v", c.file, c.o.Select, Ends(pages), left, err, c.pages, c.left, l.Tallies())
		}
	}
}

func TestSelection(t *testing.T) {
	in := strings.Replace(WarcPage(1), "2020-01-02", "2019-12-31", 1) + WarcPage(2) + strings.Replace(WarcPage(3), "2020-01-02", "2021-06-01", 1) + strings.Replace(WarcPage(4), "WARC-Date", "X", 1)
	for _, c := range []struct{ from, to, want string }{
		{"", "", "1 2 3 4"}, {"2020", "", "2 3 4"}, {"", "2020", "1 2 4"}, {"2020", "2020", "2 4"}, {"", "2021-06-01", "1 2 3 4"}, {"", "202105", "1 2 4"},
		{"2020-01-02T03:04:05Z", "20200102030405", "2 4"}, {"2020-01-02T03:04:06Z", "2020", "4"},
	} {
		s, err := record.ParseSelection(c.from, c.to, nil, nil)
		pages, l, err2 := ReadBytes(t, []byte(in), record.Options{Select: s})
		if err != nil || err2 != nil || Ends(pages) != c.want || l.Count(record.ReasonNotSelected) != int64(4-len(pages)) {
			t.Errorf("%q to %q: %q, %v %v; want %q", c.from, c.to, Ends(pages), err, err2, c.want)
		}
	}
	for _, bad := range [][3]string{{"yesterday", "", ""}, {"", "20x0", ""}, {"", "", "2xx"}, {"", "", "99"}} {
		if _, err := record.ParseSelection(bad[0], bad[1], strings.Fields(bad[2]), nil); err == nil {
			t.Errorf("%q was understood", bad)
		}
	}
}

type zipEntry struct {
	name   string
	method uint16
	data   []byte
}

// zipOf returns a zip archive.
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

func writeZip(t *testing.T, name string, change func(b []byte) []byte, entries ...zipEntry) string {
	t.Helper()
	out := zipOf(t, entries...)
	if change != nil {
		out = change(out)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, out, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

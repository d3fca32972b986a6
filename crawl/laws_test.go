package crawl_test

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// body is what one URL of http://example.org gave: the name is the path, and kind the media type, which only some formats
// can say.
type body struct {
	name, kind, data string
}

// layout is one format that people have: it writes bodies in this format.
type layout struct {
	name  string
	bytes bool // it holds bodies as bytes; in others they are text in UTF-8
	kinds bool // it says media types
	names bool // media types follow from names
	write func(t *testing.T, bodies []body) string
}

func (b body) url() string { return "http://example.org/" + b.name }

func (b body) response() string {
	head := "HTTP/1.1 200 OK\r\n"
	if b.kind != "" {
		head += "Content-Type: " + b.kind + "\r\n"
	}
	return head + "\r\n" + b.data
}

// layouts holds the formats of the table.
var layouts = []layout{
	{"warc", true, true, false, func(t *testing.T, bodies []body) string { return file(t, "x.warc", warcOf(bodies)) }},
	{"warc.gz", true, true, false, func(t *testing.T, bodies []body) string {
		var members []string
		for _, b := range bodies {
			members = append(members, string(warcOf([]body{b})))
		}
		return file(t, "x.warc.gz", Gzip(members...))
	}},
	{"arc", true, true, false, func(t *testing.T, bodies []body) string {
		out := ArcHead
		for _, b := range bodies {
			out += ArcRecord(b.url(), b.response())
		}
		return file(t, "x.arc", []byte(out))
	}},
	{"wacz", true, true, false, func(t *testing.T, bodies []body) string {
		return writeZip(t, "x.wacz", nil, zipEntry{"archive/a.warc", zip.Store, warcOf(bodies)})
	}},
	{"wacz in a zip", true, true, false, func(t *testing.T, bodies []body) string {
		inner := fileOf(t, writeZip(t, "i.wacz", nil, zipEntry{"archive/a.warc", zip.Deflate, warcOf(bodies)}))
		return writeZip(t, "x.zip", nil, zipEntry{"i.wacz", zip.Store, inner})
	}},
	{"folder", true, false, true, func(t *testing.T, bodies []body) string {
		files := map[string]string{}
		for _, b := range bodies {
			files["example.org/"+b.name] = b.data
		}
		return treeOf(t, files)
	}},
	{"zip", true, false, true, func(t *testing.T, bodies []body) string {
		var entries []zipEntry
		for _, b := range bodies {
			entries = append(entries, zipEntry{"example.org/" + b.name, zip.Deflate, []byte(b.data)})
		}
		return writeZip(t, "x.zip", nil, entries...)
	}},
	{"tar", true, false, true, func(t *testing.T, bodies []body) string {
		var out bytes.Buffer
		w := tar.NewWriter(&out)
		for _, b := range bodies {
			if err := w.WriteHeader(&tar.Header{Name: "example.org/" + b.name, Mode: 0o600, Size: int64(len(b.data))}); err != nil {
				t.Fatal(err)
			}
			_, _ = w.Write([]byte(b.data))
		}
		w.Close()
		return file(t, "x.tar", out.Bytes())
	}},
	{"parquet of bytes", true, false, false, func(t *testing.T, bodies []body) string {
		type row struct {
			URL  string `parquet:"url"`
			HTML []byte `parquet:"html"`
		}
		var rows []row
		for _, b := range bodies {
			rows = append(rows, row{b.url(), []byte(b.data)})
		}
		return ParquetFile(t, ParquetOf(t, rows))
	}},
	{"har", true, true, false, func(t *testing.T, bodies []body) string {
		var entries []string
		for _, b := range bodies {
			entries = append(entries, fmt.Sprintf(`{"startedDateTime":"2024-05-01T10:00:00Z","request":{"method":"GET","url":%q},"response":{"status":200,"content":{"mimeType":%q,"encoding":"base64","text":%q}}}`,
				b.url(), b.kind, base64.StdEncoding.EncodeToString([]byte(b.data))))
		}
		return file(t, "x.har", []byte(`{"log":{"version":"1.2","entries":[`+strings.Join(entries, ",")+`]}}`))
	}},
	{"jsonl", false, false, false, func(t *testing.T, bodies []body) string { return file(t, "x.jsonl", jsonOf(t, bodies, "", "\n", "")) }},
	{"json array", false, false, false, func(t *testing.T, bodies []body) string { return file(t, "x.json", jsonOf(t, bodies, "[", ",\n", "]")) }},
	{"csv", false, false, false, func(t *testing.T, bodies []body) string { return file(t, "x.csv", csvOf(t, bodies, ',')) }},
	{"tsv", false, false, false, func(t *testing.T, bodies []body) string { return file(t, "x.tsv", csvOf(t, bodies, '\t')) }},
}

func file(t *testing.T, name string, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func warcOf(bodies []body) []byte {
	out := ""
	for _, b := range bodies {
		out += WarcRecord("response", b.url(), b.response())
	}
	return []byte(out)
}

func jsonOf(t *testing.T, bodies []body, begin, between, end string) []byte {
	var list []string
	for _, b := range bodies {
		line, err := json.Marshal(map[string]string{"url": b.url(), "html": b.data})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(line))
	}
	return []byte(begin + strings.Join(list, between) + end)
}

func csvOf(t *testing.T, bodies []body, comma rune) []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = comma
	rows := [][]string{{"url", "html"}}
	for _, b := range bodies {
		rows = append(rows, []string{b.url(), b.data})
	}
	if err := w.WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

const (
	someWords = "the harbour master keeps a ledger of every vessel that enters the bay with its name and flag"
	russian   = "смотритель маяка каждый вечер записывает в журнал ветер корабли и птиц которые отдыхают на галерее и на берегу"
	japanese_ = "灯台守は毎晩、風や船、回廊で休む鳥について日誌に書き記します。港には多くの船が入ります。"
)

func htmlPage(title, words string) string {
	return "<!DOCTYPE html><html><head><title>" + title + "</title></head><body><p>" + words + "</p></body></html>"
}

// good surrounds a case with pages that are right, so that what goes wrong with it is seen not to affect them.
func good(cases ...body) []body {
	out := []body{{"first.html", "text/html; charset=utf-8", htmlPage("First", someWords)}}
	out = append(out, cases...)
	return append(out, body{"last.html", "text/html; charset=utf-8", htmlPage("Last", someWords)})
}

// read reads a layout of bodies and returns the pages by URL, without the two that are always right.
func (l *layout) read(t *testing.T, cases ...body) (map[string]record.Page, *crawl.Ledger) {
	t.Helper()
	files, left, err := crawl.Expand([]string{l.write(t, good(cases...))}, nil)
	if err != nil {
		t.Fatal(err)
	}
	all, pages := &crawl.Ledger{}, map[string]record.Page{}
	for _, s := range left {
		all.Add(s)
	}
	for _, name := range files {
		read, ledger, err := Read(t, name, record.Options{Expanded: true})
		if err != nil {
			t.Fatalf("%s: %v", l.name, err)
		}
		all.Merge(ledger)
		for _, p := range read {
			pages[strings.TrimPrefix(p.Canonical, "https://example.org/")] = p
		}
	}
	for _, name := range []string{"first.html", "last.html"} {
		if p, ok := pages[name]; !ok || !strings.Contains(string(p.HTML), someWords) {
			t.Errorf("%s: %s is lost; left out %s", l.name, name, LeftOut(all))
		}
		delete(pages, name)
	}
	return pages, all
}

// TestLawPagesAreSeen checks for every format that nothing that looks like a page is passed over as something else: it is
// read, or it is counted under a reason of doubt.
func TestLawPagesAreSeen(t *testing.T) {
	page := htmlPage("Found", someWords)
	cases := map[string]body{
		"a name of a server page":  {"view.php", "text/html", page},
		"a name with a dot":        {"Version_1.2", "text/html", page},
		"no name":                  {"", "text/html", page},
		"no type":                  {"a", "", page},
		"a type without a slash":   {"a", "html", page},
		"an unknown type":          {"a", "application/unknown", page},
		"any type":                 {"a", "*/*", page},
		"a type without semicolon": {"a", "text/html charset=utf-8", page},
		"a type of any data":       {"a", "application/octet-stream", page},
		"a name of a script":       {"Node.js", "application/javascript", page},
		"a name of an image":       {"File:Harbour.png", "text/html", page},
		"a name of another format": {"page.dat", "binary/octet-stream", page},
		"upper case":               {"PAGE.HTM", "TEXT/HTML", page},
		"a comment first":          {"c.html", "text/html", "<!-- a comment of the server -->\n\n" + page},
		"white space first":        {"w.html", "text/html", strings.Repeat("\n\t ", 300) + page},
		"no markup but words":      {"plain.html", "text/html", someWords + ".\n" + someWords},
		"XHTML":                    {"x.xhtml", "application/xhtml+xml", `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body><p>` + someWords + "</p></body></html>"},
	}
	for _, l := range allLayouts {
		for name, c := range cases {
			if c.name == "" && l.names {
				c.name = "index.html"
			}
			pages, left := l.read(t, c)
			doubts := left.Count(record.ReasonLooksHTML) + left.Count(record.ReasonArchiveLeft)
			if len(pages)+int(doubts) != 1 {
				t.Errorf("%s: %s: %d pages, left out %s", l.name, name, len(pages), LeftOut(left))
			}
			for _, p := range pages {
				if !strings.Contains(string(p.HTML)+string(p.Text), someWords) {
					t.Errorf("%s: %s: the words are lost", l.name, name)
				}
			}
		}
	}
}

// TestLawNoFalsePages checks for every format that no page is made of what is none, whatever its type and name say.
func TestLawNoFalsePages(t *testing.T) {
	noise := func(magic string) string {
		b := []byte(magic)
		for x := uint32(1); len(b) < 6000; {
			x = x*1664525 + 1013904223
			b = append(b, byte(x>>24))
		}
		return string(b)
	}
	cases := map[string]body{
		"PNG":   {"png", "text/html", noise("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR")},
		"GIF":   {"gif.html", "text/html", noise("GIF89a")},
		"JPEG":  {"jpeg.html", "text/html", noise("\xff\xd8\xff\xe0\x00\x10JFIF")},
		"PDF":   {"pdf.html", "text/html; charset=utf-8", noise("%PDF-1.4\n1 0 obj\n")},
		"zip":   {"zip.html", "text/html", noise("PK\x03\x04")},
		"font":  {"font.html", "text/html", noise("wOF2")},
		"MP4":   {"video.html", "text/html", noise("\x00\x00\x00\x20ftypisom")},
		"noise": {"noise.html", "text/html", noise("\x01\x02\x03")},
	}
	for _, l := range allLayouts {
		if !l.bytes {
			continue
		}
		for name, c := range cases {
			if pages, left := l.read(t, c); len(pages) != 0 || left.Count(record.ReasonNotHTML) != 1 {
				t.Errorf("%s: %s: %d pages, left out %s", l.name, name, len(pages), LeftOut(left))
			}
		}
	}
}

// TestLawText checks for every format that text is right or marked: a charset is found where the HTML standard looks for
// it, and a page whose charset is declared nowhere is counted.
func TestLawText(t *testing.T) {
	encode := func(s string, to interface{ String(string) (string, error) }) string {
		out, err := to.String(s)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	cyrillic, sjis := charmap.Windows1251.NewEncoder(), japanese.ShiftJIS.NewEncoder()
	long := strings.Repeat(russian+". ", 5)
	cases := map[string]struct {
		body
		words   string
		guessed int64
	}{
		"meta":                       {body{"m.html", "text/html", encode(`<html><head><meta charset=windows-1251><title>x</title></head><p>`+long, cyrillic)}, russian, 0},
		"meta after a script":        {body{"s.html", "text/html", encode(`<html><head><script charset=utf-8 src=x></script><!-- <meta charset=utf-8> --><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><p>`+long, cyrillic)}, russian, 0},
		"meta after 1 KiB":           {body{"l.html", "text/html", encode(`<html><head>`+strings.Repeat(`<link rel=icon href=x>`, 100)+`<meta charset=windows-1251></head><p>`+long, cyrillic)}, russian, 0},
		"declared nowhere":           {body{"n.html", "text/html", encode("<html><head><title>x</title></head><p>"+long, cyrillic)}, russian, 1},
		"Japanese":                   {body{"j.html", "text/html", encode("<html><head><meta charset=Shift_JIS></head><p>"+japanese_, sjis)}, japanese_, 0},
		"Japanese, declared nowhere": {body{"jn.html", "text/html", encode("<html><head><title>x</title></head><p>"+strings.Repeat(japanese_, 5), sjis)}, japanese_, 1},
		"UTF-8 declared as another":  {body{"u.html", "text/html; charset=iso-8859-1", "<html><head><meta charset=iso-8859-1></head><p>" + long}, russian, 0},
		"UTF-16 with a mark":         {body{"b.html", "text/html", "\xff\xfe" + utf16le("<html><head><title>x</title></head><p>"+long)}, russian, 0},
		"UTF-16 without a mark":      {body{"w.html", "text/html", utf16le("<html><head><title>x</title></head><p>" + long)}, russian, 0},
	}
	for _, l := range allLayouts {
		if !l.bytes {
			continue
		}
		for name, c := range cases {
			pages, left := l.read(t, c.body)
			for _, p := range pages {
				if !strings.Contains(string(p.HTML), c.words) {
					t.Errorf("%s: %s: wrong text, read as %s", l.name, name, p.Charset)
				}
			}
			if len(pages) != 1 || left.Count(record.ReasonCharsetGuessed) != c.guessed {
				t.Errorf("%s: %s: %d pages, left out %s", l.name, name, len(pages), LeftOut(left))
			}
		}
	}
}

func utf16le(s string) string {
	var out []byte
	for _, r := range s {
		out = append(out, byte(r), byte(r>>8))
	}
	return string(out)
}

// TestLawTwoStayTwo checks for every format that pages with different addresses and different texts are two, and that one
// that is given twice is one.
func TestLawTwoStayTwo(t *testing.T) {
	for _, l := range allLayouts {
		if l.names {
			continue // a query is no name of a file
		}
		for _, pair := range [][2]string{{"p?ref=A000", "p?ref=A001"}, {"p?id=1", "p?id=2"}, {"a/b", "a/B"}, {"p?page=1", "p"}, {"a.php", "a.html"}} {
			pages, left := l.read(t, body{pair[0], "text/html", htmlPage("One", someWords)}, body{pair[1], "text/html", htmlPage("Two", russian)})
			if len(pages) != 2 {
				t.Errorf("%s: %q are %d pages, left out %s", l.name, pair, len(pages), LeftOut(left))
			}
		}
	}
}

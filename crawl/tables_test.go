package crawl

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// linesOf gives a line for a page and one for each of its links: SOURCE → TARGET [before|anchor|after] rel, with its place.
func linesOf(pages []Page) []string {
	var out []string
	for _, p := range pages {
		for _, l := range p.Links {
			s := strings.TrimSpace(fmt.Sprintf("%s → %s [%s|%s|%s] %s", p.URL, l.Target, l.Before, l.Anchor, l.After, l.Rel))
			if !p.Time.IsZero() {
				s += p.Time.Format(" 2006-01-02")
			}
			out = append(out, s)
		}
		switch {
		case p.HTML != nil:
			out = append(out, fmt.Sprintf("%s html %s", p.URL, p.HTML))
		case p.Text != nil:
			out = append(out, strings.TrimSpace(fmt.Sprintf("%s text %s %s", p.URL, p.Text, p.Title)))
		}
	}
	return out
}

// Tables whose names are known, and what is read of them.
func TestTables(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string
		left     string // reasons with counts
	}{
		{
			"CSV", "source,target,anchor\nhttps://a.example/,https://b.example/x,\"red, \"\"ripe\"\" apple\"\nhttps://a.example/,/y,pear\n",
			[]string{`https://a.example/ → https://b.example/x [|red, "ripe" apple|]`, "https://a.example/ → /y [|pear|]"}, "",
		},
		{
			"with surroundings", "src_url,dst_url,anchor_text,before,after,rel\nhttps://a.example/,https://b.example/,apple,\"the\nred\",is ripe,ugc",
			[]string{"https://a.example/ → https://b.example/ [the\nred|apple|is ripe] ugc"}, "",
		},
		{
			"ARCH", "crawl_date,source,target,anchor_text\n20240102,http://a.example/,http://b.example/,apple\n",
			[]string{"http://a.example/ → http://b.example/ [|apple|] 2024-01-02"}, "",
		},
		{
			"Screaming Frog", "\xef\xbb\xbf" + `"Type","Source","Destination","Size (Bytes)","Alt Text","Anchor","Status Code","Status","Crawlability","Follow","Target","Rel","Path Type","Link Path","Link Position","Link Origin"` + "\r\n" +
				`"Hyperlink","https://a.example/","https://a.example/x","10","","Apples","200","OK","Indexable","true","_blank","noopener","Absolute","//body/a","Content","HTML"` + "\r\n" +
				`"Hyperlink","https://a.example/","https://b.example/","10","Logo","","200","OK","Indexable","false","","","Absolute","//body/a","Header","HTML"` + "\r\n" +
				`"Image","https://a.example/","https://a.example/x.png","10","An apple","","200","OK","","true","","","Absolute","//body/img","Content","HTML"` + "\r\n" +
				`"CSS","https://a.example/","https://a.example/x.css","10","","","200","OK","","true","","","Absolute","//head/link","Head","HTML"` + "\r\n",
			[]string{"https://a.example/ → https://a.example/x [|Apples|] noopener", "https://a.example/ → https://b.example/ [|Logo|] nofollow"}, "not-link=2",
		},
		{
			"an older Screaming Frog", "\"All Inlinks\"\n\"Type\",\"Source\",\"Destination\",\"Alt Text\",\"Anchor\",\"Status Code\",\"Status\",\"Follow\"\n\"HREF\",\"https://a.example/\",\"https://b.example/\",\"\",\"Home\",\"200\",\"OK\",\"true\"\n",
			[]string{"https://a.example/ → https://b.example/ [|Home|]"}, "",
		},
		{
			"an export of backlinks", "Referring page URL;Target URL;Left context;Anchor;Right context;Nofollow\nhttps://a.example/;https://b.example/;the;apple;is red;true\n",
			[]string{"https://a.example/ → https://b.example/ [the|apple|is red] nofollow"}, "",
		},
		{
			"TSV without names", "https://a.example/\thttps://b.example/\tan \"apple\nhttps://a.example/\thttps://b.example/\n\"https://c.example/\"\thttp://d.example\t\"\"\"x\"\" y\"\n",
			[]string{"https://a.example/ → https://b.example/ [|an \"apple|]", "https://a.example/ → https://b.example/ [||]", "https://c.example/ → http://d.example [|\"x\" y|]"}, "",
		},
		{"hosts alone", "a.example.com\tb.example.com/x\n", []string{"https://a.example.com → https://b.example.com/x [||]"}, ""},
		{
			"rows that are no rows", "source,target,anchor\nhttps://a.example/\nhttps://a.example/,https://b.example/,x,y,z\n,https://b.example/,x\nhttps://a.example/,,x\nhttps://a.example/,https://b.example/,kept,,\n",
			[]string{"https://a.example/ → https://b.example/ [|kept|]"}, "bad-row=2 no-url=2",
		},
		{
			"a quote that is never closed", "source,target,anchor\nhttps://a.example/,https://b.example/,\"lost\nhttps://a.example/,https://b.example/,5\" disk\nhttps://a.example/,https://b.example/,kept\n",
			[]string{"https://a.example/ → https://b.example/ [|5\" disk|]", "https://a.example/ → https://b.example/ [|kept|]"}, "bad-row=1",
		},
		{
			"quotes behind backslashes", `source,target,anchor` + "\n" + `https://a.example/,https://b.example/,"say \"hi\""` + "\n" + `https://a.example/,"https://b.example/","\"x\" y"` + "\n",
			[]string{`https://a.example/ → https://b.example/ [|say "hi"|]`, `https://a.example/ → https://b.example/ [|"x" y|]`}, "",
		},
		{"pages as CSV", "id,url,text,title\n1,https://a.example/,\"some\ntext\",A  title\n", []string{"https://a.example/ text some\ntext A title"}, ""},
		{"HTML as CSV", "URL,Content\nhttps://a.example/,<p>x\nhttps://b.example/,y\n", []string{"https://a.example/ html <p>x", "https://b.example/ text y"}, ""},
		{
			"links as JSON Lines", `{"source":"https://a.example/","target":"https://b.example/","anchor":"apple","before":"the"}` + "\n" + `{"src":"https://a.example/","destination":"/x","text":"pear","rel":"nofollow"}`,
			[]string{"https://a.example/ → https://b.example/ [the|apple|]", "https://a.example/ → /x [|pear|] nofollow"}, "",
		},
		{
			"Marginalia", `{"dest":"b.example.com","url":["b.example.com/~x/","https://b.example.com/y"],"text":["apple","pear"],"source":["a.example.com","c.example.com"]}` + "\n" +
				`{"dest":"b.example.com","url":["b.example.com/z"],"text":[],"source":["a.example.com"]}`,
			[]string{"https://a.example.com → https://b.example.com/~x/ [|apple|]", "https://c.example.com → https://b.example.com/y [|pear|]"}, "bad-row=1",
		},
		{"datatrove", `{"text":"x","id":"<urn:uuid:1>","metadata":{"url":"https://a.example/","date":"2024-01-02","dump":"CC"}}`, []string{"https://a.example/ text x"}, ""},
		{"other names", `{"uri":"https://a.example/","raw_html":"<p>x"}` + "\n" + `{"URL":"https://b.example/","content":"y","source":"common-crawl"}`, []string{"https://a.example/ html <p>x", "https://b.example/ text y"}, ""},
		{"the first name wins", `{"uri":"https://b.example/","url":"https://a.example/","text":"x"}` + "\n" + `{"url":"https://a.example/","uri":"https://b.example/","body":"y","text":"x"}`, []string{"https://a.example/ text x", "https://a.example/ text x"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ze, _ := zstd.NewWriter(nil)
			little, big := utf16Of(c.in, binary.LittleEndian), utf16Of(c.in, binary.BigEndian)
			for how, in := range map[string][]byte{
				"plain": []byte(c.in), "gzip": gz(c.in), "zstd": ze.EncodeAll([]byte(c.in), nil),
				"UTF-16": little, "UTF-16, big-endian": big, "UTF-16, gzip": gz(string(little)), "UTF-16, two members": gz(string(big[:len(big)-8]), string(big[len(big)-8:])), "UTF-16, zstd": ze.EncodeAll(little, nil),
			} {
				pages, l, err := readBytes(t, in, Options{})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, linesOf(pages)); d != "" {
					t.Errorf("%s: %s", how, d)
				}
				if got := leftOut(l); got != c.left {
					t.Errorf("%s: left out %q, want %q: %+v", how, got, c.left, l.Tallies())
				}
			}
		})
	}
}

// utf16Of writes a text as Excel does, with a byte order mark.
func utf16Of(s string, order binary.AppendByteOrder) []byte {
	out := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(strings.TrimPrefix(s, string(utf8BOM)))) {
		out = order.AppendUint16(out, u)
	}
	return out
}

func leftOut(l *Ledger) string {
	var out []string
	for _, t := range l.Tallies() {
		out = append(out, fmt.Sprintf("%s=%d", t.Reason, t.Count))
	}
	return strings.Join(out, " ")
}

// A bad row is named by its line.
func TestBadRowLine(t *testing.T) {
	_, l, _ := readBytes(t, []byte("source,target\nhttps://a.example/,\"https:\n//b.example/\"\n\nhttps://a.example/\n"), Options{})
	if ts := l.Tallies(); len(ts) == 0 || ts[0].Reason != ReasonBadRow || ts[0].Examples[0].Pos.Record != 5 || ts[0].Examples[0].Pos.Offset != 56 {
		t.Errorf("%+v", ts)
	}
}

func TestMap(t *testing.T) {
	const table = "von,nach,wort\nhttps://a.example/,https://b.example/,Apfel\n"
	for _, c := range []struct {
		name, file, in string
		entries        []string
		want           string // pages, or what the error says
	}{
		{"unknown columns", "x.csv", table, nil, "columns are von, nach, wort; pages need url and html or text, links need source and target: say which is which, such as --map url=von --map text=nach"},
		{"mapped", "x.csv", table, []string{"source=von", "target=nach", "anchor=wort"}, "https://a.example/ → https://b.example/ [|Apfel|]"},
		{"mapped, without a name", "-", table, []string{"source=von", "target=nach"}, "https://a.example/ → https://b.example/ [||]"},
		{"no such column", "x.csv", table, []string{"source=vom", "target=nach"}, `no column "vom" to map to source; the columns are von, nach, wort`},
		{"nested", "x.jsonl", `{"meta":{"source":"https://a.example/"},"body":{"Main":"x"},"url":"https://c.example/","text":"no"}`, []string{"url=meta.source", "text=body.Main"}, "https://a.example/ text x"},
		{"a name with a dot", "x.jsonl", `{"meta.source":"https://a.example/","text":"x"}`, []string{"url=meta.source"}, "https://a.example/ text x"},
		{"what is mapped is looked for nowhere else", "x.jsonl", `{"url":"https://a.example/","text":"x"}`, []string{"url=nowhere"}, "no-url=1"},
		{"text that is called url", "x.csv", "url,page\nwords,https://a.example/\n", []string{"text=url", "url=page"}, "https://a.example/ text words"},
	} {
		m, err := ParseMap(c.entries...)
		if err != nil {
			t.Fatal(err)
		}
		src, err := NewSource(c.file, strings.NewReader(c.in), Options{Map: m})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		pages, l := drain(t, src)
		got := strings.Join(linesOf(pages), "\n")
		if ts := l.Tallies(); len(ts) > 0 && len(ts[0].Examples) > 0 {
			got += leftOut(l) + ts[0].Examples[0].Detail
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, bad := range []string{"", "url", "url=", "=x", "colour=red", "dest=x"} {
		if _, err := ParseMap(bad); err == nil || !strings.Contains(err.Error(), "FIELD=COLUMN") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := ParseMap("url=a", "url=b"); err == nil {
		t.Error("a field that is mapped twice")
	}
}

// A file of quotes is read in bounded steps, and whatever is in a table, each of its rows is one or is counted.
func FuzzTable(f *testing.F) {
	for _, s := range []string{"source,target\na,b\n", "a.com\tb.com\n", "source;target;anchor\n\"x\";y;\"a\"\"b\"\n", "url,text\nx,\"y\nz\"\n", "source,target\n\"\\\"\",\"\"\"\n,\"\n"} {
		f.Add([]byte(s))
	}
	f.Add(utf16Of("source,target\na,b\n", binary.LittleEndian))
	f.Fuzz(func(t *testing.T, in []byte) {
		pages, l, err := readBytes(t, in, Options{MaxLine: 1 << 16})
		if err == nil && len(pages) == 0 && l.Total() == 0 && bytes.Count(bytes.TrimSpace(in), []byte("\n")) > maxPreamble {
			if _, _, n := findHeader(bytes.TrimRight(in[:bytes.IndexByte(in, '\n')], "\r"), nil); n > 0 && len(bytes.TrimSpace(in[bytes.IndexByte(in, '\n'):])) > 0 {
				t.Fatalf("%q: nothing is read and nothing left out", in)
			}
		}
	})
}

func TestManyQuotes(t *testing.T) {
	in := "source,target,anchor\n" + strings.Repeat("https://a.example/,https://b.example/,\"\n", 100_000)
	pages, l, err := readBytes(t, []byte(in), Options{})
	if err != nil || len(pages)+int(l.Count(ReasonBadRow)) == 0 || l.Count(ReasonBadRow) > 100_000 {
		t.Errorf("%d pages, %v, %v", len(pages), leftOut(l), err)
	}
}

// Links of a page that another record has as a folder's site: what a sitemap says.
func TestSitemap(t *testing.T) {
	site := func(files map[string]string) string {
		dir := t.TempDir()
		for name, content := range files {
			at := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
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
	index["one.xml.gz"] = string(gz(urlset))
	const known = "https://www.example.org/docs/ 2024-01-02 https://www.example.org/docs/a/b.html 2023-05-06"
	for _, c := range []struct {
		name  string
		files map[string]string
		o     Options
		want  string
		left  string
	}{
		{"a list", with("sitemap.xml", urlset), Options{}, known, ""},
		{"compressed", with("sitemap.xml.gz", string(gz(urlset))), Options{}, known, ""},
		{"an index", index, Options{}, known, ""},
		{"another base", with("sitemap.xml", urlset), Options{Base: "https://other.example/"}, "https://other.example/ 0001-01-01 https://other.example/a/b.html 0001-01-01", ""},
		{"the same base", with("sitemap.xml", urlset), Options{Base: "http://example.org/docs"}, strings.ReplaceAll(known, "https://www.", "http://"), ""},
		{"of another site", with("sitemap.xml", strings.ReplaceAll(urlset, "/docs/", "/elsewhere/x")), Options{}, "https://localhost/ 0001-01-01 https://localhost/a/b.html 0001-01-01", ""},
		{"a page listed twice", with("sitemap.xml", strings.Replace(urlset, "</urlset>", "<url><loc>https://example.org/docs/a/b.html</loc><lastmod>2020</lastmod></url></urlset>", 1)), Options{}, known, ""},
		{"that stops", with("sitemap.xml", urlset[:len(urlset)-60]), Options{}, known, "bad-sitemap=1"},
		{"of nothing", with("sitemap.xml", "<x/>"), Options{}, "https://localhost/ 0001-01-01 https://localhost/a/b.html 0001-01-01", "bad-sitemap=1"},
	} {
		dir := site(c.files)
		src, err := Open(dir, c.o)
		if err != nil {
			t.Fatal(err)
		}
		got, l := drain(t, src)
		var list []string
		for i := len(got) - 1; i >= 0; i-- {
			list = append(list, got[i].URL+got[i].Time.Format(" 2006-01-02"))
		}
		var left []string
		for r := range strings.FieldsSeq(leftOut(l)) {
			if !strings.HasPrefix(r, "not-html") { // the sitemaps themselves
				left = append(left, r)
			}
		}
		if s := strings.Join(list, " "); s != c.want || strings.Join(left, " ") != c.left {
			t.Errorf("%s: %s, %v; want %s, %s", c.name, s, l.Tallies(), c.want, c.left)
		}
	}
}

// watRecords makes WAT records of JSON.
func watRecords(bodies ...string) []string {
	out := []string{"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n"}
	for _, body := range bodies {
		out = append(out, fmt.Sprintf("WARC/1.0\r\nWARC-Type: metadata\r\nWARC-Target-URI: https://a.example/p/\r\nWARC-Date: 2026-01-02T03:04:05Z\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n", len(body), body))
	}
	return out
}

func TestWAT(t *testing.T) {
	const head = `{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response","WARC-Target-URI":"https://a.example/p/","WARC-Date":"2024-05-06T07:08:09Z"},"Payload-Metadata":{"HTTP-Response-Metadata":{"Response-Message":{"Status":"200"},"HTML-Metadata":`
	for _, c := range []struct{ name, body, want, left string }{
		{
			"links", head + `{"Head":{"Title":"A\n title","Base":"/base/"},"Links":[{"path":"A@/href","url":"x","text":" apple "},{"path":"IMG@/src","url":"i.png","alt":"no"},` +
				`{"path":"A@/href","url":"https://b.example/","title":"pear","rel":"nofollow"},{"path":"A@/href","url":"mailto:x@y.example"},{"path":"AREA@/href","url":"//c.example","alt":"area"},{"path":"FORM@/action","url":"/f"}]}}}}}`,
			"https://a.example/p/ → https://a.example/base/x [|apple|] 2024-05-06; https://a.example/p/ → https://b.example/ [|pear|] nofollow 2024-05-06; " +
				"https://a.example/p/ → mailto:x@y.example [||] 2024-05-06; https://a.example/p/ → https://c.example [|area|] 2024-05-06; title A title", "",
		},
		{"no link", head + `{"Head":{"Title":"x"}}}}}}`, "title x", ""},
		{"a title that is none", head + `{"Head":{"Title":["x"]},"Links":[{"path":"A@/href","url":"/x","text":"y"}]}}}}}`, "https://a.example/p/ → https://a.example/x [|y|] 2024-05-06; title ", ""},
		{"not found", strings.Replace(head, `"200"`, `"404"`, 1) + `{}}}}}`, "", "http-status=1"},
		{"an image", strings.TrimSuffix(head, `,"HTML-Metadata":`) + `}}}}`, "", "not-html=1"},
		{"a request", `{"Envelope":{"Payload-Metadata":{"HTTP-Request-Metadata":{}}}}`, "", "warc-metadata=1"},
		{"no JSON", `{"Envelope":`, "", "bad-json=1"},
		{"no URL of the web", strings.Replace(head, "https://a.example/p/", "dns:a.example", 1) + `{}}}}}`, "", "not-http-url=1"},
	} {
		for _, in := range [][]byte{[]byte(strings.Join(watRecords(c.body), "")), gz(watRecords(c.body)...)} {
			pages, l, err := readBytes(t, in, Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := linesOf(pages)
			for _, p := range pages {
				got = append(got, "title "+p.Title)
				if p.Part || p.Links == nil {
					t.Errorf("%s: part %v, links %v", c.name, p.Part, p.Links)
				}
			}
			if s := strings.Join(got, "; "); s != c.want || strings.TrimSpace(strings.Replace(leftOut(l), "warc-warcinfo=1", "", 1)) != c.left {
				t.Errorf("%s: %s; left out %s", c.name, s, leftOut(l))
			}
		}
	}
}

func FuzzWAT(f *testing.F) {
	f.Add([]byte(`{"Envelope":{"WARC-Header-Metadata":{"WARC-Target-URI":"https://a.example/"},"Payload-Metadata":{"HTTP-Response-Metadata":{"HTML-Metadata":{"Head":{"Base":"x"},"Links":[{"path":"A@/href","url":"x"}]}}}}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		r := Record{data: body, opts: Options{}.withDefaults(), url: "https://a.example/"}
		if p, err := decodeWAT(&r); err == nil {
			checkPage(t, &p)
		}
	})
}

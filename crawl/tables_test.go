package crawl_test

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/table"
	"github.com/lshclust/lshclust/crawl/record"
)

// TestTables reads tables with known column names.
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
		{"Marginalia", `{"dest":"b.example.com","url":["b.example.com/~x/","https://b.example.com/y"],"text":["apple","pear"],"source":["a.example.com","c.example.com"]}`, nil, "unknown-columns=1"},
		{"datatrove", `{"text":"x","id":"<urn:uuid:1>","metadata":{"url":"https://a.example/","date":"2024-01-02","dump":"CC"}}`, []string{"https://a.example/ text x"}, ""},
		{"other names", `{"uri":"https://a.example/","raw_html":"<p>x"}` + "\n" + `{"URL":"https://b.example/","content":"y","source":"common-crawl"}`, []string{"https://a.example/ html <p>x", "https://b.example/ text y"}, ""},
		{"the first name wins", `{"uri":"https://b.example/","url":"https://a.example/","text":"x"}` + "\n" + `{"url":"https://a.example/","uri":"https://b.example/","body":"y","text":"x"}`, []string{"https://a.example/ text x", "https://a.example/ text x"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			ze, _ := zstd.NewWriter(nil)
			little, big := utf16Of(c.in, binary.LittleEndian), utf16Of(c.in, binary.BigEndian)
			for how, in := range map[string][]byte{
				"plain": []byte(c.in), "gzip": Gzip(c.in), "zstd": ze.EncodeAll([]byte(c.in), nil),
				"UTF-16": little, "UTF-16, big-endian": big, "UTF-16, gzip": Gzip(string(little)), "UTF-16, two members": Gzip(string(big[:len(big)-8]), string(big[len(big)-8:])), "UTF-16, zstd": ze.EncodeAll(little, nil),
			} {
				pages, l, err := ReadBytes(t, in, record.Options{})
				if err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, LinesOf(pages)); d != "" {
					t.Errorf("%s: %s", how, d)
				}
				if got := LeftOut(l); got != c.left {
					t.Errorf("%s: left out %q, want %q: %+v", how, got, c.left, l.Tallies())
				}
			}
		})
	}
}

// utf16Of encodes a text as Excel does, with a byte order mark.
func utf16Of(s string, order binary.AppendByteOrder) []byte {
	out := order.AppendUint16(nil, 0xfeff)
	for _, u := range utf16.Encode([]rune(strings.TrimPrefix(s, string(payload.Utf8BOM)))) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// TestBadRowLine checks that a bad row is reported with its line number.
func TestBadRowLine(t *testing.T) {
	_, l, _ := ReadBytes(t, []byte("source,target\nhttps://a.example/,\"https:\n//b.example/\"\n\nhttps://a.example/\n"), record.Options{})
	if ts := l.Tallies(); len(ts) == 0 || ts[0].Reason != record.ReasonBadRow || ts[0].Examples[0].Pos.Record != 5 || ts[0].Examples[0].Pos.Offset != 56 {
		t.Errorf("%+v", ts)
	}
}

func TestMap(t *testing.T) {
	const csv = "von,nach,wort\nhttps://a.example/,https://b.example/,Apfel\n"
	for _, c := range []struct {
		name, file, in string
		entries        []string
		want           string // pages, or part of the error
	}{
		{"unknown columns", "x.csv", csv, nil, "columns are von, nach, wort; pages need url and html or text, links need source and target: say which is which, such as --map source=von --map target=nach"},
		{"mapped", "x.csv", csv, []string{"source=von", "target=nach", "anchor=wort"}, "https://a.example/ → https://b.example/ [|Apfel|]"},
		{"mapped, without a name", "-", csv, []string{"source=von", "target=nach"}, "https://a.example/ → https://b.example/ [||]"},
		{"no such column", "x.csv", csv, []string{"source=vom", "target=nach"}, `no column "vom" to map to source; the columns are von, nach, wort`},
		{"nested", "x.jsonl", `{"meta":{"source":"https://a.example/"},"body":{"Main":"x"},"url":"https://c.example/","text":"no"}`, []string{"url=meta.source", "text=body.Main"}, "https://a.example/ text x"},
		{"a name with a dot", "x.jsonl", `{"meta.source":"https://a.example/","text":"x"}`, []string{"url=meta.source"}, "https://a.example/ text x"},
		{"what is mapped is looked for nowhere else", "x.jsonl", `{"url":"https://a.example/","text":"x"}`, []string{"url=nowhere"}, "no-url=1"},
		{"text that is called url", "x.csv", "url,page\nwords,https://a.example/\n", []string{"text=url", "url=page"}, "https://a.example/ text words"},
	} {
		m, err := table.ParseMap(c.entries...)
		if err != nil {
			t.Fatal(err)
		}
		src, err := crawl.NewSource(c.file, strings.NewReader(c.in), record.Options{Map: m})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		pages, l := Drain(t, src)
		got := strings.Join(LinesOf(pages), "\n")
		if ts := l.Tallies(); len(ts) > 0 && len(ts[0].Examples) > 0 {
			got += LeftOut(l) + ts[0].Examples[0].Detail
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	for _, bad := range []string{"", "url", "url=", "=x", "colour=red", "dest=x"} {
		if _, err := table.ParseMap(bad); err == nil || !strings.Contains(err.Error(), "FIELD=COLUMN") {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := table.ParseMap("url=a", "url=b"); err == nil {
		t.Error("a field that is mapped twice")
	}
}

func TestManyQuotes(t *testing.T) {
	in := "source,target,anchor\n" + strings.Repeat("https://a.example/,https://b.example/,\"\n", 100_000)
	pages, l, err := ReadBytes(t, []byte(in), record.Options{})
	if err != nil || len(pages)+int(l.Count(record.ReasonBadRow)) == 0 || l.Count(record.ReasonBadRow) > 100_000 {
		t.Errorf("%d pages, %v, %v", len(pages), LeftOut(l), err)
	}
}

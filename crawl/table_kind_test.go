package crawl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/crawl/record"
)

// TestLinkTables reads the flags, types and names of link tables as their makers write them.
func TestLinkTables(t *testing.T) {
	const a, b = "https://a.example/", "https://b.example/"
	for _, c := range []struct {
		name, in string
		want     []string
		left     string
	}{
		{
			"Majestic", "Target URL,Source URL,Anchor Text,FlagNoFollow,FlagImageLink,FlagRedirect,FlagFrame,FlagMention,FlagDeleted\n" +
				b + "," + a + ",one,,,,,,\n" + b + "," + a + ",two,+,,,,,\n" + b + "," + a + ",three,,+,,,,\n" + b + "," + a + ",,,,+,,,\n" + b + "," + a + ",,,,,+,,\n" + b + "," + a + ",,,,,,+,\n" + b + "," + a + ",,,,,,,+\n",
			[]string{a + " → " + b + " [|one|]", a + " → " + b + " [|two|] nofollow", a + " → " + b + " [|three|]"}, "not-link=3 redirect=1",
		},
		{
			"types", "Source URL,Target URL,Anchor Text,Link Type\n" + a + "," + b + ",one,TextLink\n" + a + "," + b + ",two,ImageLink\n" + a + "," + b + ",three,Mention\n" + a + "," + b + ",four,\n",
			[]string{a + " → " + b + " [|one|]", a + " → " + b + " [|two|]", a + " → " + b + " [|four|]"}, "not-link=1",
		},
		{
			"Ahrefs", "Referring page URL,Target URL,Anchor,Type,Nofollow,UGC,Sponsored\n" + a + "," + b + ",one,\"text, image\",false,true,TRUE\n" + a + "," + b + ",two,image,true,false,\n" + a + "," + b + ",,canonical,,,\n" + a + "," + b + ",,redirect,,,\n",
			[]string{a + " → " + b + " [|one|] ugc sponsored", a + " → " + b + " [|two|] nofollow"}, "not-link=1 redirect=1",
		},
		{
			"Moz", "URL,Title,Anchor Text,Target URL,Link Type,Link State\n" + a + ",T,one," + b + ",nofollow,Active\n" + a + ",T,two," + b + ",follow,Lost\n",
			[]string{a + " → " + b + " [|one|] nofollow"}, "not-link=1",
		},
		{
			"an API", "url_from,url_to,anchor,snippet_left,snippet_right,link_type,is_nofollow,is_dofollow\n" + a + "," + b + ",one,l,r,image,1,0\n",
			[]string{a + " → " + b + " [l|one|r] nofollow"}, "",
		},
		{"from and to", "URL From;URL To\n" + a + ";" + b + "\n", []string{a + " → " + b + " [||]"}, ""},
		{
			"Spanish", "Tipo,Fuente,Destino,Texto alternativo,Ancla,Seguir,Rel\nHipervínculo," + a + "," + b + ",,uno,FALSE,\nImagen," + a + "," + b + ",,,TRUE,\n",
			[]string{a + " → " + b + " [|uno|] nofollow"}, "not-link=1",
		},
		{
			"JSON Lines", `{"source":"` + a + `","target":"` + b + `","anchor":"one","nofollow":true,"ugc":1,"status":200}`,
			[]string{a + " → " + b + " [|one|] nofollow ugc"}, "",
		},
	} {
		pages, l, err := ReadBytes(t, []byte(c.in), record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, LinesOf(pages)); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
		if got := LeftOut(l); got != c.left {
			t.Errorf("%s: left out %q, want %q: %+v", c.name, got, c.left, l.Tallies())
		}
	}
}

// TestStatus reads tables and lists whose rows have a status, or a column that only is called so.
func TestStatus(t *testing.T) {
	csv := "url,text,status,redirect\nhttp://example.org/1,x,200,\nhttp://example.org/2,x,404,\nhttp://example.org/3,x,301,\nhttp://example.org/4,x,301,/y\nhttp://example.org/5,x,active,\nhttp://example.org/6,x,500.0,\nhttp://example.org/7,x,200 OK,\nhttp://example.org/8,x,HTTP/1.1 404 Not Found,\n"
	json := `{"url":"http://example.org/1","text":"x","status":200}
{"url":"http://example.org/2","text":"x","http_status":"404"}
{"url":"http://example.org/3","text":"x","metadata":{"statusCode":500}}
{"url":"http://example.org/4","text":"x","statusCode":301,"redirect":"/y"}
{"url":"http://example.org/5","text":"x","status":"ok"}
{"url":"http://example.org/6","text":"x","status":410.0}
{"url":"http://example.org/7","text":"x","status":{"code":500}}
`
	for _, c := range []struct {
		in, status, want, left string
	}{
		{csv, "", "1 5 7", "http-status=4 redirect=1"},
		{csv, "404", "2 5 8", "http-status=4 redirect=1"},
		{json, "", "1 5 7", "http-status=3 redirect=1"},
		{json, "500", "3 5 7", "http-status=3 redirect=1"},
	} {
		var codes []string
		if c.status != "" {
			codes = []string{c.status}
		}
		s, err := record.ParseSelection("", "", codes, nil)
		if err != nil {
			t.Fatal(err)
		}
		pages, l, err := ReadBytes(t, []byte(c.in), record.Options{Select: s})
		if err != nil || Ends(pages) != c.want || LeftOut(l) != c.left {
			t.Errorf("%.20s with status %q: %q, left out %q, want %q, %q; %v", c.in, c.status, Ends(pages), LeftOut(l), c.want, c.left, err)
		}
	}
}

// TestNames reads the members and columns of well-known makers.
func TestNames(t *testing.T) {
	const page = "https://a.example/ text x"
	for name, c := range map[string]struct{ in, want string }{
		"HPLT":                {`{"u":"https://a.example/","ts":"2024-05-01T10:00:00Z","text":"x","id":"0a1b"}`, page},
		"trafilatura":         {`{"title":"","source":"https://a.example/","id":null,"text":"x"}`, page},
		"a data set's origin": {`{"source":"common-crawl","id":"https://a.example/","text":"x"}`, page},
		"news-please":         {`{"url":"https://a.example/","maintext":"x","date_download":"2024-05-01 10:00:00"}`, page},
		"ClueWeb22":           {`{"URL":"https://a.example/\n","ClueWeb22-ID":"c","Clean-Text":"x"}`, page},
		"Firecrawl":           {`{"markdown":"x","metadata":{"sourceURL":"https://a.example/","statusCode":200}}`, page},
		"LangChain":           {`{"page_content":"x","metadata":{"source":"https://a.example/"}}`, page},
		"crawl4ai":            {`{"url":"https://a.example/","markdown":{"raw_markdown":"x","fit_markdown":""}}`, page},
		"text and source":     {"source,text\nhttps://a.example/,x\n", page},
	} {
		pages, l, err := ReadBytes(t, []byte(c.in), record.Options{})
		if err != nil || len(pages) != 1 || LinesOf(pages)[0] != c.want && LinesOf(pages)[0][:len(c.want)] != c.want {
			t.Errorf("%s: %q, want %q; %v %+v", name, LinesOf(pages), c.want, err, l.Tallies())
		}
	}
}

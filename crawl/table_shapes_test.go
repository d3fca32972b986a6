package crawl_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// placed returns the last letter of each URL with the number of its record.
func placed(pages []record.Page) string {
	var out []string
	for _, p := range pages {
		out = append(out, fmt.Sprintf("%s%d", p.URL[strings.LastIndexAny(p.URL, "/#")+1:], p.Pos.Record))
	}
	return strings.Join(out, " ")
}

// TestShapes reads JSON in the shapes in which tools write it. Each page is given as the end of its URL and the number
// of its record.
func TestShapes(t *testing.T) {
	const a, b, c = `{"url":"https://x.example/a","text":"one \"[{\" two"}`, `{"url":"https://x.example/b","text":"\\"}`, `{"url":"https://x.example/c","n":[1,{"d":[[]]}],"text":"x"}`
	pretty := func(prefix string) string {
		return prefix + "{\n" + prefix + "  \"url\": \"https://x.example/a\",\n" + prefix + "  \"tags\": [\n" + prefix + "    {\n" + prefix + "      \"k\": 1\n" + prefix + "    }\n" + prefix + "  ],\n" + prefix + "  \"text\": \"t\"\n" + prefix + "}"
	}
	for _, c := range []struct{ name, in, want, left string }{
		{"lines", a + "\n" + b + "\r\n\n" + c, "a1 b2 c4", ""},
		{"commas at line ends", a + ",\n" + b + ",\n" + c, "a1 b2 c3", ""},
		{"several on a line", a + b + "\n" + c + "  " + a, "a1 b2 c3 a4", ""},
		{"record separators", "\x1e" + a + "\n\x1e" + b + "\n", "a1 b2", ""},
		{"array on one line", "[" + a + "," + b + ", " + c + "]", "a1 b2 c3", ""},
		{"array of lines", "[\n" + a + ",\n" + b + "\n]\n", "a2 b3", ""},
		{"array, commas first", "[" + a + "\n," + b + "\n," + c + "\n]", "a1 b2 c3", ""},
		{"arrays one after another", "[" + a + "][" + b + "]\n[" + c + "]", "a1 b2 c3", ""},
		{"arrays in an array", "[[" + a + "," + b + "],\n[" + c + "]]", "a1 b2 c3", ""},
		{"null in an array", "[null," + a + ",null,\n" + b + "]", "a1 b2", "empty-page=2"},
		{"pretty object", pretty(""), "a1", ""},
		{"pretty objects", pretty("") + "\n" + pretty("") + pretty(""), "a1 a10 a18", ""},
		{"pretty array", "[\n" + pretty("  ") + ",\n" + pretty("  ") + "\n]", "a2 a11", ""},
		{"pretty array without indentation", "[\n" + strings.ReplaceAll(pretty(""), " ", "") + ",\n" + strings.ReplaceAll(pretty(""), " ", "") + "\n]", "a2 a11", ""},
		{"byte order marks", "\ufeff" + a + "\n\ufeff" + b, "a1 b2", ""},
		{"blanks before", "\n \t[ " + a + "]", "a2", ""},
		{"two keys", `{"url":"https://x.example/z","url":"https://x.example/a","text":"x"}`, "a1", ""},

		{"in an object", `{"status":"done","data":[` + a + "," + b + `],"next":null}`, "a1 b2", ""},
		{"in objects", `{"hits":{"total":2,"hits":[{"_id":"1","_source":` + a + `},{"_id":"2","_source":` + b + "}]}}\n" + `{"hits":{"total":1,"hits":[{"_id":"3","_source":` + c + `}]}}`, "a1 b2 c3", ""},
		{"one in an object", `{"success":true,"data":` + a + `}`, "a1", ""},
		{"answers in entries", `{"url":"https://x.example/a","request":{"method":"GET"},"response":{"status":"200","body":"<p>one two"}}` + "\n" +
			`{"request":{"endpoint":"https://x.example/b"},"response":{"status_code":200,"body":"<p>one two"}}`, "a1 b2", ""},
		{"posts", `[{"id":1,"link":"https://x.example/a","title":{"rendered":"t"},"content":{"rendered":"<p>one two"}}]`, "a1", ""},
		{"a feed", `{"version":"1","items":[{"id":"1","url":"https://x.example/a","content_html":"<p>one two"}]}`, "a1", ""},
		{"hits with other names", `{"hits":{"hits":[{"_id":"1","_source":{"url":"https://x.example/a","body_content":"one two"}}]}}`, "a1", ""},
		{"two arrays", `{"users":[{"id":1,"name":"x"}],"data":[` + a + `],"errors":[{"code":1}]}`, "a1", ""},
		{"a page with objects", `{"links":[{"url":"https://x.example/z","text":"z"}],"url":"https://x.example/a","text":"x"}`, "a1", ""},
		{"a failed page first", `{"url":"https://x.example/z","links":[{"url":"https://x.example/z","text":"z"}],"text":null}` + "\n" + a, "z1 a2", ""},
		{"CouchDB", `{"total_rows":2,"rows":[` + "\n" + `{"id":"1","doc":` + a + "},\n" + `{"id":"2","doc":` + b + "}\n]}", "a2 b3", ""},

		{"rows by number", `{"0":` + a + `,"1":` + b + `,"2":` + c + "}", "a1 b2 c3", ""},
		{"rows by name", "{\n\"x\": " + a + ",\n\"y\" : " + b + "\n}", "a2 b3", ""},
		{"rows and more", `{"0":` + a + `,"n":5,"l":[{"url":"https://x.example/z","text":"z"}],"s":"https://x.example/z","1":` + b + "}", "a1 b4", ""},
		{"an object by URL", `{"https://x.example/a":"<html><p>\"one","https://x.example/z":null,"https:\/\/x.example/b":"<p>two","https://x.example/c":{"text":"three"}}`, "a1 b2 c3", ""},
		{"lines by URL", `{"https://x.example/a":"<html>one"}` + "\n" + `{"https://x.example/b":"<html>two"}`, "a1 b2", ""},
		{"titles by URL", `{"https://x.example/a":"A","https://x.example/b":"B"}`, "", "unknown-columns=1 empty-page=1"},
		{"an object by URL that is cut off", `{"https://x.example/a":"<html>one","https://x.example/b":"<html>t`, "a1", "bad-json=1"},
		{"columns", `{"url":{"0":"https://x.example/a"},"text":{"0":"one"}}`, "", "unknown-columns=1"},
		{"lists", `{"url":["https://x.example/a"],"text":["one"]}`, "", "unknown-columns=1"},
		{"columns and data", `{"columns":["url","text"],"index":[0],"data":[["https://x.example/a","one"]]}`, "", "unknown-columns=1 empty-page=1"},

		{"an error in a line", a + "\n" + `{"url":"https://x.example/z","text":"x` + "\n" + b, "a1 b3", "bad-json=1"},
		{"an object that does not end", a + "\n" + `{"url":"https://x.example/z","n":[1,` + "\n" + b + "\n" + c, "a1 b3 c4", "bad-json=1"},
		{"an element that does not end", "[\n" + `{"url":"https://x.example/z","n":[1,` + "\n" + b + ",\n" + c + "\n]", "b3 c4", "bad-json=1"},
		{"a pretty element that does not end", "[\n" + strings.Replace(pretty("  "), "]", "", 1) + ",\n" + pretty("  ") + "\n]", "a11", "bad-json=1"},
		{"an element of one line with a stray quote", "[" + a + `,{"url":"https://x.example/z","text":"in" out"},` + b + "," + c + "]", "a1 b3 c4", "bad-json=1"},
		{"an array that is cut off", "[\n" + a + ",\n" + b + ",\n", "a2 b3", "bad-json=1"},
		{"an array that is cut off in an object", "[" + a + "," + b[:20], "a1", "bad-json=1"},
		{"an object that is cut off", `{"data":[` + a + "," + b + ",", "a1 b2", "bad-json=1"},
		{"words between", a + "\nwords\n" + b, "a1 b3", "bad-json=1"},
		{"words after", a + " words\n" + b, "a1 b2", "bad-json=1"},
		{"words before", "words\n" + a, "a2", "bad-json=1"},

		{"NaN and the like", `{"url":"https://x.example/a","n":[NaN,-Infinity,undefined,None,True],"text":"NaN, ]"}`, "a1", ""},
		{"a comma too many", `[{"url":"https://x.example/a","n":[1,],"text":"x" , },]`, "a1", ""},
		{"tabs", `{"url":"https://x.example/a","text":"\" \u00e9` + "\t\x01" + `"}`, "a1", ""},
		{"comments", "// pages\n" + `{"url":"https://x.example/a", /* the text */ "text":"// x"}`, "a2", "bad-json=1"},
		{"Python", `{'url': 'https://x.example/a', 'text': 'x'}`, "", "bad-json=1"},

		{"no elements", "[]", "", "empty-file=1"},
		{"numbers", "[1,\n2,\n3]", "", "bad-json=1"},
		{"text", strings.Repeat("words\n", 30), "", "unsupported-format=1"},
		{"numbers on a line", "[1, 2, -3.5e6, true]", "", "bad-json=1"},
		{"brackets", strings.Repeat("[", 100_000), "", "bad-json=1"},
		{"coordinates", `{"type":"FeatureCollection","features":[{"type":"Feature","geometry":{"type":"Point","coordinates":[[1,2],[3,4]]}}]}`, "", "unknown-columns=1 empty-page=1"},
		{"something else", `{"name":"x","body":{"a":1},"date":"2024-05-01"}` + "\n" + `{"name":"y"}`, "", "unknown-columns=1 empty-page=2"},
		{"no content", `{"url":"https://x.example/a","text":""}`, "", "empty-page=1"},
	} {
		ze, _ := zstd.NewWriter(nil)
		for how, in := range map[string][]byte{"plain": []byte(c.in), "gzip": Gzip(c.in), "zstd": ze.EncodeAll([]byte(c.in), nil), "members": Gzip(c.in[:len(c.in)/3], c.in[len(c.in)/3:])} {
			src, err := crawl.NewSource("x.json", bytes.NewReader(in), record.Options{})
			if err != nil {
				t.Errorf("%s, %s: %v", c.name, how, err)
				continue
			}
			pages, l := Drain(t, src)
			if got := placed(pages); got != c.want || LeftOut(l) != c.left {
				t.Errorf("%s, %s: %q and %q left out, want %q and %q; %+v", c.name, how, got, LeftOut(l), c.want, c.left, l.Tallies())
			}
		}
	}
}

// FuzzShapes checks that JSON of any shape is read in bounded steps, that each object is read once, and that an input of
// lines gives the same pages if it is written as an array.
func FuzzShapes(f *testing.F) {
	for _, s := range []string{"{\"url\":\"a\",\"text\":\"b\"}\n", "[{\"url\":\"a\",\n\"text\":\"b\"},\n{\"x\":[", "{\"data\":[{\"url\":\"a\",\"text\":\"}\"}],\"n\":1}{", "{\"log\":{\"entries\":[{\"request\":{}}]}}", "[[],null,{}]}\n {\n\"", "\x1e\ufeff{}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		for _, o := range []record.Options{{}, {MaxLine: 40}} {
			src, err := crawl.NewSource("x.json", bytes.NewReader(in), o)
			if err != nil {
				continue
			}
			pages, l := Drain(t, src)
			seen := map[int64]bool{}
			for _, p := range pages {
				if p.Links == nil && seen[p.Pos.Offset] || p.Pos.Offset >= int64(len(in)) {
					t.Fatalf("%q: a second page at byte %d", in, p.Pos.Offset)
				}
				seen[p.Pos.Offset] = true
			}
			if len(pages) == 0 && l.Total() == 0 && src.Format() == "json" && bytes.Contains(in, []byte("{")) {
				t.Fatalf("%q: nothing read and nothing left out", in)
			}
		}
	})
}

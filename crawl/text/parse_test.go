package text

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zeebo/xxh3"

	"github.com/lshclust/lshclust/bags"
)

func parser(t testing.TB) *Parser {
	t.Helper()
	v, err := NewVocabulary(Analysis{Language: "english", Stem: true, Stop: "snowball"})
	if err != nil {
		t.Fatal(err)
	}
	return &Parser{Vocabulary: v}
}

// view formats a Doc for a test: words with their blocks, and links with their anchors.
func view(d *Doc) (text string, links []string) {
	for _, l := range d.Links {
		var w []string
		for _, x := range d.Words[l.From:l.To] {
			w = append(w, string(d.Text[x.From:x.To]))
		}
		links = append(links, l.Href+" "+strings.Join(w, "·"))
	}
	return string(d.Text), links
}

func TestHTML(t *testing.T) {
	for _, c := range []struct {
		name, in, text string
		links          []string
	}{
		{"plain", "one  two\n three", "one two three", nil},
		{"inline runs through", "<b>data</b>base <i>x</i>", "database x", nil},
		{"a word ends with a link", "<a href=1><b>data</b>base</a>s", "database s", []string{"1 database"}},
		{"adjacent links", "<a href=1>one</a><a href=2>two</a>, x<a href=3>!</a>", "one two, x!", []string{"1 one", "2 two", "3 "}},
		{"adjacent elements with a class", "<span class=a>one</span><span class=b>two</span> <b>H</b><i class=x>2</i>O", "one two H2O", nil},
		{"one form", "cafe\u0301 ﬁne Ａｂ ｶﾞ zero\u200Bwidth ไทย\u200Bไทย", "café fine Ab ガ zerowidth ไทย\u200Bไทย", nil},
		{"blocks", "<p>one</p><p>two</p>three<div>four", "one\ntwo\nthree\nfour", nil},
		{"cells are spaced, rows are blocks", "<table><tr><td>a<td>b</tr><tr><td>c</table>", "a b\nc\n", nil},
		{"hidden", "a<!-- c --><script>if (a<b) {}</script><style>p{}</style><noscript>n</noscript> b", "a b", nil},
		{"nested hidden", "<svg><svg>x</svg><title>no</title>y</svg>z", "z", nil},
		{"entities", "a&amp;b &eacute;t&eacute; &#x4e2d;", "a&b été 中", nil},
		{"link", `see <a href="/x?a=1&amp;b=2">The Docs</a> now`, "see The Docs now", []string{"/x?a=1&b=2 The·Docs"}},
		{"image in link", `<a href=i><img alt="Build status" src=x></a> done`, "Build status done", []string{"i Build·status"}},
		{"nested links", `<a href=1>one <a href=2>two</a> three</a>`, "one two three", []string{"1 one", "2 two"}},
		{"unclosed link", `<a href=1>one`, "one", []string{"1 one"}},
		{"no href", `<a name=x>one</a>`, "one", nil},
		{"empty href", `<a href="">one</a>`, "one", []string{" one"}},
		{"first attribute wins", `<a href=1 href=2>one</a>`, "one", []string{"1 one"}},
		{"area", `<map><area href=1 alt="North wing"></map>x`, "North wing x", []string{"1 North·wing"}},
		{"link over blocks", `<a href=1><h3>Head</h3><p>body</p></a>`, "Head\nbody\n", []string{"1 Head·body"}},
		{"what closes itself does not", `one<script src=x/>two</script>three<iframe src=y/>four</iframe>`, "onethree", []string{"y/ "}},
		{"drawings close themselves", `<svg/>one<svg><style/>two<path/><title/>three</svg>four<svg><title>five<b></title></svg>six`, "onefoursix", nil},
		{"a page breaks out of a drawing", `one<svg><g>two<p>three</p>four`, "one\nthree\nfour", nil},
		{"an end breaks out of a drawing", `<div>one<svg><path></div>two`, "one\ntwo", nil},
		{"markup in a drawing", `<svg><foreignObject><p>one</foreignObject><desc><b>two</desc>three</svg>four`, "four", nil},
		{"nested noscript", `<noscript>one<noscript>two</noscript>three`, "three", nil},
		{"nested template", `<template>one<template/>two</template>three</template>four`, "four", nil},
		{"image is img", `one<image alt=two>three`, "one two three", nil},
		{"blocks seldom seen", `one<legend>two</legend>three<search>x</search><xmp>four<a href=x></xmp>five<optgroup>six`, "one\ntwo\nthree\nx\nfour<a href=x>\nfive six", nil},
		{"NUL", "on\x00e \x00 two", "one two", nil},
		{"title is apart", "<title> A  page </title><body>x<title>no</title>", "x", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, links := view(parser(t).HTML([]byte(c.in)))
			if d := cmp.Diff(c.text, text); d != "" {
				t.Error("text:", d)
			}
			if d := cmp.Diff(c.links, links); d != "" {
				t.Error("links:", d)
			}
		})
	}
}

func TestHead(t *testing.T) {
	d := parser(t).HTML([]byte("<html lang=en><head><title>A\n page</title><base href='/b/'><base href='/c/'></head><h2>One <a href=x>two</a></h2>three"))
	if string(d.Title) != "A page" || d.Base != "/b/" {
		t.Errorf("title %q, base %q", d.Title, d.Base)
	}
}

// The first base with an href is used, even if the href is empty.
func TestFirstBase(t *testing.T) {
	for in, want := range map[string]string{
		`<base target=x><base href=/a/><base href=/b/>`: "/a/",
		`<base href=""><base href=/b/>`:                 "",
	} {
		if got := parser(t).HTML([]byte(in)).Base; got != want {
			t.Errorf("%s: %q, not %q", in, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"Don't panic, it's 3.14":                 "don't|panic|it's|3|14",
		"'quoted' rock'n'roll":                   "quoted|rock'n'roll",
		"Ünïcode ÉTÉ naïve":                      "ünïcode|été|naïve",
		"e\u0301te\u0301":                        "e\u0301te\u0301",
		"中文分词 ok 字":                              "中文|文分|分词|ok|字",
		"abc中文def":                               "abc|中文|def",
		"\xff\xfebad\xc3 utf8\xe2":               "bad|utf8",
		"it’s it‘s it＇s cafe\u0301's 'tis ’ l'中": "it's|it's|it's|cafe\u0301's|tis|l|中",
		"col·lecció Donau\u00ADdampf a\u200Eb":   "col·lecció|donaudampf|ab",
		"צה״ל צה\"ל צ׳ק צ'ק ג׳ ״שלום״":           "צה\"ל|צה\"ל|צ'ק|צ'ק|ג|שלום",
		"می\u200Cخواهم هندی":                     "میخواهم|هندی",
		"❤️ 👍🏽 \u0301 ok":                        "ok",
		"サーバー ｻｰﾊﾞｰ 々":                           "サーバー|ｻｰﾊﾞｰ|々",
		"ที่นี่ ก":                               "ที่นี่|ก",
		"葛\U000E0100城 Ⅳ ๑๒":                      "葛\U000E0100城|ⅳ|๑๒",
		"--- ... !":                              "",
		// around the eight bytes that are looked at together, and the 32 that have room
		"Abcdefg Abcdefgh ABCDEFGHI":                                    "abcdefg|abcdefgh|abcdefghi",
		"abcdefgh'i abcdefghé @[`{/:09AZaz":                             "abcdefgh'i|abcdefghé|09azaz",
		"X23456789012345678901234567890123456789 y":                     "x23456789012345678901234567890123456789|y",
		"X2345678901234567890123456789012 X234567890123456789012345678": "x2345678901234567890123456789012|x234567890123456789012345678",
	} {
		var got []string
		var p Splitter
		p.Split([]byte(in), func(from, to int, lower []byte) { got = append(got, string(lower)) })
		if g := strings.Join(got, "|"); g != want {
			t.Errorf("%q: %q, want %q", in, g, want)
		}
	}
}

func TestTerms(t *testing.T) {
	v := parser(t).Vocabulary
	if v.Term([]byte("database")) != v.Term([]byte("databases")) || v.Term([]byte("database")) == 0 {
		t.Error("database and databases are not one term")
	}
	if v.Term([]byte("the")) != 0 {
		t.Error("the stop word has a term")
	}
	counts := map[string]uint64{}
	if err := v.Drain(func(_ bags.Term, w string, n uint64) error { counts[w] = n; return nil }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]uint64{"database": 2, "databases": 1}, counts); d != "" {
		t.Error(d)
	}
	if _, err := NewVocabulary(Analysis{Language: "klingon", Stop: "none"}); err == nil {
		t.Error("no error for a language that there is not")
	}
}

// Counts are right however often the hot words change.
func TestHotWords(t *testing.T) {
	v := parser(t).Vocabulary
	want := map[string]uint64{}
	for i := range uint64(60_000) {
		w := fmt.Sprintf("w%d", i*i%50_021%(1+i%9_001))
		want[w]++
		if a, b := v.Term([]byte(w)), bags.TermOf(xxh3.HashString(w)); a != b {
			t.Fatalf("%s has term %x, not %x", w, a, b)
		}
	}
	got := map[string]uint64{}
	if err := v.Drain(func(_ bags.Term, w string, n uint64) error { got[w] = n; return nil }); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// FuzzHTML checks the invariants of the parser on arbitrary bytes.
func FuzzHTML(f *testing.F) {
	f.Add([]byte("<p>one <a href=x rel=nofollow>two</a><h1>three"))
	f.Add([]byte("<svg><title>\xff中文<textarea><a href=''><area href=q alt=z>"))
	p := parser(f)
	f.Fuzz(func(t *testing.T, in []byte) {
		d := p.HTML(in)
		end := uint32(0)
		for _, w := range d.Words {
			if w.From >= w.To || int(w.To) > len(d.Text) || w.From < end && w.To <= end {
				t.Fatalf("word %d:%d after %d of %d", w.From, w.To, end, len(d.Text))
			}
			end = w.To
		}
		for _, l := range d.Links {
			if l.From > l.To || int(l.To) > len(d.Words) || l.Byte > l.EndByte || int(l.EndByte) > len(d.Text) {
				t.Fatalf("link %+v of %d words, %d bytes", l, len(d.Words), len(d.Text))
			}
		}
	})
}

func TestHeadings(t *testing.T) {
	doc := parser(t).HTML([]byte("<h2>One two</h2>a<h3>three</h3>b<h1>four <b>five</b></h1><h3>six<p>body</p></h3>c<h2>open"))
	var got []string
	for _, h := range doc.Heads {
		var w []string
		for _, x := range doc.Words[h.From:h.To] {
			w = append(w, string(doc.Text[x.From:x.To]))
		}
		got = append(got, fmt.Sprintf("%d under %d: %s", h.Level, h.Above, strings.Join(w, "·")))
	}
	want := []string{"2 under -1: One·two", "3 under 0: three", "1 under -1: four·five", "3 under 2: six", "2 under 2: open"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

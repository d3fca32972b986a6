package crawl_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/crawl/record"
)

// wrappings are forms in which programs write markup into a field.
var wrappings = map[string]func(string) string{
	"plain":     func(s string) string { return s },
	"base64":    func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64url": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"gzip": func(s string) string {
		var b strings.Builder
		w, _ := gzip.NewWriterLevel(&b, 1)
		_, _ = w.Write([]byte(s))
		_ = w.Close()
		return base64.StdEncoding.EncodeToString([]byte(b.String()))
	},
	"data URL": func(s string) string {
		return "data:text/html;charset=utf-8;base64," + base64.StdEncoding.EncodeToString([]byte(s))
	},
	"data URL %": func(s string) string { return "data:text/html," + url.PathEscape(s) },
	"hex":        func(s string) string { return `\x` + hex.EncodeToString([]byte(s)) },
	"SQL":        func(s string) string { return "0x" + strings.ToUpper(hex.EncodeToString([]byte(s))) },
	"Python": func(s string) string {
		return "b'" + strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`, "\t", `\t`, "é", `\xc3\xa9`).Replace(s) + "'"
	},
	"JSON": func(s string) string { b, _ := json.Marshal(s); return string(b) },
	"HTML": html.EscapeString,
	"URL":  url.PathEscape,
}

// TestUnwrapped checks that markup is read in each form, in a table and in JSON, and also in two of them.
func TestUnwrapped(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"one", "é", "&amp;", "'", `"`, `\`, "\n", "\t", "a+b", "%41", "<b>x</b>", strings.Repeat("long ", 20_000)}), 1, 6).Draw(rt, "words")
		page := "<!doctype html><p>" + strings.Join(words, " ") + "</p>"
		in := page
		inner := []string{"plain", "base64", "base64url", "data URL", "data URL %", "hex", "SQL", "Python", "JSON", "HTML", "URL", "gzip"}
		outer := []string{"plain", "base64", "hex", "JSON", "Python"}
		for _, name := range []string{rapid.SampledFrom(inner).Draw(rt, "form"), rapid.SampledFrom(outer).Draw(rt, "around it")} {
			in = wrappings[name](in)
		}
		line, _ := json.Marshal(map[string]string{"url": "https://x.example/", "html": in})
		row := "url,html\nhttps://x.example/,\"" + strings.ReplaceAll(in, `"`, `""`) + "\"\n"
		for _, input := range []string{string(line), row} {
			if strings.HasPrefix(input, "url") && strings.Contains(in, `\"`) {
				continue // a backslash before a quote can be read in two ways
			}
			pages, l, err := ReadBytes(t, []byte(input), record.Options{})
			if err != nil || len(pages) != 1 || string(pages[0].HTML) != page {
				rt.Fatalf("%.300s: %d pages, %v, %.300q, want %.300q", input, len(pages), l.Tallies(), fmt.Sprint(pages), page)
			}
		}
	})
}

// TestUnwrappedTexts reads texts that look like one of these forms, and values that say that there is none.
func TestUnwrappedTexts(t *testing.T) {
	for in, want := range map[string]string{
		"UGxhaW4gd29yZHMgYWJvdXQgdGhpbmdzLg==":             "Plain words about things.",
		"deadbeefdeadbeefdeadbeefdeadbeef":                 "deadbeefdeadbeefdeadbeefdeadbeef",
		"Donaudampfschifffahrtsgesellschaftskapitaen":      "Donaudampfschifffahrtsgesellschaftskapitaen",
		"b'some words\\x21'":                               "some words!",
		`"quoted words" and more "words"`:                  `"quoted words" and more "words"`,
		"&lt; is less than &gt;":                           "&lt; is less than &gt;",
		"%3C is an escape of URLs":                         "%3C is an escape of URLs",
		"data: what this section is about, with its words": "data: what this section is about, with its words",
		"NaN": "", "None": "", `\N`: "", "<NA>": "", "Nones": "Nones",
	} {
		line, _ := json.Marshal(map[string]string{"url": "https://x.example/", "text": in})
		pages, _, err := ReadBytes(t, line, record.Options{})
		got := ""
		if len(pages) > 0 {
			got = string(pages[0].Text)
		}
		if err != nil || got != want {
			t.Errorf("%q: %q, want %q; %v", in, got, want, err)
		}
	}
}

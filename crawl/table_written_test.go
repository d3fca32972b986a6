package crawl_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/record"
)

// FuzzTableWritten checks that the rows of a CSV writer are read back, whatever the words contain.
func FuzzTableWritten(f *testing.F) {
	f.Add("red, \"ripe\" apple", "the\nred", byte(0))
	f.Add(" \t;|,", `"`, byte(1))
	f.Add("\xff\xfe", "ä\n\n\"\"", byte(2))
	f.Add("", "x", byte(3))
	f.Add(`\", x`, `a "q", b\`, byte(0))
	f.Fuzz(func(t *testing.T, anchor, before string, which byte) {
		if strings.ContainsAny(anchor+before, "\r\x00") || !utf8.ValidString(anchor) || !utf8.ValidString(before) || strings.TrimSpace(anchor) == "" ||
			strings.Count(before+anchor, "\n") > 500 || len(anchor)+len(before) > 256<<10 {
			return // line endings within quotes are LF
		}
		comma := []rune{',', ';', '|'}[which%3]
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma, w.UseCRLF = comma, which%2 == 1
		row := []string{"https://a.example/", "https://b.example/", anchor, before}
		_ = w.Write([]string{"source", "target", "anchor", "before"})
		_ = w.Write(row)
		_ = w.Write(row)
		if w.Flush(); w.Error() != nil {
			return
		}
		pages, l, err := ReadBytes(t, b.Bytes(), record.Options{MaxLine: 1 << 20})
		if err != nil || len(pages) != 2 || l.Total() != 0 {
			t.Fatalf("%q: %d rows, %v, %v", b.String(), len(pages), l.Tallies(), err)
		}
		for _, p := range pages {
			if got := p.Links[0]; got.Anchor != anchor || got.Before != before {
				t.Fatalf("%q: anchor %q, before %q", b.String(), got.Anchor, got.Before)
			}
		}
	})
}

// TestBackslashes reads what programs write whose quotes have backslashes before them, and what only looks like it.
func TestBackslashes(t *testing.T) {
	for _, c := range []struct{ name, rows, want string }{
		{"doubled", `"\"", x"`, `\", x`},
		{"doubled, at the end", `"a ""q"", b\"`, `a "q", b\`},
		{"doubled, escapes too", `"\\"", x"`, `\\", x`},
		{"escaped", `"a \"q\", b"`, `a "q", b`},
		{"escaped, at the end", `"5\""`, `5"`},
		{"escaped, lines", "\"<p class=\\\"x\\\">\n<b id=\\\"y\\\">\nwords\"", "<p class=\"x\">\n<b id=\"y\">\nwords"},
		{"PHP's", `"a ""q"", \"b\" c"`, `a "q", "b" c`},
	} {
		table := "url,text,lang\n"
		for _, n := range []string{"1", "2", "3"} {
			table += "https://a.example/" + n + "," + c.rows + ",en\n"
		}
		pages, l, err := ReadBytes(t, []byte(table), record.Options{})
		if err != nil || len(pages) != 3 || l.Total() != 0 {
			t.Errorf("%s: %d pages, %v, %v", c.name, len(pages), l.Tallies(), err)
			continue
		}
		if got := string(pages[1].Text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

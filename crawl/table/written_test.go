package table_test

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/crawltest"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/table"
)

// FuzzTableWritten checks that the rows of a CSV writer are read back, whatever the words contain.
func FuzzTableWritten(f *testing.F) {
	f.Add("red, \"ripe\" apple", "the\nred", byte(0))
	f.Add(" \t;|,", `"`, byte(1))
	f.Add("\xff\xfe", "ä\n\n\"\"", byte(2))
	f.Add("", "x", byte(3))
	f.Fuzz(func(t *testing.T, anchor, before string, which byte) {
		if strings.ContainsAny(anchor+before, "\\\r\x00") || !utf8.ValidString(anchor) || !utf8.ValidString(before) || strings.TrimSpace(anchor) == "" ||
			strings.Count(before+anchor, "\n") > table.MaxRowLines/2 || len(anchor)+len(before) > table.MaxRowBytes/4 {
			return // backslashes can be written in two ways, and line endings within quotes are LF
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
		pages, l, err := crawltest.ReadBytes(t, b.Bytes(), record.Options{MaxLine: 1 << 20})
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

package crawl_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

func TestJSONLines(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`{"url":"http://example.org/a","html":"<p>x"}`, "html <p>x"},
		{`{"url":"http://example.org/a","text":"x"}`, "text x"},
		{`{"url":"http://example.org/a","text":"x","html":"y"}`, "html y"},
		{`{"url":"http://example.org/a","html":null,"text":"x"}`, "text x"},
		{`{"url":"http://example.org/a","html":"","text":"x"}`, "text x"},
		{` { "html" : "a\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00\ud800" , "x" : [1,{"a":"]}"}] , "url":"http://example.org/a" } `, "html a\"\\/\b\f\n\r\tä😀\uFFFD"},
		{`{"url":"http://example.org/a","html":"a` + "\xff" + `b"}`, "charset-guessed"},
		{`{"u\u0072l":"http://example.org/a","html":"x"}`, "html x"},
		{`{}`, "empty-page"},
		{`{"url":"http://example.org/a"}`, "empty-page"},
		{`{"url":"http://example.org/a","html":5}`, "empty-page"},
		{`{"html":"x"}`, "no-url"},
		{`{"url":7,"html":"x"}`, "no-url"},
		{`{"url":"ftp://example.org","html":"x"}`, "html x"}, // anything that is not a web URL is an id
		{`{"id":"npm:left-pad@1.3.0/LICENSE","text":"x"}`, "text x"},
		{`{"url":"mailto:x","html":"x"}`, "not-http-url"},
		{`{"url":"nonsense","html":"x"}`, "html x"},
		{`{"url":"http://example.org/` + strings.Repeat("a", 100<<10) + `","html":"x"}`, "url-too-long"},
		{`{"url":"http://example.org/a","html":"x"`, "bad-json"},
		{`{"url":"http://example.org/a","html":"x}`, "bad-json"},
		{`{"url":"http://example.org/a","html":"\x"}`, "bad-json"},
		{`{"url":"http://example.org/a","html":"\u12"}`, "bad-json"},
		{`{"url":"http://example.org/a","html":"x",}`, "html x"},
		{`{"url":"http://example.org/a" "html":"x"}`, "bad-json"},
		{`{"url":"http://example.org/a","html":tru}`, "bad-json"},
		{`{"a":` + strings.Repeat("[", 100000) + `}`, "bad-json"},
		{`1`, "bad-json"},
		{`nonsense`, "bad-json"},
		{"{\"url\":\"http://example.org/a\",\"html\":\"a\tb\"}", "html a\tb"},
	} {
		in := `{"url":"http://example.org/first","html":"1"}` + "\r\n\n" + c.line + "\n" + `{"url":"http://example.org/last","html":"2"}`
		pages, l, err := ReadBytes(t, []byte(in), record.Options{})
		got := ""
		switch {
		case err == nil && l.Total() == 1:
			got = string(l.Tallies()[0].Reason)
			if l.Tallies()[0].Examples[0].Pos.Record != 3 || l.Tallies()[0].Examples[0].Pos.Offset != 48 {
				t.Errorf("%.80s: at %v", c.line, l.Tallies()[0].Examples[0].Pos)
			}
		case len(pages) == 3 && pages[1].HTML != nil:
			got = "html " + string(pages[1].HTML)
		case len(pages) == 3:
			got = "text " + string(pages[1].Text)
		}
		if got != c.want {
			t.Errorf("%.80s: %q, want %q; %+v %v", c.line, got, c.want, l.Tallies(), err)
		}
	}
}

func TestJSONLCompressed(t *testing.T) {
	line := func(i string) string {
		return `{"url":"http://example.org/` + i + `","html":"` + strings.Repeat("a", 2000) + `"}` + "\n"
	}
	all := line("1") + line("2") + line("3")
	ze, _ := zstd.NewWriter(nil)
	zst := ze.EncodeAll([]byte(all), nil)
	packed := Gzip(all)
	three := Gzip(line("1"), line("2"), line("3"))
	n := len(Gzip(line("1")))
	broken := bytes.Clone(three)
	broken[n+30] ^= 0x55
	for _, c := range []struct {
		name, pages, damage string
		in                  []byte
	}{
		{"BOM", "1 2 3", "", []byte("\xef\xbb\xbf" + all)},
		{"gzip", "1 2 3", "", packed},
		{"members", "1 2 3", "", three},
		{"line over members", "1 2 3", "", Gzip(all[:1000], all[1000:5000], all[5000:])},
		{"zstd", "1 2 3", "", zst},
		{"zstd cut", "", "bad-zstd", zst[:len(zst)-8]},
		{"member broken", "1 3", "bad-gzip=1", broken},
		{"gzip cut", "1 2 3", "truncated-gzip=1", packed[:len(packed)-4]},
		{"members cut", "1 2", "truncated-gzip=1", three[:len(three)-12]},
	} {
		pages, l, err := ReadBytes(t, c.in, record.Options{})
		if got := DamageOf(l, err); Ends(pages) != c.pages || got != c.damage {
			t.Errorf("%s: pages %q, damage %q, want %q, %q; %+v", c.name, Ends(pages), got, c.pages, c.damage, l.Tallies())
		}
	}
}

func TestJSONLLimits(t *testing.T) {
	big := `{"url":"http://example.org/2","html":"` + strings.Repeat("ä", 25<<20) + `"}`
	in := `{"url":"http://example.org/1","html":"x"}` + "\n" + big + "\n" + `{"url":"http://example.org/3","html":"x"}`
	pages, l, _ := ReadBytes(t, []byte(in), record.Options{})
	if Ends(pages) != "1 2 3" || len(pages[1].HTML) != 16<<20 || l.Count(record.ReasonPageTooBig) != 1 || l.Damaged() != 0 {
		t.Errorf("50 MB page: %q %+v", Ends(pages), l.Tallies())
	}
	pages, l, _ = ReadBytes(t, []byte(in), record.Options{MaxLine: 1 << 20})
	if Ends(pages) != "1 3" || l.Count(record.ReasonLineTooLong) != 1 {
		t.Errorf("long line: %q %+v", Ends(pages), l.Tallies())
	}
}

func TestCancelled(t *testing.T) {
	src, err := crawl.NewSource("memory", strings.NewReader("{}\n{}\n"), record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	n := 0
	for _, err = range src.Records(ctx) {
		n++
		cancel()
	}
	if n != 2 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d records, then %v", n, err)
	}
}

// TestBrokenGzipHeader checks that a file with a broken first gzip header is damaged, not empty.
func TestBrokenGzipHeader(t *testing.T) {
	src, err := crawl.NewSource("pages.jsonl.gz", strings.NewReader("\x1f\x8b\x08nonsense and more nonsense, long enough for a header"), record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	var ledger crawl.Ledger
	for rec, err := range src.Records(t.Context()) {
		if !ledger.Add(err) {
			t.Errorf("record %v, error %v", rec, err)
		}
	}
	if ledger.Damaged() != 1 {
		t.Errorf("ledger %+v: want one damage", ledger.Tallies())
	}
}

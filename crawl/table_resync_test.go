package crawl_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/crawl/record"
)

// TestQuotedTables checks that what a writer of tables quotes is read as it was, with any separator: line endings,
// separators, doubled quotes and lines that look like the end of a row.
func TestQuotedTables(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		cell := rapid.SliceOfN(rapid.SampledFrom([]string{"red", "apple ", "\n", "\"", ",", ";", "|", "\t", "\nhttps://z.example/z is", "\nPrice\t12", "<p class=\"x\">", "ä", "#"}), 0, 8)
		rows := rapid.SliceOfN(rapid.Map(cell, func(parts []string) string { return "x" + strings.Join(parts, "") + "." }), 1, 12).Draw(rt, "cells")
		comma := rapid.SampledFrom([]rune(",;|\t")).Draw(rt, "separator")
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		w.Comma, w.UseCRLF = comma, rapid.Bool().Draw(rt, "CRLF")
		_ = w.Write([]string{"url", "text", "note"})
		for i, text := range rows {
			_ = w.Write([]string{fmt.Sprintf("http://example.org/%d", i), text, "n"})
		}
		w.Flush()
		pages, l, err := ReadBytes(t, b.Bytes(), record.Options{})
		if err != nil || l.Total() > 0 || len(pages) != len(rows) {
			rt.Fatalf("%q: %d pages of %d, %+v, %v", b.String(), len(pages), len(rows), l.Tallies(), err)
		}
		for i, p := range pages {
			if string(p.Text) != rows[i] {
				rt.Fatalf("%q: row %d is %q, want %q", b.String(), i, p.Text, rows[i])
			}
		}
	})
}

// TestStrayQuote checks that a quote that someone forgot to close or to double costs its own row at most, wherever it is.
func TestStrayQuote(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		comma := rapid.SampledFrom([]string{",", ";", "|", "\t"}).Draw(rt, "separator")
		n := rapid.IntRange(4, 40).Draw(rt, "rows")
		at := rapid.IntRange(0, n-1).Draw(rt, "row")
		stray := rapid.SampledFrom([]string{`"`, `"Hello" he said `, `"a ""b`, `"x\" `}).Draw(rt, "quote")
		later := rapid.IntRange(0, n).Draw(rt, "quoted row") // a row whose quotes could close the stray one
		var b strings.Builder
		b.WriteString("url" + comma + "text\n")
		for i := range n {
			text := "words of the text"
			switch i {
			case at:
				text = stray + text
			case later:
				text = "\"two\nlines\""
			}
			fmt.Fprintf(&b, "http://example.org/%d%s%s\n", i, comma, text)
		}
		pages, l, err := ReadBytes(t, []byte(b.String()), record.Options{})
		if err != nil || len(pages) < n-1 {
			rt.Fatalf("%q: %d pages of %d, %+v, %v", b.String(), len(pages), n, l.Tallies(), err)
		}
		if len(pages) < n && l.Count(record.ReasonBadRow) != 1 {
			rt.Fatalf("%q: a row is lost without a word: %+v", b.String(), l.Tallies())
		}
	})
}

// TestPassedOver checks what is said about a row that is cut at the end of the file.
func TestPassedOver(t *testing.T) {
	in := "url,html\nhttp://example.org/1,x\nhttp://example.org/2,\"<p>cut\nin the\nmiddle"
	pages, l, _ := ReadBytes(t, []byte(in), record.Options{})
	ts := l.Tallies()
	if Ends(pages) != "1" || len(ts) != 1 || ts[0].Passed != 42 || !strings.Contains(ts[0].Examples[0].Detail, "3 lines, 42 bytes") {
		t.Errorf("%q %+v", Ends(pages), ts)
	}
}

// TestEveryRowOpens reads tables in which every row opens a quote. In quadratic time this would take minutes.
func TestEveryRowOpens(t *testing.T) {
	for name, row := range map[string]string{
		"addresses": "http://example.org/a,\"x\n", "ids": "a,\"x\n", "quotes": "\"\n", "three": "\"\"\"\n", "open and odd": "http://example.org/a,\"x\"y,\"z\n",
		"lines": "http://example.org/a,\"x\ny\n",
	} {
		for _, header := range []string{"url,text\n", "source,target\n", "url\ttext\n"} {
			in := header + strings.Repeat(row, 1<<19/len(row))
			if strings.Contains(header, "\t") {
				in = strings.ReplaceAll(in, ",", "\t")
			}
			_, l, err := ReadBytes(t, []byte(in), record.Options{})
			if err != nil || l.Total() == 0 && !strings.Contains(header, "\t") {
				t.Errorf("%s, %s: %+v %v", name, header, l.Tallies(), err)
			}
		}
	}
}

// TestForms reads forms of tables that programs write.
func TestForms(t *testing.T) {
	const a, b = "http://example.org/1", "http://example.org/2"
	for _, c := range []struct{ name, in, want, left string }{
		{"single quotes", "url,text\n'" + a + "','x, y it''s'\n'" + b + "','y'\n", "1 2", ""},
		{"a header in single quotes", "'url','text'\n'" + a + "','x, y'\n'" + b + "','two\nlines'\n", "1 2", ""},
		{"texts in single quotes", "url,text\n" + a + ",'x, y'\n" + b + ",y\n", "1 2", ""},
		{"an apostrophe", "url,text\n" + a + ",'tis x\n" + b + ",y\n", "1 2", ""},
		{"a cell of rows", "url,text\n" + a + ",\"Such as:\nhttps://x.example/,1\nhttps://y.example/,2\nhttps://z.example/,3\nand so on\"\n" + b + ",y\n", "1 2", ""},
		{"blanks before quotes", "url, text, n\n\"" + a + "\", \"x, y\", 1\n\"" + b + "\", \"two\nlines\", 2\n", "1 2", ""},
		{"a header again", "url,text\n" + a + ",x\nurl,text\n" + b + ",y\nurl,text\n", "1 2", ""},
		{"inches", "url,text\n" + a + ",\"x\nhttp://example.org/3,y\nhttp://example.org/4,y\nhttp://example.org/5,y\nhttp://example.org/6,27\"\n" + b + ",y\n", "3 4 5 6 2", "bad-row=1"},
		{"MySQL", "url\ttitle\ttext\n" + a + "\t\\N\tone\\ntwo\\tthree\n" + b + "\t\\N\tone\\\ntwo\\\tthree \\\\\n" + a + "\tx\t\\N\n", "1 2", "empty-page=1"},
		{"paths of Windows", "url\ttext\n" + a + "\tC:\\new\n" + b + "\ty\n", "1 2", ""},
		{"row numbers", "\"url\",\"text\"\n\"1\",\"" + a + "\",\"x\"\n\"2\",\"" + b + "\",\"y\"\n", "1 2", ""},
		{"row numbers with tabs", "url\ttext\n1\t" + a + "\tx\n2\t" + b + "\ty\n", "1 2", ""},
		{"short rows", "url,text,note,more\n" + a + ",x\n" + b + ",y,z\n", "1 2", ""},
		{"rows without a text", "url,text,note\n" + a + "\n" + b + ",y,z\n", "2", "bad-row=1"},
		{"trailing separators", "url,text,\n" + a + ",x,\n" + b + ",y,,\n", "1 2", ""},
		{"carriage returns", "url,text\r" + a + ",x\r" + b + ",\"y\nz\"\r", "1 2", ""},
		{"comments", "# a\n# b\n# c\n# d\n# e\nurl,text\n" + a + ",x\n" + b + ",y\n", "1 2", ""},
		{"Excel's separator", "sep=;\r\nurl;text\r\n" + a + ";x\r\n" + b + ";\"y;z\"\r\n", "1 2", ""},
		{"BOM and quotes", "\xef\xbb\xbf\"url\",\"text\"\n\"" + a + "\",\"x\"\n" + b + ",y\n", "1 2", ""},
		{"a name of two lines", "url,text,\"long\nname\"\n" + a + ",x,1\n" + b + ",y,2\n", "1 2", ""},
		{"bars", "url|text\n" + a + "|x, y\n" + b + "|\"z|z\"\n", "1 2", ""},
		{"backslashes", "url,text\n" + a + ",\"say \\\"hi\\\" and,\nthen\"\n" + b + ",y\n", "1 2", ""},
		{"NUL", "url,text\n" + a + ",x\x00y\n" + b + ",y\n", "1 2", ""},
		{"a name twice", "url,text,text\n" + a + ",x,\n" + b + ",y,\n", "1 2", ""},
		{"metadata as JSON", "text,metadata\nx,\"{\"\"url\"\": \"\"" + a + "\"\"}\"\ny,\"{\"\"url\"\": \"\"" + b + "\"\"}\"\n", "1 2", ""},
		{"a false page", "url\ttext\n" + a + "\tx\nPrice\t12.50\n" + b + "\ty\n", "1 Price 2", "odd-url=1"},
		{"links with semicolons", a + ";" + b + ";apple\n" + a + ";" + b + "\n", "1 1", ""},
		{"four columns of links", a + "\t" + b + "\tapple\t2024\n" + a + "\t" + b + "\tpear\t2025\n", "1 1", ""},
		{"pairs of links", a + " " + b + "\n" + a + " " + b + "\n", "1 1", ""},
		{"no page at all", "id,text\n,x\n,y\n", "", "unknown-columns=1 no-url=2"},
		{"no text at all", "url,text,Inhalt\n" + a + ",,x\n" + b + ",,y\n", "", "unknown-columns=1 empty-page=2"},
		{"only errors", "url,text,status\n" + a + ",,404\n", "", "http-status=1"},
	} {
		pages, l, err := ReadBytes(t, []byte(c.in), record.Options{})
		if err != nil || Ends(pages) != c.want || LeftOut(l) != c.left {
			t.Errorf("%s: %q, left out %q, want %q, %q; %v %+v", c.name, Ends(pages), LeftOut(l), c.want, c.left, err, l.Tallies())
		}
	}
}

package skew

import (
	"fmt"
	"io"
)

// pages are HTML pages that have as much of one thing as possible.
var pages = []Input{
	{"page-words", "page.html", "words of one letter", pageSize, repeated("<p>", "a b c d e f g h ")},
	{"page-new-words", "page.html", "words that occur once", pageSize, numbered("<p>", "%x ")},
	{"page-new-words2", "page.html", "words that occur once, not ASCII", pageSize, numbered("<p>", "é%x ")},
	{"page-links", "page.html", "links", pageSize, numbered("<p>", "<a href=%x>x</a>")},
	{"page-one-link", "page.html", "links to one target", pageSize, numbered("<p>", "<a href=/>%x</a> b c d e f ")},
	{"page-headings", "page.html", "headings", pageSize, repeated("<p>", "<h1>a<h2>b")},
	{"page-tags", "page.html", "tags that are not closed", pageSize, repeated("", "<b><i><div>")},
	{"page-attributes", "page.html", "one tag with many attributes", pageSize, repeated("<p ", "a b=c ")},
	{"page-one-value", "page.html", "one attribute", pageSize, repeated(`<img alt="`, "a &amp; b ")},
	{"page-entities", "page.html", "character references", pageSize, repeated("<p>", "&amp;&lt;a")},
	{"page-title", "page.html", "a title", pageSize, repeated("<title>", "a &amp; b ")},
	{"page-nothing", "page.html", "NUL in a text area", pageSize, repeated("<textarea>", "\x00a ")},
	{"page-bytes", "page.html", "bytes that are not UTF-8", pageSize, repeated("<p>", "\xffa\xff ")},
	{"page-latin", "page.html", "another charset", pageSize, repeated("<meta charset=windows-1252><p>", "\x80 \x99")},
}

const pageSize = 4 << 20

func repeated(before, unit string) func(io.Writer, int64) error {
	return func(w io.Writer, size int64) error {
		if _, err := io.WriteString(w, before); err != nil {
			return err
		}
		return fill(w, unit, size-int64(len(before)))
	}
}

func numbered(before, format string) func(io.Writer, int64) error {
	return func(w io.Writer, size int64) error {
		n := int64(len(before))
		_, err := io.WriteString(w, before)
		for i := 0; err == nil && n < size; i++ {
			s := fmt.Sprintf(format, i)
			n += int64(len(s))
			_, err = io.WriteString(w, s)
		}
		return err
	}
}

package skew

import (
	"fmt"
	"io"
)

// PageKinds are HTML pages that have as much of one thing as possible.
var PageKinds = map[string]func(w io.Writer, size int64) error{
	"words":      repeated("<p>", "a b c d e f g h "),
	"new words":  numbered("<p>", "%x "),
	"new words2": numbered("<p>", "é%x "),
	"links":      numbered("<p>", "<a href=%x>x</a>"),
	"one link":   numbered("<p>", "<a href=/>%x</a> b c d e f "),
	"headings":   repeated("<p>", "<h1>a<h2>b"),
	"tags":       repeated("", "<b><i><div>"),
	"attributes": repeated("<p ", "a b=c "),
	"one value":  repeated(`<img alt="`, "a &amp; b "),
	"entities":   repeated("<p>", "&amp;&lt;a"),
	"title":      repeated("<title>", "a &amp; b "),
	"nothing":    repeated("<textarea>", "\x00a "),
	"bytes":      repeated("<p>", "\xffa\xff "),
	"latin":      repeated("<meta charset=windows-1252><p>", "\x80 \x99"),
}

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

package payload

import (
	"bytes"
	"net/http"
	"slices"
	"strings"
)

// NotText returns what b is if it is neither HTML nor text, such as "image/png" or "binary data", and "" otherwise. It
// recognizes the formats of the MIME sniffing standard, and other binary data by control characters.
func NotText(b []byte) string {
	head := b[:min(len(b), SniffLen)]
	if first := bytes.TrimLeft(head, " \t\r\n\f"); len(first) == 0 || first[0] == '<' {
		return ""
	}
	controls := 0
	for _, c := range head {
		controls += int(control[c])
	}
	if controls == 0 && head[0] != '%' {
		return ""
	}
	if _, n, _ := ByteOrderMark(head); n > 0 {
		return ""
	}
	if utf16, _ := utf16OfZeros(head, ""); utf16 != nil {
		return ""
	}
	kind, _, _ := strings.Cut(http.DetectContentType(head), ";")
	known := !strings.HasPrefix(kind, "text/") && kind != "application/octet-stream"
	switch {
	case known && (controls > 0 || bytes.HasPrefix(head, []byte("%"))):
		return kind
	case controls > 3 && 32*controls > len(head) && !hasTag(head):
		return "binary data"
	}
	return ""
}

// control has 1 for each byte that does not occur in text. ESC occurs in ISO-2022-JP.
var control = func() (is [256]uint8) {
	for c := range is {
		if c < ' ' && !isSpace(byte(c)) && c != 0x0b && c != 0x1b || c == 0x7f {
			is[c] = 1
		}
	}
	return is
}()

// hasTag reports whether b contains a tag that nearly every page has.
func hasTag(b []byte) bool {
	b = bytes.ToLower(b)
	tags := []string{"<!doctype", "<html", "<head", "<title", "<meta", "<body", "<div", "<table", "<p>", "<br", "<a href"}
	return slices.ContainsFunc(tags, func(tag string) bool { return bytes.Contains(b, []byte(tag)) })
}

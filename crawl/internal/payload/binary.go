package payload

import (
	"bytes"
	"encoding/binary"
	"net/http"
	"strings"
)

// NotText returns what b is if it is neither HTML nor text, such as "image/png" or "binary data", and "" otherwise. It
// recognizes the formats of the MIME sniffing standard, and other binary data by control characters.
func NotText(b []byte) string {
	head := b[:min(len(b), SniffLen)]
	if first := bytes.TrimLeft(head, " \t\r\n\f"); len(first) == 0 || first[0] == '<' {
		return ""
	}
	controls := controlsIn(head)
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

// controlsIn returns the number of bytes of b that do not occur in text.
func controlsIn(b []byte) (n int) {
	const each = 0x0101010101010101
	for len(b) >= 8 {
		x := binary.LittleEndian.Uint64(b)
		if (x-0x20*each|x+each)&^x&(each<<7) != 0 { // perhaps a byte below ' ' or 0x7f
			for _, c := range b[:8] {
				n += int(control[c])
			}
		}
		b = b[8:]
	}
	for _, c := range b {
		n += int(control[c])
	}
	return n
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
	for _, tag := range []string{"<!doctype", "<html", "<head", "<title", "<meta", "<body", "<div", "<table", "<p>", "<br", "<a href"} {
		if bytes.Contains(b, []byte(tag)) {
			return true
		}
	}
	return false
}

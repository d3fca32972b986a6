package payload

import (
	"bytes"
	"errors"
	"math"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Utf8BOM is the byte order mark of UTF-8.
var Utf8BOM = []byte("\xef\xbb\xbf")

// metaLen is the number of bytes in which browsers look for a charset declaration.
const metaLen = 1024

// ToUTF8 is [Room.ToUTF8] in memory and without a limit.
func ToUTF8(b []byte, contentType string) (text []byte, name string) {
	return new(Room).ToUTF8(b, contentType, math.MaxInt64)
}

// ToUTF8 decodes a page and returns the name of the charset that it used. It tries, in this order, a byte order mark,
// valid UTF-8, the HTTP header, the declaration in the page, and windows-1252. It never fails: bytes that the charset
// does not define become U+FFFD. Valid UTF-8 is returned without a copy, anything else in memory of the room. ToUTF8
// may stop after limit bytes.
func (m *Room) ToUTF8(b []byte, contentType string, limit int64) (text []byte, name string) {
	if enc, n, name := ByteOrderMark(b); n > 0 {
		return m.DecodeWith(b[n:], enc, limit), name
	}
	if utf8.Valid(b) && !isEscapedCharset(b) {
		return b, "utf-8"
	}
	enc, name := headerCharset(contentType)
	if enc == nil {
		enc, name = metaCharset(b)
	}
	if enc == nil {
		enc, name = charset.Lookup("windows-1252")
	}
	return m.DecodeWith(b, enc, limit), name
}

// ByteOrderMark returns the encoding (nil for UTF-8), the length and the name of the byte order mark of b.
func ByteOrderMark(b []byte) (enc encoding.Encoding, n int, name string) {
	switch {
	case bytes.HasPrefix(b, Utf8BOM):
		return nil, 3, "utf-8"
	case bytes.HasPrefix(b, []byte{0xfe, 0xff}):
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), 2, "utf-16be"
	case bytes.HasPrefix(b, []byte{0xff, 0xfe}):
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), 2, "utf-16le"
	}
	return nil, 0, ""
}

// isEscapedCharset reports whether b is valid UTF-8 only because its charset uses seven bits. It recognizes ISO-2022-JP
// by its escape sequences.
func isEscapedCharset(b []byte) bool {
	i := bytes.IndexByte(b, 0x1b)
	return i >= 0 && i+2 < len(b) && (b[i+1] == '$' || b[i+1] == '(') && strings.IndexByte("@BJI", b[i+2]) >= 0
}

func headerCharset(contentType string) (encoding.Encoding, string) {
	_, params, err := mime.ParseMediaType(contentType)
	label := params["charset"]
	if err != nil { // such as "text/html; charset=utf-8;;"
		if _, after, ok := strings.Cut(ascii.Lower(contentType), "charset="); ok {
			if i := strings.IndexAny(after, ";, "); i >= 0 {
				after = after[:i]
			}
			label = strings.Trim(after, `"'`)
		}
	}
	return lookup(label)
}

// metaCharset returns the charset of the first <meta charset> or XML declaration. A page whose declaration can be read
// as bytes is not in UTF-16, so UTF-16 in a declaration means UTF-8, as in browsers.
func metaCharset(b []byte) (encoding.Encoding, string) {
	head := b[:min(len(b), metaLen)]
	for rest := head; ; {
		i := bytes.Index(bytes.ToLower(rest), []byte("charset"))
		if i < 0 {
			break
		}
		rest = rest[i+len("charset"):]
		if label, ok := attributeValue(rest); ok {
			if enc, name := lookup(label); enc != nil {
				return enc, name
			}
		}
	}
	if bytes.HasPrefix(head, []byte("<?xml")) {
		if _, after, ok := bytes.Cut(head, []byte("encoding")); ok {
			if label, ok := attributeValue(after); ok {
				return lookup(label)
			}
		}
	}
	return nil, ""
}

// attributeValue parses `= "value"` and its variants.
func attributeValue(b []byte) (string, bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 || b[0] != '=' {
		return "", false
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n\"'")
	end := bytes.IndexAny(b, "\"'<>; /\t\r\n?")
	if end < 0 {
		end = len(b)
	}
	return string(b[:end]), end > 0
}

func lookup(label string) (encoding.Encoding, string) {
	if label == "" {
		return nil, ""
	}
	enc, name := charset.Lookup(label)
	switch {
	case name == "utf-16le" || name == "utf-16be":
		return encoding.Nop, "utf-8"
	case name == "replacement":
		return nil, ""
	}
	return enc, name
}

// DecodeWith decodes b and replaces invalid UTF-8 in the result.
func (m *Room) DecodeWith(b []byte, enc encoding.Encoding, limit int64) []byte {
	if enc != nil && enc != encoding.Nop {
		if d, err := m.transform(b, enc.NewDecoder(), limit); err == nil {
			b = d
		}
	}
	return m.Valid(b, limit)
}

// transform decodes b and stops a little after limit bytes.
func (m *Room) transform(b []byte, t transform.Transformer, limit int64) ([]byte, error) {
	var out []byte
	for ask := int(min(int64(len(b)), limit)) + 64; ; ask = 64 {
		out = m.Grow(out, ask)
		n, read, err := t.Transform(out[len(out):cap(out)], b, true)
		out, b = out[:len(out)+n], b[read:]
		switch {
		case !errors.Is(err, transform.ErrShortDst):
			return out, err
		case int64(len(out)) > limit:
			return out, nil
		}
	}
}

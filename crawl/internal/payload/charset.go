package payload

import (
	"bytes"
	"errors"
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/simplifiedchinese"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/lshclust/lshclust/internal/ascii"
)

// Utf8BOM is the byte order mark of UTF-8.
var Utf8BOM = []byte("\xef\xbb\xbf")

// ToUTF8 is [Room.ToUTF8] in memory and without a limit.
func ToUTF8(b []byte, contentType string) (text []byte, name string, guessed bool) {
	return new(Room).ToUTF8(b, contentType, math.MaxInt64)
}

// ToUTF8 decodes a page and returns the name of the charset that it used. It tries, in this order, a byte order mark,
// UTF-16 without one, valid UTF-8, the HTTP header and the declaration in the page. If there is none of these, or if the
// page is declared as UTF-8 and is mostly something else, it guesses the charset. It never fails: bytes that the charset
// does not define become U+FFFD. Valid UTF-8 is returned without a copy, anything else in memory of the room. ToUTF8 may
// stop after limit bytes.
func (m *Room) ToUTF8(b []byte, contentType string, limit int64) (text []byte, name string, guessed bool) {
	if enc, n, name := ByteOrderMark(b); n > 0 {
		return m.DecodeWith(b[n:], enc, limit), name, false
	}
	if enc, name := utf16OfZeros(b, contentType); enc != nil {
		return m.DecodeWith(b, enc, limit), name, false
	}
	if utf8.Valid(b) && !isEscapedCharset(b) {
		return b, "utf-8", false
	}
	enc, name := lookup(labelIn(contentType))
	if enc == nil {
		enc, name = metaCharset(b)
	}
	if enc == nil || name == "utf-8" && deniesUTF8(b) {
		enc, name = guess(b)
		guessed = true
	}
	return m.DecodeWith(b, enc, limit), name, guessed
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

// zerosLen is the number of bytes in which utf16OfZeros looks for zeros.
const zerosLen = 1024

// utf16OfZeros recognizes UTF-16 without a byte order mark: in ASCII, and so in every tag, space and line feed, one byte
// of two is 0, always the first or always the second, and the other one is no control character.
func utf16OfZeros(b []byte, contentType string) (encoding.Encoding, string) {
	head := b[:min(len(b), zerosLen)]
	if bytes.IndexByte(head, 0) < 0 {
		return nil, ""
	}
	var zeros [2]int
	for i, c := range head {
		if c == 0 && i^1 < len(head) {
			zeros[i%2]++
			if control[head[i^1]] != 0 {
				return nil, ""
			}
		}
	}
	declared := strings.Contains(ascii.Lower(contentType), "utf-16")
	if zeros[0] > 0 && zeros[1] > 0 || !declared && 16*max(zeros[0], zeros[1]) < len(head) {
		return nil, ""
	}
	if zeros[0] > 0 {
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), "utf-16be"
	}
	return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM), "utf-16le"
}

// isEscapedCharset reports whether b is valid UTF-8 only because its charset uses seven bits. It recognizes ISO-2022-JP
// by its escape sequences.
func isEscapedCharset(b []byte) bool {
	i := bytes.IndexByte(b, 0x1b)
	return i >= 0 && i+2 < len(b) && (b[i+1] == '$' || b[i+1] == '(') && strings.IndexByte("@BJI", b[i+2]) >= 0
}

func lookup(label string) (encoding.Encoding, string) {
	if label == "" {
		return nil, ""
	}
	enc, name := charset.Lookup(label)
	switch name {
	case "utf-16le", "utf-16be": // the declaration could be read as bytes
		return encoding.Nop, "utf-8"
	case "gbk": // as in browsers, for the characters of four bytes
		return simplifiedchinese.GB18030, name
	case "x-user-defined":
		return charset.Lookup("windows-1252")
	case "replacement":
		return nil, ""
	}
	return enc, name
}

// Decode decodes a short text in the charset that ToUTF8 found in a text beside it. Valid UTF-8 stays.
func Decode(b []byte, charset string) []byte {
	if utf8.Valid(b) {
		return b
	}
	enc, _ := lookup(charset)
	return new(Room).DecodeWith(b, enc, math.MaxInt64)
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

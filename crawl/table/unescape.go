package table

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// escapes maps the letter of an escape of JSON to what it stands for, 0 if it is none or u.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// appendUnescaped appends the text of a JSON string without its quotes, whose syntax and UTF-8 are valid. It copies what
// is between two escapes at once. It returns false, and is of no use, if half of a surrogate pair is missing.
func appendUnescaped(dst, s []byte) (text []byte, ok bool) {
	for {
		i := bytes.IndexByte(s, '\\')
		if i < 0 {
			return append(dst, s...), true
		}
		if i+1 >= len(s) {
			return nil, false
		}
		dst = append(dst, s[:i]...)
		if c := escapes[s[i+1]]; c != 0 {
			dst, s = append(dst, c), s[i+2:]
			continue
		}
		c, ok := hexRune(s[i:])
		if !ok {
			return nil, false
		}
		s = s[i+6:]
		if utf16.IsSurrogate(c) {
			low, ok := hexRune(s)
			if c = utf16.DecodeRune(c, low); !ok || c == utf8.RuneError {
				return nil, false
			}
			s = s[6:]
		}
		dst = utf8.AppendRune(dst, c)
	}
}

// hexRune returns the number of an escape of the form \u20AC at the beginning of s.
func hexRune(s []byte) (c rune, ok bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	for _, d := range s[2:6] {
		switch {
		case '0' <= d && d <= '9':
			d -= '0'
		case 'a' <= d|0x20 && d|0x20 <= 'f':
			d = d | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		c = c<<4 | rune(d)
	}
	return c, true
}

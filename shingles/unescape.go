package shingles

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends the text of a JSON string, given as it stands between the quotes, and reports whether every
// backslash begins an escape of JSON; one that does not is left out. Half a surrogate pair becomes U+FFFD, as in
// encoding/json.
func AppendUnescaped(dst, raw []byte) (text []byte, valid bool) {
	dst = slices.Grow(dst, len(raw)) // no escape is shorter than its character
	out, n := dst[len(dst):len(dst)+len(raw)], 0
	valid = true
	for i := 0; i < len(raw); {
		if raw[i] != '\\' {
			end := bytes.IndexByte(raw[i:], '\\')
			if end < 0 {
				end = len(raw) - i
			}
			n += copy(out[n:], raw[i:i+end])
			i += end
			continue
		}
		if i++; i < len(raw) && escaped[raw[i]] != 0 {
			out[n] = escaped[raw[i]]
			i, n = i+1, n+1
			continue
		}
		c, ok := utf16Unit(raw[i:])
		if valid = valid && ok; !ok {
			continue
		}
		if i += 5; utf16.IsSurrogate(c) {
			low := rune(0)
			if i < len(raw) && raw[i] == '\\' {
				low, _ = utf16Unit(raw[i+1:])
			}
			if c = utf16.DecodeRune(c, low); c != utf8.RuneError {
				i += 6
			}
		}
		n += utf8.EncodeRune(out[n:], c)
	}
	return dst[:len(dst)+n], valid
}

// utf16Unit returns the number in the escape of a UTF-16 unit, without its backslash, at the front of p.
func utf16Unit(p []byte) (unit rune, ok bool) {
	if len(p) < 5 || p[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p[1:5]), 16, 16)
	return rune(n), err == nil
}

// escaped has the characters of the escapes of one letter, by that letter. They separate words.
var escaped = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

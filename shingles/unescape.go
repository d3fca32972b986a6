package shingles

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends the text of a JSON string, given as it stands between the quotes. Half a surrogate pair becomes
// U+FFFD, as in encoding/json. A backslash that begins no escape of JSON is left out.
func AppendUnescaped(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst, raw = append(dst, raw[:i]...), raw[i+1:]
		c, ok := utf16Unit(raw)
		switch {
		case len(raw) == 0:
			return dst
		case !ok:
			letter := raw[0]
			if escaped[letter] != 0 {
				letter = escaped[letter]
			}
			dst, raw = append(dst, letter), raw[1:]
			continue
		}
		raw = raw[5:]
		if utf16.IsSurrogate(c) {
			low := rune(0)
			if len(raw) > 0 && raw[0] == '\\' {
				low, _ = utf16Unit(raw[1:])
			}
			if c = utf16.DecodeRune(c, low); c != utf8.RuneError {
				raw = raw[6:]
			}
		}
		dst = utf8.AppendRune(dst, c)
	}
}

// utf16Unit returns the number in the escape of a UTF-16 unit, without its backslash, at the front of p.
func utf16Unit(p []byte) (unit rune, ok bool) {
	if len(p) < 5 || p[0] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p[1:5]), 16, 16)
	return rune(n), err == nil
}

// escaped maps the letter of an escape to the character, unless this is the letter itself.
var escaped = [256]byte{'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// separates has the letters of the escapes of characters that separate words.
var separates = [256]bool{'"': true, '\\': true, '/': true, 'b': true, 'f': true, 'n': true, 'r': true, 't': true}

package shingles

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// AppendUnescaped appends the text of a JSON string, given as it stands between the quotes. Half a surrogate pair becomes
// U+FFFD, as in encoding/json. What is no escape of JSON stands for itself.
func AppendUnescaped(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 || i+1 == len(raw) {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		c := raw[i+1]
		raw = raw[i+2:]
		switch c {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case 'u':
			r, ok := hex4(raw)
			if !ok {
				dst = append(dst, 'u')
				continue
			}
			raw = raw[4:]
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if bytes.HasPrefix(raw, []byte(`\u`)) {
					low, _ = hex4(raw[2:])
				}
				if r = utf16.DecodeRune(r, low); r != utf8.RuneError {
					raw = raw[6:]
				}
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = append(dst, c)
		}
	}
}

// hex4 returns the number of four hexadecimal digits at the front of p.
func hex4(p []byte) (r rune, ok bool) {
	if len(p) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(p[:4]), 16, 16)
	return rune(n), err == nil && p[0] != '+' && p[0] != '-'
}

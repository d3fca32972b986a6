package table

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/shingles"
)

// Programs that keep bytes or markup in a field of text write them in other forms: base64, data URLs, hexadecimal digits
// as SQL has them, literals of Python, JSON in JSON, and markup or URLs with their escapes. Such a value is undone if the
// result is markup or text.

// maxWraps is the number of forms in one another.
const maxWraps = 3

// leastBase64 is the least length of a value in base64. Nearly all texts have a space before.
const leastBase64 = 24

// unwrapped returns a value without the forms in which it was written.
func unwrapped(m *payload.Room, value []byte) []byte {
	if out := undone(m, value, maxWraps); out != nil {
		return out
	}
	return value
}

// undone returns nil if a value has none of the forms.
func undone(m *payload.Room, value []byte, depth int) []byte {
	value = bytes.TrimSpace(value)
	if depth == 0 || !mayBeWrapped(value) {
		return nil
	}
	out, must := unwrap(m, value)
	_, mark, _ := payload.ByteOrderMark(out)
	binary := payload.NotText(out)
	if mark > 0 || payload.SniffHTML(out) || payload.Coding(out) != "" ||
		strings.Contains(binary, "/") || binary != "" && len(value) >= payload.SniffLen {
		return out // also an image or the like, which is no page
	}
	if inner := undone(m, out, depth-1); inner != nil || must || !isProse(out) {
		return inner
	}
	return out
}

// mayBeWrapped looks at the first bytes of a value.
func mayBeWrapped(b []byte) bool {
	if len(b) < 8 || b[0] == '<' || b[0] >= utf8.RuneSelf {
		return false
	}
	switch b[0] {
	case '"', '&', '%', '\\':
		return true
	}
	return isBase64(b[:min(len(b), leastBase64)]) || b[0]|0x20 == 'b' && (b[1] == '\'' || b[1] == '"') || strings.EqualFold(string(b[:5]), "data:")
}

// unwrap undoes one form. It returns nil if the value has none. If must is set, only markup shows that it had the form.
func unwrap(m *payload.Room, b []byte) (out []byte, must bool) {
	last := b[len(b)-1]
	switch {
	case strings.EqualFold(string(b[:5]), "data:"):
		head, rest, _ := bytes.Cut(b, []byte(","))
		if bytes.HasSuffix(head, []byte("base64")) {
			return unbase64(m, rest), false
		}
		return inPieces(m, rest, '%', ascii.Unescaped), false
	case b[0]|0x20 == 'b' && last == b[1] && (last == '\'' || last == '"'):
		return unescaped(m, b[2:len(b)-1]), false
	case (b[0] == '\\' || b[0] == '0') && b[1] == 'x':
		out = m.Grow(nil, len(b)/2)[:len(b)/2-1]
		if _, err := hex.Decode(out, b[2:]); err != nil {
			return nil, false
		}
		return out, false
	case b[0] == '"' && last == '"':
		out, _ = shingles.AppendUnescaped(m.Grow(nil, len(b)), b[1:len(b)-1])
		return out, true
	case bytes.HasPrefix(b, []byte("&lt;")):
		return inPieces(m, b, '&', html.UnescapeString), true
	case strings.EqualFold(string(b[:3]), "%3c"):
		return inPieces(m, b, '%', ascii.Unescaped), true
	}
	return unbase64(m, b), false
}

// isProse reports whether bytes are a text of several words.
func isProse(b []byte) bool {
	return utf8.Valid(b) && payload.NotText(b) == "" && bytes.IndexByte(b, ' ') > 0
}

func isBase64(b []byte) bool {
	for _, c := range b {
		if (c|0x20 < 'a' || c|0x20 > 'z') && (c < '0' || c > '9') && !bytes.ContainsRune([]byte("+/-_=\r\n"), rune(c)) {
			return false
		}
	}
	return len(b) >= leastBase64
}

// unbase64 decodes either alphabet of base64, with padding or without. It returns nil for anything else.
func unbase64(m *payload.Room, b []byte) []byte {
	b = bytes.TrimRight(b, "= \r\n")
	if !isBase64(b) {
		return nil
	}
	alphabet := base64.RawStdEncoding
	if bytes.ContainsAny(b, "-_") {
		alphabet = base64.RawURLEncoding
	}
	out := m.Grow(nil, alphabet.DecodedLen(len(b)))
	n, err := alphabet.Decode(out[:alphabet.DecodedLen(len(b))], b)
	if err != nil {
		return nil
	}
	return out[:n]
}

// unescaped undoes escapes with backslashes, as in C.
func unescaped(m *payload.Room, b []byte) []byte {
	out := m.Grow(nil, len(b))
	for i := 0; i < len(b); i++ {
		c := b[i]
		if c == '\\' && i+1 < len(b) {
			i++
			switch c = b[i]; {
			case c == 'n':
				c = '\n'
			case c == 'r':
				c = '\r'
			case c == 't':
				c = '\t'
			case c == 'x' && i+2 < len(b) && max(ascii.Unhex(b[i+1]), ascii.Unhex(b[i+2])) < 16:
				c = ascii.Unhex(b[i+1])<<4 | ascii.Unhex(b[i+2])
				i += 2
			}
		}
		out = append(out, c)
	}
	return out
}

// longestEscape is more than the number of bytes of an escape.
const longestEscape = 40

// inPieces decodes a long value piece by piece, each up to a mark that begins an escape.
func inPieces(m *payload.Room, b []byte, mark byte, decode func(string) string) (out []byte) {
	out = m.Grow(nil, len(b))
	for len(b) > 0 {
		n := min(len(b), payload.MaxAside)
		if i := bytes.LastIndexByte(b[max(0, n-longestEscape):n], mark); i >= 0 && n < len(b) {
			n += i - longestEscape
		}
		out = m.Append(out, []byte(decode(string(b[:n]))))
		b = b[n:]
	}
	return out
}

// nulls are what programs write into a table for a value that is missing.
var nulls = map[string]bool{`\N`: true, "NULL": true, "null": true, "None": true, "nan": true, "NaN": true, "<NA>": true, "NaT": true}

func isNull(b []byte) bool { return len(b) < 5 && nulls[string(b)] }

// dropNulls makes the values that are missing empty. Words such as None may be the anchor of a link.
func (v *Values) dropNulls() {
	for f := range v.Of {
		if b := v.Of[f]; isNull(b) && (Field(f) < FieldSource || b[0] == '\\') {
			v.Of[f] = []byte{}
		}
	}
}

// repaired returns a copy of b without what tools write that JSON does not have: NaN, Infinity and the literals of
// Python and JavaScript instead of null, true and false, commas after the last element, comments, and control
// characters in strings. It returns nil if there is nothing to repair.
func repaired(b []byte, room *payload.Room) []byte {
	out := room.Grow(nil, len(b))
	comma := -1 // index in out of a comma with only blanks after it
	for i := 0; i < len(b); {
		n, put := 1, b[i:i+1]
		switch c := b[i]; {
		case c == '"':
			n = stringLen(b[i:])
			out, put = appendString(room, out, b[i:i+n]), nil
			comma = -1
		case c == '/' && i+1 < len(b) && (b[i+1] == '/' || b[i+1] == '*'):
			n, put = commentLen(b[i:]), nil
		case c == '-' && bytes.HasPrefix(b[i+1:], []byte("Infinity")):
			n, put = len("-Infinity"), []byte("null")
		case c >= 'A' && c <= 'Z' || c == 'u':
			n, put = literal(b[i:])
		case (c == '}' || c == ']') && comma >= 0:
			out[comma] = ' '
		}
		if len(put) > 0 && !isBlank(put[0]) && put[0] != '\n' {
			comma = -1
			if put[0] == ',' {
				comma = len(out)
			}
		}
		out = room.Append(out, put)
		i += n
	}
	if bytes.Equal(out, b) {
		return nil
	}
	return out
}

// appendString appends a string in quotes, as JSON allows it.
func appendString(room *payload.Room, out, s []byte) []byte {
	for {
		i := bytes.IndexFunc(s, func(c rune) bool { return c < ' ' })
		if i < 0 {
			return room.Append(out, s)
		}
		out = room.Append(room.Append(out, s[:i]), fmt.Appendf(nil, `\u%04x`, s[i]))
		s = s[i+1:]
	}
}

// literal returns the length of the literal of another language that b begins with, and what it is in JSON.
func literal(b []byte) (n int, put []byte) {
	for _, l := range []struct{ from, to string }{{"NaN", "null"}, {"Infinity", "null"}, {"None", "null"}, {"undefined", "null"}, {"True", "true"}, {"False", "false"}} {
		if bytes.HasPrefix(b, []byte(l.from)) {
			return len(l.from), []byte(l.to)
		}
	}
	return 1, b[:1]
}

// stringLen returns the length of the string that b begins with.
func stringLen(b []byte) int {
	s := structure{quoted: true}
	n := 1
	for n < len(b) && s.quoted {
		n = s.string(b, n)
	}
	return n
}

// commentLen returns the length of the comment that b begins with.
func commentLen(b []byte) int {
	end := []byte("\n")
	if b[1] == '*' {
		end = []byte("*/")
	}
	if i := bytes.Index(b[2:], end); i >= 0 {
		return 2 + i + len(end)
	}
	return len(b)
}

package table

import (
	"bytes"
	"fmt"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

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

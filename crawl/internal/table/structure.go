package table

import (
	"bytes"
	"errors"
	"fmt"
)

// structure follows the brackets and strings of a JSON value through the pieces of an input, to find where the value
// ends. It does not check the rest of the syntax: the parser does.
type structure struct {
	open    []byte // open brackets, innermost last
	quoted  bool   // within a string
	escaped bool   // the next byte of the string is escaped
	last    byte   // last byte outside of strings that is not blank
}

// maxDepth is the greatest depth of brackets, the same as that of the parser.
const maxDepth = 10_000

var errOpenString = errors.New("a string does not end on its line")

// scan reads b, which holds no line feed, up to the end of the value. It returns the number of bytes that belong to the
// value, and whether the value ends there.
func (s *structure) scan(b []byte) (n int, end bool, err error) {
	for n < len(b) {
		if s.quoted {
			if n = s.string(b, n); !s.quoted && len(s.open) == 0 { // the value is a string
				return n, true, nil
			}
			continue
		}
		c := b[n]
		switch c {
		case '"':
			s.quoted = true
		case '{', '[':
			if len(s.open) == maxDepth {
				return n, false, fmt.Errorf("brackets in brackets, more than %d deep", maxDepth)
			}
			s.open = append(s.open, c)
		case '}', ']':
			top := len(s.open) - 1
			if top < 0 || s.open[top] != c-2 { // in ASCII, two lies between an opening bracket and the closing one
				return n, false, fmt.Errorf("%q closes what it did not open", c)
			}
			s.open = s.open[:top]
			if top == 0 {
				return n + 1, true, nil
			}
		case ' ', '\t', '\r':
			n++
			continue
		}
		s.last = c
		n++
	}
	return n, false, nil
}

// string reads the string that goes on at b[n] and returns the index after its end, or the length of b.
func (s *structure) string(b []byte, n int) int {
	if s.escaped {
		s.escaped = false
		n++
	}
	i := bytes.IndexByte(b[n:], '"')
	if i < 0 {
		s.escaped = endsEscaped(b[n:])
		return len(b)
	}
	s.quoted = endsEscaped(b[n : n+i])
	return n + i + 1
}

// endsEscaped reports whether b, a part of a string, ends with an odd number of backslashes.
func endsEscaped(b []byte) bool {
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 != 0
}

// mayBeginObject reports whether an object may begin after what was read. Elsewhere, the value was not finished and
// another begins.
func (s *structure) mayBeginObject() bool {
	return !s.quoted && (s.last == '[' || s.last == ':' || s.last == ',' && len(s.open) > 0 && s.open[len(s.open)-1] == '[')
}

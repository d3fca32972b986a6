package table

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/internal/ascii"
)

// A reader of flat JSON objects, three times as fast as encoding/json on a line that is one long string of
// HTML. A fuzz test holds it to encoding/json: what it accepts is valid there and means the same, but that
// keys match exactly.

var (
	errEndOfLine = errors.New("the object is not finished")
)

// parseLine reads one line. Of a key that stands twice the last one counts. Strings with escapes are of m.
func parseLine(b []byte, n *names, m *payload.Room) (Values, error) {
	var v Values
	s := scanner{b: b, room: m}
	if err := s.object(&v, n); err != nil {
		return v, err
	}
	return v, s.end()
}

// object reads an object whose keys mean what n says.
func (s *scanner) object(v *Values, n *names) error {
	if !s.take('{') {
		return s.errorf("no object")
	}
	if s.take('}') {
		return nil
	}
	for {
		s.space()
		key, err := s.str()
		if err != nil {
			return err
		}
		if !s.take(':') {
			return s.errorf("no colon after key")
		}
		if err := s.member(v, n, key); err != nil {
			return err
		}
		if s.take('}') {
			return nil
		}
		if !s.take(',') {
			return s.errorf("neither comma nor end after value")
		}
	}
}

type scanner struct {
	b    []byte
	i    int
	room *payload.Room
}

func (s *scanner) errorf(what string) error {
	return fmt.Errorf("%s at byte %d of the line", what, s.i)
}

func (s *scanner) space() {
	for s.i < len(s.b) && (s.b[s.i] == ' ' || s.b[s.i] == '\t' || s.b[s.i] == '\r' || s.b[s.i] == '\n') {
		s.i++
	}
}

// take passes over white space and one byte c, if that is the next.
func (s *scanner) take(c byte) bool {
	s.space()
	if s.i < len(s.b) && s.b[s.i] == c {
		s.i++
		return true
	}
	return false
}

func (s *scanner) end() error {
	if s.space(); s.i < len(s.b) {
		return s.errorf("something follows the object")
	}
	return nil
}

// member reads the value of a key. What is not wanted is passed over.
func (s *scanner) member(v *Values, n *names, key []byte) (err error) {
	uses := n.of(key)
	if s.space(); s.i >= len(s.b) {
		return errEndOfLine
	}
	var value []byte
	str := s.b[s.i] == '"'
	switch group := n.group(key); {
	case s.b[s.i] == '{' && group != nil:
		err = s.object(v, group)
	case str && len(uses) > 0:
		value, err = s.str()
	default:
		value, err = s.other()
	}
	if err != nil {
		return err
	}
	for _, u := range uses {
		v.set(u, u.field.accepts(value, str))
	}
	return nil
}

// accepts gives a value that is not a string to the fields that take it: a timestamp or an id may be a number, a rule
// about following true or false, and features are a list.
func (f Field) accepts(value []byte, str bool) []byte {
	switch {
	case str:
		return value
	case f == fieldFeatures:
		return value
	case (f == fieldTime || f == fieldID) && ascii.IsDigits(string(value)):
		return value
	case (f == fieldFollow || f == fieldNoFollow) && len(value) <= len("false"):
		return value
	}
	return nil
}

// str reads a string. Without escapes it is a part of the line, else of the room.
func (s *scanner) str() ([]byte, error) {
	if s.i >= len(s.b) || s.b[s.i] != '"' {
		return nil, s.errorf("no string")
	}
	s.i++
	rest := s.b[s.i:]
	n := plainPrefix(rest)
	if n < len(rest) && rest[n] == '"' {
		s.i += n + 1
		return rest[:n:n], nil
	}
	end := stringEnd(rest)
	if end < 0 {
		return nil, errEndOfLine
	}
	out := s.room.Grow(nil, end)
	for {
		out = append(out, rest[:n]...)
		rest, s.i = rest[n:], s.i+n
		if len(rest) == 0 {
			return nil, errEndOfLine
		}
		if rest[0] == '"' {
			s.i++
			return out, nil
		}
		var used int
		if out, used = unescapeJSON(out, rest); used == 0 {
			return nil, s.errorf("bad escape or control character")
		}
		rest, s.i = rest[used:], s.i+used
		n = plainPrefix(rest)
	}
}

// stringEnd gives an upper bound for the length of a string that has escapes.
func stringEnd(b []byte) int {
	for from := 0; ; {
		i := bytes.IndexByte(b[from:], '"')
		if i < 0 {
			return -1
		}
		i += from
		slashes := 0
		for i-slashes > 0 && b[i-slashes-1] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return i
		}
		from = i + 1
	}
}

var special = func() (t [256]bool) {
	for i := range 0x20 {
		t[i] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// plainPrefix is the number of bytes before the next quote, backslash or control character.
func plainPrefix(b []byte) int {
	for i, c := range b {
		if special[c] {
			return i
		}
	}
	return len(b)
}

// unescapeJSON appends what the escape at the start of b means. used is 0 when it means nothing.
func unescapeJSON(out, b []byte) (_ []byte, used int) {
	if b[0] != '\\' || len(b) < 2 {
		return out, 0
	}
	switch b[1] {
	case '"', '\\', '/':
		return append(out, b[1]), 2
	case 'n':
		return append(out, '\n'), 2
	case 't':
		return append(out, '\t'), 2
	case 'r':
		return append(out, '\r'), 2
	case 'b':
		return append(out, '\b'), 2
	case 'f':
		return append(out, '\f'), 2
	case 'u':
		r := hex4(b)
		if r < 0 {
			return out, 0
		}
		if utf16.IsSurrogate(r) {
			if low := hex4(b[6:]); low >= 0 {
				if full := utf16.DecodeRune(r, low); full != utf8.RuneError {
					return utf8.AppendRune(out, full), 12
				}
			}
			r = utf8.RuneError
		}
		return utf8.AppendRune(out, r), 6
	}
	return out, 0
}

// hex4 reads \uXXXX, -1 when it is none.
func hex4(b []byte) rune {
	if len(b) < 6 || b[0] != '\\' || b[1] != 'u' {
		return -1
	}
	var r rune
	for _, c := range b[2:6] {
		d := ascii.Unhex(c)
		if d > 15 {
			return -1
		}
		r = r<<4 | rune(d)
	}
	return r
}

// other passes over a value that is not wanted or not a string, and gives its bytes.
func (s *scanner) other() ([]byte, error) {
	start, depth := s.i, 0
	for s.i < len(s.b) {
		switch c := s.b[s.i]; c {
		case '"':
			n := stringEnd(s.b[s.i+1:])
			if n < 0 {
				return nil, errEndOfLine
			}
			s.i += n + 1
		case '{', '[':
			depth++
		case '}', ']', ',':
			if depth == 0 {
				return s.checked(start)
			}
			if c != ',' {
				depth--
			}
		}
		s.i++
	}
	return nil, errEndOfLine
}

func (s *scanner) checked(start int) ([]byte, error) {
	v := bytes.TrimSpace(s.b[start:s.i])
	if !json.Valid(v) {
		return nil, fmt.Errorf("bad value at byte %d of the line", start)
	}
	return v, nil
}

package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// value is an object that is being cut.
type value struct {
	structure
	pos    record.Position
	indent int // of the line on which it begins
	room   *payload.Room
	data   []byte // what was read of it; nil if it is too long
	lines  int    // line ends in it
	size   int64
}

// errAgain says that there is no object to return, but that next should go on.
var errAgain = errors.New("again")

// object reads an object into v. The error is errAgain, a *Skip, or io.EOF.
func (s *objects) object(v *value) error {
	for {
		b, err := s.ahead()
		if err != nil {
			return s.broken(v, err)
		}
		if s.leading && s.anotherBegins(v, b) {
			return s.fail(v, errors.New("the object does not end before the next one begins"))
		}
		text := bytes.TrimSuffix(b, []byte("\n"))
		n, end, err := v.scan(text)
		if err == nil && !end && len(text) < len(b) {
			if v.quoted {
				err = errOpenString
			} else {
				n++
				v.lines++
			}
		}
		long := s.keep(v, b[:n])
		s.take(n)
		switch {
		case err != nil:
			return s.fail(v, err)
		case (end || long) && s.enter(v):
			return errAgain
		case end && v.data == nil:
			return &record.Skip{Pos: v.pos, Reason: record.ReasonLineTooLong, Err: s.tooLong(v)}
		case end:
			return nil
		case long && v.lines > 0:
			return s.fail(v, nil)
		case long:
			v.room.Free()
			v.data = nil
		}
	}
}

func (s *objects) tooLong(v *value) error {
	return fmt.Errorf("%d bytes or more, limit %d", v.size, s.Opts.MaxLine)
}

// keep appends b to the object. It reports whether the object has just become too long.
func (s *objects) keep(v *value, b []byte) (long bool) {
	whole := v.size == int64(len(v.data))
	v.size += int64(len(b))
	if whole {
		v.data = v.room.Append(v.data, b)
	}
	return whole && v.size > s.Opts.MaxLine
}

// anotherBegins reports whether the line that b begins cannot belong to v, because an object begins there.
func (s *objects) anotherBegins(v *value, b []byte) bool {
	n := 0
	for n < len(b) && isBlank(b[n]) {
		n++
	}
	s.indent += n
	if n == len(b) {
		return false
	}
	s.leading = b[n] == '\n'
	return b[n] == '{' && s.indent <= v.indent && !v.mayBeginObject()
}

// enter begins to read the array in an object that is to be read instead of the object. It returns false if there is
// none.
func (s *objects) enter(v *value) bool {
	if s.inside == nil || len(s.around.open) > 0 {
		return false
	}
	at, brackets := s.inside(v.data)
	if at == 0 {
		return false
	}
	s.around = structure{open: brackets}
	s.back(v, at)
	s.given = false
	return true
}

// broken handles an object in which the input ends or is damaged.
func (s *objects) broken(v *value, err error) error {
	if errors.Is(err, io.EOF) {
		if s.enter(v) {
			return errAgain
		}
		s.cutOff = true
		return s.fail(v, errors.New("the file ends within this object"))
	}
	skip := s.damaged(v.pos, err)
	if line := bytes.IndexByte(v.data, '\n') + 1; line > 0 {
		s.back(v, line)
	}
	s.losing(s.lost.Err)
	s.limit = v.indent
	v.room.Free()
	v.data = nil
	return skip
}

// fail goes back to where the next object may begin. It returns errAgain, or the skip if that place is known.
func (s *objects) fail(v *value, err error) error {
	skip := &record.Skip{Pos: v.pos, Reason: record.ReasonBadJSON, Err: err}
	if v.size > s.Opts.MaxLine {
		skip.Reason, skip.Err = record.ReasonLineTooLong, s.tooLong(v)
	}
	s.backs++
	if v.pos.Offset >= s.far {
		s.backs = 0
	}
	s.far = max(s.far, s.offset())
	if line := bytes.IndexByte(v.data, '\n') + 1; s.backs < maxBacks && line > 0 {
		s.back(v, line)
	} else if like := s.like(v.data); s.backs < maxBacks && like > 0 {
		s.back(v, like)
		skip.Err, skip.Passed = fmt.Errorf("%w; %d bytes passed over", skip.Err, like), int64(like)
		return skip
	}
	v.room.Free()
	v.data = nil
	s.lost, s.limit = skip, v.indent
	return errAgain
}

// like returns the index in an object of an array where an object begins that follows another and has the same first
// key, 0 if there is none.
func (s *objects) like(b []byte) int {
	i := bytes.IndexByte(b, ':')
	if s.first != '[' && len(s.around.open) == 0 || i < 0 || i > longestName {
		return 0
	}
	for key, at := b[:i+1], 1; ; {
		i := bytes.Index(b[at:], key)
		if i < 0 {
			return 0
		}
		at += i
		if before := bytes.TrimRight(b[:at], " \t\r\n"); bytes.HasSuffix(before, []byte(",")) {
			return at
		}
		at++
	}
}

// back makes what follows the first n bytes of v the next to be read.
func (s *objects) back(v *value, n int) {
	read := v.data[:n]
	if s.at < len(s.again) { // v is a part of it
		s.at -= len(v.data) - n
	} else {
		s.room.Free()
		s.again, s.at, s.room, *v.room = v.data, n, *v.room, s.Opts.NewRoom()
	}
	s.part = nil
	s.number, s.given = v.pos.Record+int64(bytes.Count(read, []byte("\n"))), true
	s.leading, s.indent = false, v.indent
	if bytes.HasSuffix(read, []byte("\n")) {
		s.given, s.leading, s.indent = false, true, 0
	}
}

// resync passes over lines until one begins with an object that is indented no more than the one that was lost, perhaps
// after closing brackets. It returns what was lost, unless no bytes were passed over.
func (s *objects) resync() *record.Skip {
	opening := s.leading
	for {
		b, err := s.ahead()
		if err != nil {
			return s.found(err)
		}
		for i, c := range b {
			switch {
			case isBlank(c):
				if s.leading {
					s.indent++
				}
			case opening && c == '{' && s.indent <= s.limit:
				s.leading = false
				s.take(i)
				return s.found(nil)
			default:
				s.leading = false
				opening = opening && bytes.IndexByte([]byte("}],\x1e"), c) >= 0
			}
		}
		s.take(len(b))
		opening = opening || s.leading
	}
}

// found ends the search for the next object and returns what was lost.
func (s *objects) found(err error) *record.Skip {
	skip := s.lost
	s.lost = nil
	bytes, lines := s.offset()-skip.Pos.Offset, s.number-skip.Pos.Record
	if bytes == 0 {
		return nil
	}
	if lines > 1 || err != nil && lines > 0 {
		skip.Err, skip.Passed = fmt.Errorf("%w; %d lines with %d bytes passed over", skip.Err, lines, bytes), bytes
	}
	return skip
}

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
			n = s.string(b, n)
			if !s.quoted && len(s.open) == 0 { // the value is a string
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

package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// objects cuts an input into JSON objects. They may be on lines of their own, several on a line, over several lines, or
// the elements of an array: between objects, blanks, commas, brackets of arrays and record separators (RFC 7464) do not
// matter. After an object that does not end as it should, objects goes back to the next line that may begin one.
//
// An object is numbered by the line on which it begins. A further object on a line counts as a line.
type objects struct {
	stream.Lines
	part    []byte       // rest of the current line, or of the part of it that is in the buffer
	again   []byte       // bytes that are read again before those of the input
	at      int          // index in again of the next byte
	room    payload.Room // holds again
	number  int64        // of the next object
	given   bool         // an object of this line has the number
	indent  int          // blanks at the start of the line
	leading bool         // only blanks were read of the line
	began   int          // indentation of the last object
	first   byte         // first byte of the input that is not blank
	last    byte         // last such byte so far

	// inside returns the index in an object, or in the start of one that is too long, at which the elements of an array
	// begin that is to be read instead, and the brackets that are open there. An index of 0 means that there is none.
	inside func(object []byte) (at int, brackets []byte)
	around structure // what surrounds the elements of such an array, or the members of an object
	member bool      // a key was read, and its value is next
	key    []byte    // that key, or the one of the last object

	lost   *record.Skip // while no object begins: what will be reported
	limit  int          // indentation of the object that was lost
	far    int64        // offset up to which was read before going back
	backs  int          // how often objects went back before it reached far
	cutOff bool         // the end of the input has been reported
}

// maxBacks bounds how often bytes are read again.
const maxBacks = 16

func newObjects(m *stream.Members, o *record.Options) objects {
	return objects{Lines: stream.Lines{Members: m, Opts: o}, number: 1, leading: true}
}

// offset returns the offset of the next byte.
func (s *objects) offset() int64 { return s.Pos - int64(len(s.again)-s.at) }

// ahead returns bytes up to the end of the line, with it, or of the buffer. At least one byte is returned unless there
// is an error: io.EOF, or damage.
func (s *objects) ahead() ([]byte, error) {
	if len(s.part) > 0 {
		return s.part, nil
	}
	b := s.again[s.at:]
	if len(b) == 0 {
		s.room.Free()
		s.again, s.at = nil, 0
		var err error
		if b, err = s.Ahead(); err != nil {
			return nil, err
		}
	}
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		b = b[:i+1]
	}
	s.part = b
	return b, nil
}

// take consumes n bytes of what ahead returned.
func (s *objects) take(n int) {
	b := s.part[:n]
	s.part = s.part[n:]
	if s.at < len(s.again) {
		s.at += n
	} else {
		s.Take(n)
	}
	for i := n - 1; i >= 0; i-- {
		if c := b[i]; c == '\n' {
			s.number, s.given, s.indent, s.leading = s.number+1, false, 0, true
		} else if !isBlank(c) {
			s.last = c
			if front := bytes.TrimLeft(b, " \t\r\ufeff"); s.first == 0 && len(front) > 0 {
				s.first = front[0]
			}
			return
		}
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// place returns the position of the next byte and gives it a number.
func (s *objects) place() record.Position {
	if s.given {
		s.number++
	}
	s.given = true
	return s.here()
}

// here returns the position of the next byte.
func (s *objects) here() record.Position {
	return record.Position{File: s.Name(), Offset: s.offset(), Record: s.number}
}

// next returns the next object, which it keeps in m. The error is a *Skip, or io.EOF.
func (s *objects) next(m *payload.Room) (record.Position, []byte, error) {
	for {
		if s.lost != nil {
			if skip := s.resync(); skip != nil {
				return skip.Pos, nil, skip
			}
		}
		c, err := s.gap()
		switch {
		case errors.Is(err, io.EOF):
			return record.Position{}, nil, s.stopped(s.here())
		case err != nil:
			return record.Position{}, nil, s.damaged(s.here(), err)
		case c == '{', s.member && (c == '"' || c == '['):
			s.member = false
			v := &value{pos: s.place(), indent: s.indent, room: m}
			s.began = s.indent
			switch err := s.object(v); {
			case errors.Is(err, errAgain):
			case err == nil && c != '{' && (c == '[' || s.address() == ""):
				m.Free() // a member of another kind
			default:
				return v.pos, v.data, err
			}
		case c == '"' && s.inMembers():
			s.readKey()
		case s.member:
			b, _ := s.ahead()
			s.member = false
			if n := len(numbers.Find(b)); n > 0 {
				s.take(n)
			} else {
				s.leave()
			}
		case len(s.around.open) > 0:
			s.leave()
		default:
			skip := s.noObject()
			return skip.Pos, nil, skip
		}
	}
}

// inMembers reports whether what is read are the members of an object.
func (s *objects) inMembers() bool {
	n := len(s.around.open)
	return n > 0 && s.around.open[n-1] == '{'
}

// address returns the key of the last object if it is an address, or "".
func (s *objects) address() string {
	if s.inMembers() && isAddress(string(s.key)) {
		return string(s.key)
	}
	return ""
}

// readKey reads the key of a member and the colon behind it.
func (s *objects) readKey() {
	key := structure{}
	for s.key = s.key[:0]; ; {
		b, err := s.ahead()
		if err != nil {
			return // next reports it
		}
		n, end, err := key.scan(bytes.TrimSuffix(b, []byte("\n")))
		if s.key = append(s.key, b[:n]...); err != nil || len(s.key) > 8*urls.MaxURL || !end && n < len(b) {
			s.leave()
			return
		}
		s.take(n)
		if end {
			break
		}
	}
	s.key, _ = jsontext.AppendUnquote(s.key[:0], bytes.Clone(s.key))
	switch c, err := s.gap(); {
	case err != nil:
	case c == ':':
		s.take(1)
		s.member = true
	default:
		s.leave()
	}
}

// gap passes over what separates objects and returns the first byte after it.
func (s *objects) gap() (byte, error) {
	for {
		b, err := s.ahead()
		if err != nil {
			return 0, err
		}
		for i, c := range b {
			switch {
			case s.leading && isBlank(c):
				s.indent++
			case c == '\n', c == ',', c == '\x1e', isBlank(c), (c == '[' || c == ']') && len(s.around.open) == 0:
				s.leading = false
			case s.leading && bytes.IndexByte(payload.Utf8BOM, c) >= 0: // of a file that was appended to another
			default:
				s.leading = false
				s.take(i)
				return c, nil
			}
		}
		s.take(len(b))
	}
}

// noObject passes over numbers and literals, or over the rest of a line on which something else is.
func (s *objects) noObject() *record.Skip {
	skip := &record.Skip{Pos: s.here(), Reason: record.ReasonBadJSON}
	b, _ := s.ahead()
	skip.Err = fmt.Errorf("%q is no object", record.Clip(string(bytes.TrimSpace(b[:min(len(b), 60)])), 40))
	if n := scalars(b); n > 0 {
		if bytes.HasPrefix(b, []byte("null")) {
			skip.Reason = record.ReasonEmptyPage
		}
		s.take(n)
		return skip
	}
	for {
		ends := b[len(b)-1] == '\n'
		s.take(len(b))
		if ends {
			return skip
		}
		var err error
		if b, err = s.ahead(); err != nil {
			return skip
		}
	}
}

var numbers = regexp.MustCompile(`^(?:(?:-?[0-9][-+.eE0-9]*|null|true|false)(?:[ \t\r]*(?:,[ \t\r]*)?|$|\b))+`)

// scalars returns the length of the numbers and literals, with commas between them, that b begins with.
func scalars(b []byte) int {
	n := len(numbers.Find(b))
	if n < len(b) && bytes.IndexByte([]byte("]{\n"), b[n]) < 0 {
		return 0
	}
	return n
}

// stopped returns io.EOF at the end of the input, or a skip if it ends too early.
func (s *objects) stopped(pos record.Position) error {
	whole := len(s.around.open) == 0 && (s.first != '[' || s.last == ']')
	if whole || s.cutOff || s.first == 0 {
		return io.EOF
	}
	s.cutOff = true
	return &record.Skip{Pos: pos, Reason: record.ReasonBadJSON,
		Err: errors.New("the array does not end: the file was cut off; what comes before is read")}
}

// damaged returns the skip for damage. Reading goes on with a later member, which may begin within an object.
func (s *objects) damaged(pos record.Position, err error) error {
	skip := s.Damage(err, pos)
	s.part, s.limit, s.leading, s.indent = nil, s.indent, true, 0
	s.losing(errors.New("the rest of an object after damage"))
	return skip
}

// losing begins to look for the next object.
func (s *objects) losing(why error) {
	s.lost = &record.Skip{Pos: s.here(), Reason: record.ReasonBadJSON, Err: why}
}

// leave passes over what follows an array within an object.
func (s *objects) leave() {
	for {
		b, err := s.ahead()
		if err != nil {
			return // next reports it
		}
		text := bytes.TrimSuffix(b, []byte("\n"))
		n, end, err := s.around.scan(text)
		if err == nil && !end && len(text) < len(b) {
			n++
			if s.around.quoted {
				err = errOpenString
			}
		}
		s.take(n)
		if err != nil {
			s.losing(err)
			s.limit = 0
		}
		if end || err != nil {
			s.around = structure{}
			return
		}
	}
}

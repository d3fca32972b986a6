package table

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// quickLine reads a flat object, as most lines of JSON Lines are: its values are strings, whole numbers and literals. It
// looks at eight bytes of a string at a time, which takes a quarter of the time of the library. For everything else, and
// for everything that is wrong, it returns false, and the library must read the line.
func quickLine(b []byte, n *names, room *payload.Room) (v Values, ok bool) {
	var q quickValues
	q.of(b, n)
	return q.unescaped(room)
}

// quickValues are the values of a line as they are there, strings with their escapes.
type quickValues struct {
	Values
	read    bool   // the line could be read; otherwise the values are of no use
	escaped uint32 // the fields whose value has escapes, which are valid
	high    uint32 // the fields whose value has bytes that are not ASCII
}

// of reads a line, and reports whether it could.
func (v *quickValues) of(b []byte, n *names) bool {
	q := quickReader{b: b}
	if !q.take('{') {
		return false
	}
	for !q.take('}') {
		if q.members > 0 && !q.take(',') || !q.member(v, n) {
			return false
		}
		q.members++
	}
	q.space()
	v.read = q.at == len(q.b)
	return v.read
}

// set sets a field to a value of a line.
func (v *quickValues) set(u use, s jsonString) {
	if !v.Values.set(u, s.raw) {
		return
	}
	bit := uint32(1) << u.field
	v.escaped, v.high = v.escaped&^bit, v.high&^bit
	if s.escaped {
		v.escaped |= bit
	}
	if s.high {
		v.high |= bit
	}
}

// unescaped returns the values without escapes, in the room where there were any. It returns false if the line
// could not be read, or if a value with escapes is not valid UTF-8 or has half of a surrogate pair.
func (v *quickValues) unescaped(room *payload.Room) (out Values, ok bool) {
	if out = v.Values; !v.read {
		return out, false
	}
	for f := range NumFields {
		bit := uint32(1) << f
		if v.escaped&bit == 0 || len(v.Of[f]) == 0 {
			continue
		}
		if g := v.same(f); g < f { // a name may mean two fields
			out.Of[f] = out.Of[g]
			continue
		}
		if out.Of[f], ok = unescaped(jsonString{raw: v.Of[f], high: v.high&bit != 0}, room); !ok {
			return out, false
		}
	}
	return out, true
}

// same returns the first field that has the same value of the line as a field.
func (v *quickValues) same(f Field) Field {
	for g := range f {
		if len(v.Of[g]) > 0 && &v.Of[g][0] == &v.Of[f][0] {
			return g
		}
	}
	return f
}

// quickReader reads one line.
type quickReader struct {
	b       []byte
	at      int
	members int
}

// space skips white space.
func (q *quickReader) space() {
	for q.at < len(q.b) && (q.b[q.at] == ' ' || q.b[q.at] == '\t' || q.b[q.at] == '\n' || q.b[q.at] == '\r') {
		q.at++
	}
}

// take skips white space and then c, if it follows.
func (q *quickReader) take(c byte) bool {
	q.space()
	if q.at == len(q.b) || q.b[q.at] != c {
		return false
	}
	q.at++
	return true
}

// member reads a key and its value.
func (q *quickReader) member(v *quickValues, n *names) bool {
	if !q.take('"') {
		return false
	}
	key, ok := q.quoted()
	if !ok || key.escaped || !q.take(':') {
		return false
	}
	uses := n.of(key.raw)
	var value jsonString
	isString := q.take('"')
	if isString {
		value, ok = q.quoted()
	} else {
		value.raw, ok = q.other()
	}
	if !ok {
		return false
	}
	for _, u := range uses {
		s := value
		s.raw = u.field.accepts(value.raw, isString)
		v.set(u, s)
	}
	return true
}

// other reads a whole number or a literal.
func (q *quickReader) other() (value []byte, ok bool) {
	b := q.b[q.at:]
	for _, literal := range [...]string{"null", "true", "false"} {
		if len(b) >= len(literal) && string(b[:len(literal)]) == literal {
			q.at += len(literal)
			return b[:len(literal)], true
		}
	}
	n := 0
	if n < len(b) && b[n] == '-' {
		n++
	}
	first := n
	for n < len(b) && '0' <= b[n] && b[n] <= '9' && (n == first || b[first] != '0') {
		n++
	}
	q.at += n // a fraction or an exponent that follows is neither a comma nor a brace
	return b[:n:n], n > first
}

// jsonString is a string without its quotes.
type jsonString struct {
	raw     []byte
	escaped bool // it has escapes, which are valid
	high    bool // it has bytes that are not ASCII
}

// quoted reads the rest of a string.
func (q *quickReader) quoted() (s jsonString, ok bool) {
	b, i := q.b[q.at:], 0
	high := uint64(0)
	for len(b)-i >= 8 {
		x := binary.LittleEndian.Uint64(b[i:])
		special := specials(x)
		if special == 0 {
			high |= x
			i += 8
			continue
		}
		k := bits.TrailingZeros64(special)
		high |= x & (1<<uint(k-7) - 1)
		i += k >> 3
		if b[i] != '\\' {
			break
		}
		size := escapeSize(b[i:])
		if size == 0 {
			return s, false
		}
		s.escaped = true
		i += size
	}
	for ; i < len(b) && b[i] != '"'; i++ {
		switch {
		case b[i] < ' ':
			return s, false
		case b[i] == '\\':
			size := escapeSize(b[i:])
			if size == 0 {
				return s, false
			}
			s.escaped = true
			i += size - 1
		}
		high |= uint64(b[i])
	}
	if i >= len(b) {
		return s, false
	}
	s.raw, s.high = b[:i:i], high&eachHigh != 0
	q.at += i + 1
	return s, true
}

const (
	eachOne  = 0x0101010101010101
	eachHigh = 0x8080808080808080
)

// specials sets the high bit of the first of eight bytes that is a control character, a quote or a backslash. Bits above
// it may be set too.
func specials(x uint64) uint64 {
	quote, slash := x^eachOne*'"', x^eachOne*'\\'
	return ((x-eachOne*' ')&^x | (quote-eachOne)&^quote | (slash-eachOne)&^slash) & eachHigh
}

// escapeSize returns the size of the escape with which b begins, 0 if it is not valid.
func escapeSize(b []byte) int {
	if len(b) >= 2 && escapes[b[1]] != 0 {
		return 2
	}
	if _, ok := hexRune(b); ok {
		return 6
	}
	return 0
}

// unescaped returns the text of a string in the room. It returns false if the string is not valid UTF-8, or has half of
// a surrogate pair.
func unescaped(s jsonString, room *payload.Room) ([]byte, bool) {
	if s.high && !utf8.Valid(s.raw) {
		return nil, false
	}
	out := room.Grow(nil, len(s.raw)+8)
	out = out[:cap(out)]
	raw, n := s.raw, 0
	for len(raw) >= 8 { // an escape takes at least two bytes and stands for one, or for three if it takes six
		x := binary.LittleEndian.Uint64(raw)
		binary.LittleEndian.PutUint64(out[n:], x)
		slash := x ^ eachOne*'\\'
		k := bits.TrailingZeros64((slash-eachOne)&^slash&eachHigh) >> 3
		n, raw = n+k, raw[k:]
		if k == 8 {
			continue
		}
		if c := escapes[raw[1:][0]]; c != 0 {
			out[n] = c
			n, raw = n+1, raw[2:]
			continue
		}
		end := 6
		for len(raw) > end && raw[end] == '\\' { // the halves of a surrogate pair belong together
			end += escapeSize(raw[end:])
		}
		text, ok := appendUnescaped(out[:n], raw[:end])
		if !ok {
			return nil, false
		}
		n, raw = len(text), raw[end:]
	}
	return appendUnescaped(out[:n], raw)
}

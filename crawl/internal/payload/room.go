package payload

import (
	"bytes"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Room provides the buffers for one record and the page that is decoded from it. A buffer is in memory if it fits into
// the share that Options.Memory allows, and in a temporary file otherwise. The zero value uses memory only.
type Room struct {
	space *scratch.Space
	pool  *scratch.Pool // nil until a buffer is a file
}

// NewRoom returns an empty room that takes its buffers from space. If space is nil, it uses memory only.
func NewRoom(space *scratch.Space) Room { return Room{space: space} }

// Files returns the temporary files of the room, nil if there are none.
func (m *Room) Files() *scratch.Pool { return m.pool }

// Grow returns b with room for n more bytes.
func (m *Room) Grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	if m.pool == nil && m.large(b, n) {
		m.pool = m.space.Pool()
	}
	return scratch.Grow(m.pool, b, n)
}

// large reports whether b becomes a file when it grows by n bytes.
func (m *Room) large(b []byte, n int) bool {
	return m.space != nil && max(int64(len(b)+n), 2*int64(cap(b))) > m.space.Share()
}

// Append appends more to b.
func (m *Room) Append(b, more []byte) []byte {
	if m.pool == nil && !m.large(b, len(more)) {
		return append(b, more...) // unlike Grow, append does not clear the memory
	}
	return append(m.Grow(b, len(more)), more...)
}

// Large reports whether a buffer of n bytes is kept in a file.
func (m *Room) Large(n int) bool { return m.space != nil && int64(n) > m.space.Share() }

// Free removes the temporary files.
func (m *Room) Free() {
	m.pool.Free()
	m.pool = nil
}

// Valid returns b as valid UTF-8. Each sequence of invalid bytes becomes one U+FFFD. Valid may stop after limit bytes.
func (m *Room) Valid(b []byte, limit int64) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := m.Grow(nil, len(b)+len(b)/8)
	for len(b) > 0 && int64(len(out)) <= limit {
		n := validPrefix(b)
		out = m.Append(out, b[:n])
		if b = b[n:]; len(b) == 0 {
			break
		}
		out = m.Append(out, []byte("\uFFFD"))
		for len(b) > 0 {
			if c, size := utf8.DecodeRune(b); c != utf8.RuneError || size > 1 {
				break
			}
			b = b[1:]
		}
	}
	return out
}

// validPrefix returns the length of the longest prefix of b that is valid UTF-8.
func validPrefix(b []byte) int {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			i++
			continue
		}
		c, size := utf8.DecodeRune(b[i:])
		if c == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return len(b)
}

// Trimmed returns b without leading and trailing white space.
func Trimmed(b []byte) string { return string(bytes.TrimSpace(b)) }

// ValidString returns b as valid UTF-8.
func ValidString(b []byte) string { return string(new(Room).Valid(b, math.MaxInt64)) }

// Folded returns b as valid UTF-8 with each sequence of white space replaced by one space.
func Folded(b []byte) string { return strings.Join(strings.Fields(ValidString(b)), " ") }

// MaxAside is the maximum number of bytes to read of a value other than the content of a page, such as a title or the
// words next to a link.
const MaxAside = 64 << 10

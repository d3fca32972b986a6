package crawl

import (
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/scratch"
)

// room gives buffers to one record and to the page that is made of it: in memory up to the share that Options.Memory leaves
// them, beyond in temporary files. The zero value gives memory.
type room struct {
	space *scratch.Space
	pool  *scratch.Pool // once there is a file
}

// grow returns b with room for n more bytes.
func (m *room) grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	if m.pool == nil && m.space != nil && max(int64(len(b)+n), 2*int64(cap(b))) > m.space.Share() {
		m.pool = m.space.Pool()
	}
	return scratch.Grow(m.pool, b, n)
}

func (m *room) append(b, more []byte) []byte { return append(m.grow(b, len(more)), more...) }

// large tells whether a buffer of n bytes is a file.
func (m *room) large(n int) bool { return m.space != nil && int64(n) > m.space.Share() }

func (m *room) free() {
	m.pool.Free()
	m.pool = nil
}

// valid returns b as valid UTF-8, with U+FFFD for every run of invalid bytes. It may stop after limit bytes.
func (m *room) valid(b []byte, limit int64) []byte {
	if utf8.Valid(b) {
		return b
	}
	out := m.grow(nil, len(b)+len(b)/8)
	for len(b) > 0 && int64(len(out)) <= limit {
		n := validPrefix(b)
		out = m.append(out, b[:n])
		if b = b[n:]; len(b) == 0 {
			break
		}
		out = m.append(out, []byte("\uFFFD"))
		for len(b) > 0 {
			if c, size := utf8.DecodeRune(b); c != utf8.RuneError || size > 1 {
				break
			}
			b = b[1:]
		}
	}
	return out
}

// validPrefix is the length of the valid UTF-8 with which b begins.
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

// Release removes the temporary files of a record and of the page that was made from it. Neither may be used afterwards.
func (r *Record) Release() { r.room.free() }

// Release is Record.Release for a caller that has the page and not the record. Neither may be used afterwards.
func (p *Page) Release() {
	p.pool.Free()
	p.pool = nil
}

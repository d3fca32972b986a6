package mapped

import "encoding/binary"

// U64s appends numbers of eight bytes, as many at a time as the buffer holds.
func (s *Section) U64s(values []uint64) {
	for len(values) > 0 && s.open() {
		s.w.fail(s.out.room(8))
		at := len(s.out.buf)
		n := min(len(values), (cap(s.out.buf)-at)/8)
		buf := s.out.buf[:at+8*n]
		binary.Encode(buf[at:], binary.LittleEndian, values[:n]) //nolint:errcheck // the buffer has room
		s.out.buf, values = buf, values[n:]
	}
}

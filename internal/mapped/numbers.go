package mapped

import "encoding/binary"

// U16s appends numbers of two bytes.
func (s *Section) U16s(values []uint16) { numbers(s, 2, values) }

// U32s appends numbers of four bytes.
func (s *Section) U32s(values []uint32) { numbers(s, 4, values) }

// U64s appends numbers of eight bytes.
func (s *Section) U64s(values []uint64) { numbers(s, 8, values) }

// numbers appends numbers of a size in bytes, as many at a time as the buffer holds.
func numbers[T uint16 | uint32 | uint64](s *Section, size int, values []T) {
	for len(values) > 0 && s.open() {
		n := s.fit(len(values), size)
		at := len(s.out.buf)
		buf := s.out.buf[:at+size*n]
		binary.Encode(buf[at:], binary.LittleEndian, values[:n]) //nolint:errcheck // the buffer has room
		s.out.buf, values = buf, values[n:]
	}
}

// fit makes room for at least one number of a size, and returns for how many of n there is room.
func (s *Section) fit(n, size int) int {
	s.w.fail(s.out.room(size))
	return min(n, (cap(s.out.buf)-len(s.out.buf))/size)
}

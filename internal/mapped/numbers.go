package mapped

import "encoding/binary"

// U16s appends numbers of two bytes.
func (s *Section) U16s(values []uint16) {
	for len(values) > 0 && s.open() {
		n := s.fit(len(values), 2)
		buf := s.out.buf
		at := len(buf)
		buf = buf[:at+2*n]
		for i, v := range values[:n] {
			binary.LittleEndian.PutUint16(buf[at+2*i:], v)
		}
		s.out.buf, values = buf, values[n:]
	}
}

// U32s appends numbers of four bytes.
func (s *Section) U32s(values []uint32) {
	for len(values) > 0 && s.open() {
		n := s.fit(len(values), 4)
		buf := s.out.buf
		at := len(buf)
		buf = buf[:at+4*n]
		for i, v := range values[:n] {
			binary.LittleEndian.PutUint32(buf[at+4*i:], v)
		}
		s.out.buf, values = buf, values[n:]
	}
}

// U64s appends numbers of eight bytes.
func (s *Section) U64s(values []uint64) {
	for len(values) > 0 && s.open() {
		n := s.fit(len(values), 8)
		buf := s.out.buf
		at := len(buf)
		buf = buf[:at+8*n]
		for i, v := range values[:n] {
			binary.LittleEndian.PutUint64(buf[at+8*i:], v)
		}
		s.out.buf, values = buf, values[n:]
	}
}

// fit makes room for at least one number of a size, and returns for how many of n there is room.
func (s *Section) fit(n, size int) int {
	s.w.fail(s.out.room(size))
	return min(n, (cap(s.out.buf)-len(s.out.buf))/size)
}

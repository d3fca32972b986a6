package shingles

import "encoding/binary"

// load4 returns the first 4 bytes of p, the first one highest, with zeros beyond the end.
func load4(p []byte) uint32 {
	if len(p) >= 4 {
		return binary.BigEndian.Uint32(p)
	}
	return loadTail(p)
}

func loadTail(p []byte) (x uint32) {
	for i, b := range p {
		x |= uint32(b) << (24 - 8*uint(i))
	}
	return x
}

// decode3 decodes a rune from the top of 4 bytes. The size is 0 unless it is a well-formed rune of 1 to 3 bytes.
func decode3(x uint32) (c uint32, size int) {
	switch {
	case x>>31 == 0:
		return x >> 24, 1
	case x>>16&0xE0C0 == 0xC080 && x>>24 >= 0xC2:
		return x>>18&0x7C0 | x>>16&0x3F, 2
	case x>>8&0xF0C0C0 == 0xE08080 && x>>16&0xFF20 > 0xE000:
		return x>>12&0xF000 | x>>10&0xFC0 | x>>8&0x3F, 3
	}
	return 0, 0
}

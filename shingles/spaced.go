package shingles

import (
	"encoding/binary"
	"math/bits"
)

// SketchCanonical is Sketch for a text that Canonical has made with the same treatment of punctuation. It takes half
// the time, since only spaces separate the words of a canonical text.
func (s *Shingler) SketchCanonical(sink Sink, canonical []byte) (n int) {
	s.begin(sink)
	for len(canonical) > 0 {
		tokens, read := spaced(s.units[:], canonical)
		s.slide(s.units[:tokens])
		canonical = canonical[read:]
	}
	return s.end()
}

// eachOne is a word of eight bytes with the value 1.
const eachOne = 0x0101010101010101

// spaced writes to dst the tokens of words with single spaces between them, one per word. It returns the numbers of
// tokens and of bytes read.
func spaced(dst []uint64, text []byte) (tokens, read int) {
	for ; read < len(text) && tokens < len(dst); tokens++ {
		unit, size := firstUnit(text[read:])
		read += size
		if read >= len(text) || text[read] == ' ' {
			dst[tokens] = unit
			read++
			continue
		}
		hash := uint64(0)
		for read < len(text) && text[read] != ' ' {
			hash = foldUnit(hash, unit)
			unit, size = firstUnit(text[read:])
			read += size
		}
		dst[tokens] = foldUnit(hash, unit)
		read++
	}
	return tokens, min(read, len(text))
}

// firstUnit returns the first unit of the first word of a text, and its size in bytes.
func firstUnit(text []byte) (unit uint64, size int) {
	x := loadSpaced(text)
	y := x ^ eachCase // space bytes become 0
	size = bits.TrailingZeros64((y-eachOne)&^y&eachHigh) >> 3
	return bits.ReverseBytes64(x) &^ (^uint64(0) >> (8 * uint(size))), size
}

// loadSpaced returns the first eight bytes of a text, the first one lowest, with spaces beyond the end.
func loadSpaced(text []byte) uint64 {
	if len(text) >= 8 {
		return binary.LittleEndian.Uint64(text)
	}
	return loadSpacedTail(text)
}

func loadSpacedTail(text []byte) uint64 {
	x := uint64(eachCase)
	for i, b := range text {
		x ^= uint64(b^' ') << (8 * uint(i))
	}
	return x
}

package shingles

import (
	"encoding/binary"
	"math/bits"
)

// Bytes of 7 bits, eight in a word: adding the constant sets the high bit of
// every byte from the named one on, and no carry leaves a byte.
const (
	eachHigh = 0x8080808080808080
	eachCase = 0x2020202020202020
	from0    = 0x0101010101010101 * (0x80 - '0')
	after9   = 0x0101010101010101 * (0x80 - '9' - 1)
	fromA    = 0x0101010101010101 * (0x80 - 'a')
	afterZ   = 0x0101010101010101 * (0x80 - 'z' - 1)
)

// ascii reads words eight bytes at a time, a token a step, as long as they are
// ASCII and p has 8 bytes left. It starts between tokens, and stops there or in a
// word that runes is to read on. Only for dropped punctuation.
//
// In a step the word begins at the first of the eight bytes; the separators
// after it are skipped together with it, so that most words take one step.
func (t *Tokenizer) ascii(dst []uint64, p []byte) (tokens, read int) {
	fold := !t.Split
	for len(p)-read >= 8 && tokens < len(dst) {
		x := binary.LittleEndian.Uint64(p[read:])
		letters, word, high := classes8(x)
		size := bits.TrailingZeros64(^word&eachHigh) >> 3
		unit := bits.ReverseBytes64(x|letters>>2) &^ (^uint64(0) >> (8 * size))
		if high>>(8*size)&0x80 != 0 || fold && size == 8 {
			t.unit, t.used = unit, uint(size) // the word may go on
			return tokens, read + size
		}
		dst[tokens] = unit
		tokens += one(size > 0)
		skip := bits.TrailingZeros64((word|high)>>(8*size)) >> 3
		read += min(size+skip, 8)
	}
	return tokens, read
}

// classes8 sets the high bit of each byte that is an ASCII letter, that is an
// ASCII letter or digit, and that is no ASCII.
func classes8(x uint64) (letters, word, high uint64) {
	high = x & eachHigh
	low := x &^ eachHigh
	folded := low | eachCase
	letters = (folded + fromA) &^ (folded + afterZ) &^ high & eachHigh
	digits := (low + from0) &^ (low + after9) &^ high & eachHigh
	return letters, letters | digits, high
}

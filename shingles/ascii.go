package shingles

import (
	"encoding/binary"
	"math/bits"
)

// Constants for words of eight bytes of 7 bits each. Adding one to a word sets the high bit of every byte that is at
// least the named character, and no carry leaves a byte.
const (
	eachHigh = 0x8080808080808080
	eachCase = 0x2020202020202020
	from0    = 0x0101010101010101 * (0x80 - '0')
	after9   = 0x0101010101010101 * (0x80 - '9' - 1)
	fromA    = 0x0101010101010101 * (0x80 - 'a')
	afterZ   = 0x0101010101010101 * (0x80 - 'z' - 1)
)

// ascii reads ASCII words eight bytes at a time, one token per step, while p has 8 bytes left. It starts between
// tokens. It stops between tokens, or inside a word that runes then finishes. It is used only if punctuation is
// dropped.
//
// At each step the word begins at the first of the eight bytes. The separators behind it are skipped in the same step,
// so that most words take a single step.
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

// classes8 classifies eight bytes. In each result, the high bit of a byte is set if the byte is an ASCII letter, if it
// is an ASCII letter or digit, and if it is not ASCII.
func classes8(x uint64) (letters, word, high uint64) {
	high = x & eachHigh
	low := x &^ eachHigh
	folded := low | eachCase
	letters = (folded + fromA) &^ (folded + afterZ) &^ high & eachHigh
	digits := (low + from0) &^ (low + after9) &^ high & eachHigh
	return letters, letters | digits, high
}

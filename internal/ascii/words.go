package ascii

import "encoding/binary"

// High has the high bit of each of eight bytes, which ASCII does not have.
const High = 0x8080808080808080

// Constants for words of eight bytes of 7 bits each. Adding one to a word sets the high bit of every byte that is at
// least the named character; no carry leaves a byte.
const (
	eachCase = 0x2020202020202020
	from0    = 0x0101010101010101 * (0x80 - '0')
	after9   = 0x0101010101010101 * (0x80 - '9' - 1)
	fromA    = 0x0101010101010101 * (0x80 - 'a')
	afterZ   = 0x0101010101010101 * (0x80 - 'z' - 1)

	eachLow   = 0x0101010101010101
	eachSlash = eachLow * '\\'
)

// Words8 sets the high bit of each of eight bytes that is a letter or digit.
func Words8(x uint64) uint64 {
	low := x &^ High
	folded := low | eachCase
	letters := (folded + fromA) &^ (folded + afterZ)
	digits := (low + from0) &^ (low + after9)
	return (letters | digits) &^ x & High
}

// WordMap returns the places, among the first 64 bytes of a text, of letters and digits, of bytes that are not ASCII, and
// of backslashes.
func WordMap(p []byte) (word, high, slash uint64) {
	if len(p) < 64 {
		var block [64]byte
		copy(block[:], p)
		p = block[:]
	}
	return wordMap((*[64]byte)(p))
}

// wordMapGo is the reference implementation.
func wordMapGo(p *[64]byte) (word, high, slash uint64) {
	any := uint64(0)
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(p[i : i+8])
		other := x ^ eachSlash
		any |= x | (other-eachLow)&^other // has high bits if a byte is a backslash
		word |= gather(Words8(x)) << i
	}
	if any&High == 0 {
		return word, 0, 0
	}
	for i := 0; i < 64; i += 8 {
		x := binary.LittleEndian.Uint64(p[i : i+8])
		other := x ^ eachSlash
		high |= gather(x&High) << i
		slash |= gather(^(other&^High+^uint64(High)|other)&High) << i
	}
	return word, high, slash
}

// gather moves the high bits of eight bytes together: that of byte i to bit i.
func gather(x uint64) uint64 { return x >> 7 * 0x0102040810204080 >> 56 }

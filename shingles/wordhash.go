package shingles

import (
	"encoding/binary"
	"math/bits"
)

// keep has masks of the first n of 16 bytes.
var keep = func() (masks [17][2]uint64) {
	for n := range masks {
		masks[n] = [2]uint64{1<<(8*min(n, 8)) - 1, 1<<(8*max(n-8, 0)) - 1}
	}
	return masks
}()

// The hash of a word is that of its bytes in lower case, 16 at a time: two numbers multiplied to 128 bits, whose halves
// are added modulo 2, as in wyhash.
const (
	hashA = 0xa0761d6478bd642f
	hashB = 0xe7037ed1a0b428db
)

func hashPart(hash, a, b uint64) uint64 {
	high, low := bits.Mul64(a^hash^hashA, b^hashB)
	return high ^ low
}

// hashWords writes the hashes of the words of a block to dst: those whose ends are given by their places in the block,
// which begins at p[at]. The first of them begins at p[start], the others where starts says. It returns their number and
// the start of the word after them. Their letters count in lower case.
func hashWords(dst []uint64, p []byte, start, at int, starts, ends uint64) (n, next int) {
	for ; ends != 0; ends &= ends - 1 {
		end := at + bits.TrailingZeros64(ends)
		if size := uint(end - start); size <= 16 && start+16 <= len(p) {
			q := (*[16]byte)(p[start:])
			mask := &keep[size]
			a, b := binary.LittleEndian.Uint64(q[:8]), binary.LittleEndian.Uint64(q[8:])
			high, low := bits.Mul64((a|eachCase)&mask[0]^hashA, (b|eachCase)&mask[1]^hashB)
			dst[n] = high ^ low
		} else {
			dst[n] = hashRest(0, p, start, end, eachCase)
		}
		n++
		start = at + bits.TrailingZeros64(starts)
		starts &= starts - 1
	}
	return n, start
}

// hashRest returns the hash of a word that ends with p[start:end], given that of the chunks before.
func hashRest(hash uint64, p []byte, start, end int, set uint64) uint64 {
	for ; end-start > 16; start += 16 {
		hash = hashChunk(hash, p[start:], set)
	}
	q, n := p[start:], uint(end-start)
	if len(q) < 16 {
		q = append(make([]byte, 0, 16), q...)[:16]
	}
	mask := &keep[n]
	a, b := binary.LittleEndian.Uint64(q[:8]), binary.LittleEndian.Uint64(q[8:16])
	return hashPart(hash, (a|set)&mask[0], (b|set)&mask[1])
}

// hashChunk adds the 16 bytes at the front of p to the hash of a word.
func hashChunk(hash uint64, p []byte, set uint64) uint64 {
	return hashPart(hash, binary.LittleEndian.Uint64(p)|set, binary.LittleEndian.Uint64(p[8:])|set)
}

package minhash

import "math/bits"

// P is the modulus of the permutations, the Mersenne prime 2^31-1. Elements and minima are below P; the minimum of an
// empty set is P.
const P = 1<<31 - 1

// Element returns the element for the given occurrence (1, 2, …) of a term: a 64-bit bijection scatters the two
// numbers, and the top half of the result is reduced below P. Two different occurrences or terms have the same element
// with probability 2^-31.
func Element(term, occurrence uint32) uint32 {
	return below(mix(uint64(term)<<32|uint64(occurrence)), P)
}

// mix is one step of splitmix64, a bijection in which every input bit affects every output bit. The constants are part
// of the format of signatures.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// below scales a random x down to a number in [0, n).
func below(x, n uint64) uint32 {
	hi, _ := bits.Mul64(x, n)
	return uint32(hi)
}

package resemble

import "math/bits"

// An outline is the size of a set and a map of 4 to 8 bits for each of its values, of 32 at least. A value has one bit, which others may
// have, too. What is in the map of one set and not in that of another is certainly not in both.

// mapSize returns the number of words of the map of a set of n values.
func mapSize(n uint32) int { return 1 << bits.Len32(n/8) }

// outline appends the outline of a set to dst.
func outline(dst []uint32, set []uint64) []uint32 {
	dst = append(append(dst, uint32(len(set))), make([]uint32, mapSize(uint32(len(set))))...)
	words := dst[len(dst)-mapSize(uint32(len(set))):]
	for _, v := range set {
		words[v>>5&uint64(len(words)-1)] |= 1 << (v & 31)
	}
	return dst
}

// lacks reports whether a set of outline a has certainly more than a number of values that one of outline b has not.
func lacks(a, b []uint32, most int) bool {
	a, b = a[1:][:mapSize(a[0])], b[1:][:mapSize(b[0])]
	for i, word := range a {
		word &^= b[i&(len(b)-1)]
		for k := i + len(a); k < len(b); k += len(a) {
			word &^= b[k]
		}
		if most -= bits.OnesCount32(word); most < 0 {
			return true
		}
	}
	return false
}

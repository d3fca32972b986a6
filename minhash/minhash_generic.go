package minhash

import (
	"math"
	"math/bits"
)

// minimaGo is the reference implementation. It computes the minima of sixteen permutations over all elements, three
// permutations at a time; the last three overlap the three before.
//
// It computes (ax+b)/P as a binary fraction of 64 bits, so that a multiplication modulo 2^64 reduces modulo P. With c =
// b/a modulo P, ax+b is a(x+c) modulo P. Let s be the odd one of the two whole numbers above a·2^64/P and t = s(x+c)
// modulo 2^64. For a value v of the permutation, t is v·2^64/P plus an error of at most 2(x+c) < 2^33 < 2^64/P. So t does not
// overflow, t·P/2^64 rounded down is v, and the least t gives the least v.
//
// The processor compares signed numbers faster, so shift is c+2^63. Since s is odd, that adds 2^63 to t.
func minimaGo(dst *[lanes]uint32, c *block, elements []uint32) {
	if len(elements) == 0 {
		for i := range dst {
			dst[i] = P
		}
		return
	}
	for i := 0; i < lanes; i += 3 {
		i = min(i, lanes-3)
		s, c := c.scale[i:i+3], c.shift[i:i+3]
		v0, v1, v2 := leastOfThree(elements, s[0], c[0], s[1], c[1], s[2], c[2])
		dst[i], dst[i+1], dst[i+2] = value(v0), value(v1), value(v2)
	}
}

// leastOfThree returns the least t of minimaGo, less 2^63, for three permutations. The compiler keeps almost everything
// in registers if this is a separate function that is not inlined. A fourth permutation does not fit.
//
//go:noinline
func leastOfThree(elements []uint32, s0, c0, s1, c1, s2, c2 int64) (v0, v1, v2 int64) {
	v0, v1, v2 = math.MaxInt64, math.MaxInt64, math.MaxInt64
	for _, e := range elements {
		x := int64(e)
		v0 = min(v0, (x+c0)*s0)
		v1 = min(v1, (x+c1)*s1)
		v2 = min(v2, (x+c2)*s2)
	}
	return v0, v1, v2
}

// value returns the value of a permutation for t-2^63.
func value(t int64) uint32 {
	v, _ := bits.Mul64(uint64(t)+1<<63, P)
	return uint32(v)
}

// equalGo is the reference implementation. It returns the set of equal bytes of two planes of at most 128.
func equalGo(a, b []byte) Bits {
	var s Bits
	for i, x := range a {
		if x == b[i] {
			s[i>>6] |= 1 << (i & 63)
		}
	}
	return s
}

// maskGo is the reference implementation. It returns the set of equal signatures, among the first 128, of two rows.
func maskGo(a, b []byte) Bits {
	m := len(a) / 3
	n := min(m, MaxMask)
	plane := func(i int) Bits { return equalGo(a[i*m:i*m+n], b[i*m:i*m+n]) }
	return plane(0).And(plane(1)).And(plane(2))
}

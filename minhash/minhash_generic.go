package minhash

// minimaGo is the reference implementation: the minima of sixteen permutations over all elements.
//
// With q = ax+b+1, the fold (q mod 2^31) + (q div 2^31) is congruent to q modulo P and is in [1, 2P]. So ax+b mod P is
// fold-1, or fold-1-P if fold-1 is P or more. Doubled coefficients put the two parts into the halves of a 64-bit word.
//
// It reads eight million elements a second for 80 permutations. Unrolling by two or four and minima without branches
// were tried and gained nothing.
func minimaGo(dst *[lanes]uint32, c *block, elements []uint32) {
	for i := range dst {
		a, b := uint64(c.a[i]), uint64(c.b[i])
		least := uint32(P)
		for _, x := range elements {
			q := a*uint64(x) + b
			v := uint32(q)>>1 + uint32(q>>32) - 1
			if v >= P {
				v -= P
			}
			least = min(least, v)
		}
		dst[i] = least
	}
}

// equalGo is the reference implementation: the set of equal bytes of two planes of at most 128.
func equalGo(a, b []byte) Bits {
	var s Bits
	for i, x := range a {
		if x == b[i] {
			s[i>>6] |= 1 << (i & 63)
		}
	}
	return s
}

// maskGo is the reference implementation: the set of the first 128 signatures that are equal in two rows.
func maskGo(a, b []byte) Bits {
	m := len(a) / 3
	n := min(m, MaxMask)
	plane := func(i int) Bits { return equalGo(a[i*m:i*m+n], b[i*m:i*m+n]) }
	return plane(0).And(plane(1)).And(plane(2))
}

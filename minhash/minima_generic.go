package minhash

// minimaGo is the reference: sixteen permutations over all elements.
//
// With q = ax+b+1, the fold (q mod 2^31) + (q div 2^31) is congruent to q modulo
// P and lies in [1, 2P]; so ax+b mod P is fold-1, or fold-1-P if that is P or
// more. Doubled coefficients put the two parts into the halves of a 64-bit word.
func minimaGo(dst *[lanes]uint32, c *block, elements []uint32) {
	for i := range dst {
		a, b := uint64(c.a[i]), c.b[i]
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

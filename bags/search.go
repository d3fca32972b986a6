package bags

import "math/bits"

// Search returns the place of the first of the ascending hashes that is not below x, by interpolation: hashes are
// spread evenly over 64 bits, so that x·n/2⁶⁴ is right to within about √n places.
func Search(hash []uint64, x uint64) int {
	lo, hi := 0, len(hash) // hash[:lo] < x <= hash[hi:]
	for step := 0; lo < hi; step++ {
		m := lo + (hi-lo)/2
		if step < 4 {
			m = guess(hash, lo, hi, x)
		}
		if hash[m] < x {
			lo = m + 1
		} else {
			hi = m
		}
	}
	return lo
}

// guess returns where x would be in hash[lo:hi] if it were spread evenly between the neighbours of that range.
func guess(hash []uint64, lo, hi int, x uint64) int {
	var from, to uint64 = 0, ^uint64(0)
	if lo > 0 {
		from = hash[lo-1]
	}
	if hi < len(hash) {
		to = hash[hi]
	}
	if x <= from {
		return lo
	}
	if x >= to {
		return hi - 1
	}
	high, low := bits.Mul64(x-from, uint64(hi-lo))
	q, _ := bits.Div64(high, low, to-from)
	return min(lo+int(q), hi-1)
}

package shingles

import (
	"math"
	"math/bits"
)

// divisor tests divisibility by m with one multiplication: for m = odd·2^k, v is a multiple of m if and only if
// v·odd⁻¹, rotated right by k, is at most max/m.
type divisor struct {
	m, inverse, limit uint64
	rotate            int
}

func newDivisor(m uint64) divisor {
	k := bits.TrailingZeros64(m)
	return divisor{m: m, inverse: inverse(m >> uint(k)), limit: math.MaxUint64 / m, rotate: -k}
}

func (d *divisor) divides(v uint64) bool {
	return bits.RotateLeft64(v*d.inverse, d.rotate) <= d.limit
}

// Presence is the probability that the MOD_m sketch of a set of the given size is not empty: 1-(1-1/m)^size.
func Presence(m uint64, size int) float64 {
	if m <= 1 {
		return float64(one(size > 0 && m == 1))
	}
	return -math.Expm1(float64(size) * math.Log1p(-1/float64(m)))
}

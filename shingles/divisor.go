package shingles

import (
	"math"
	"math/bits"
)

// Divisor tests divisibility by m with one multiplication: for m = odd·2^k, v is a multiple of m if and only if v·odd⁻¹,
// rotated right by k, is at most max/m.
type Divisor struct {
	inverse, limit uint64
	rotate         int
}

// NewDivisor returns the Divisor of m, which is 1 or more.
func NewDivisor(m uint64) Divisor {
	k := bits.TrailingZeros64(m)
	odd := m >> uint(k)
	inverse := odd // right in 3 bits; each round of Newton's method doubles them
	for range 5 {
		inverse *= 2 - odd*inverse
	}
	return Divisor{inverse: inverse, limit: math.MaxUint64 / m, rotate: -k}
}

// Divides reports whether v is a multiple of m.
func (d Divisor) Divides(v uint64) bool {
	return bits.RotateLeft64(v*d.inverse, d.rotate) <= d.limit
}

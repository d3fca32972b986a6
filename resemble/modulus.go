package resemble

import (
	"math"
	"math/bits"
)

// modulus tests divisibility by m with one multiplication instead of a division, as shingles does: for m = odd·2^k, v
// is a multiple of m if and only if v·odd⁻¹ modulo 2^64, rotated right by k, is at most max/m.
type modulus struct {
	inverse, limit uint64
	rotate         int
}

func newModulus(m uint64) modulus {
	k := bits.TrailingZeros64(m)
	odd := m >> uint(k)
	inverse := odd // right in 3 bits; each round doubles them
	for range 5 {
		inverse *= 2 - odd*inverse
	}
	return modulus{inverse, math.MaxUint64 / m, -k}
}

func (d modulus) divides(v uint64) bool {
	return bits.RotateLeft64(v*d.inverse, d.rotate) <= d.limit
}

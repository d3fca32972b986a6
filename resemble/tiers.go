package resemble

import (
	"math"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/shingles"
)

// tierSamples is the least average number of samples of a document that has enough shingles.
const tierSamples = 16

// maxTiers is the largest number of tiers.
const maxTiers = 5

// tiers are the shares of shingles that documents are compared by, from all of them to one in M, such as 1, 8/25, 4/25,
// 2/25 and 1/25. All samples of a tier are also samples of the previous tier. A document has the last tier that leaves
// it tierSamples.
//
// The samples of the last tier are the values that M divides. The samples of another tier are these and the values
// whose hash is below a limit.
type tiers struct {
	last   shingles.Divisor
	rate   []uint64             // of each tier, out of the modulus: from the modulus itself to 1
	limits [maxTiers - 2]uint64 // of the hashes of the tiers between the first and the last, or 0
}

func newTiers(m uint64) tiers {
	t := tiers{last: shingles.NewDivisor(m)}
	factor := uint64(2) // between tiers, larger if there would be too many
	for factor*factor*factor < m/4 {
		factor++
	}
	for rate := uint64(1); rate == 1 || 2*rate <= m && len(t.rate) < maxTiers-1; rate *= factor {
		t.rate = append([]uint64{rate}, t.rate...)
	}
	if m > 1 {
		t.rate = append([]uint64{m}, t.rate...)
	}
	for i := 1; i+1 < len(t.rate); i++ {
		t.limits[i-1] = math.MaxUint64 / (m - 1) * (t.rate[i] - 1) // as M divides one in M
	}
	return t
}

// top returns the last tier.
func (t *tiers) top() uint8 { return uint8(len(t.rate) - 1) }

// expected returns the average number of samples at a tier of a document with n shingles.
func (t *tiers) expected(n int, tier uint8) uint64 { return uint64(n) * t.rate[tier] / t.rate[0] }

// of returns the tier of a document with n shingles.
func (t *tiers) of(n int) uint8 {
	tier := t.top()
	for tier > 0 && t.expected(n, tier) < tierSamples {
		tier--
	}
	return tier
}

const levelFactor = 0xd6e8feb86659fd93

// level returns the last tier that a value is a sample of.
func (t *tiers) level(v uint64) uint8 {
	if t.last.Divides(v) {
		return t.top()
	}
	h := v * levelFactor
	level := uint64(0)
	for _, limit := range t.limits { // without branches, which would often be mispredicted
		_, below := bits.Sub64(h, limit, 0)
		level += below
	}
	return uint8(level)
}

// sample appends to dst the values that are samples of a tier.
func (t *tiers) sample(dst, values []uint64, tier uint8) []uint64 {
	if tier == 0 {
		return append(dst, values...)
	}
	limit := uint64(0)
	if tier < t.top() {
		limit = t.limits[tier-1]
	}
	n := len(dst)
	dst = slices.Grow(dst, len(values))[:n+len(values)]
	for _, v := range values { // without branches, too
		dst[n] = v
		n += sets.One(v*levelFactor < limit) | sets.One(t.last.Divides(v))
	}
	return dst[:n]
}

// counts holds, for each tier, a number of values of some kind.
type counts [maxTiers]uint32

// add counts one value.
func (c *counts) add(t *tiers, value uint64) {
	for tier := range t.level(value) + 1 {
		c[tier]++
	}
}

// fromEach returns, for each tier, the sum of the counts of it and the later ones.
func (c counts) fromEach() counts {
	for tier := maxTiers - 2; tier >= 0; tier-- {
		c[tier] += c[tier+1]
	}
	return c
}

// sampled is what is known about the samples of a document.
type sampled struct {
	tier     uint8
	size     counts // samples
	own, all mask   // of the keys of the samples, and of all keys
}

// mask has a bit for each of some keys. Different keys may have the same.
type mask [4]uint64

func (m *mask) add(key uint32) {
	h := key * 0x9e3779b1 >> 24
	m[h>>6] |= 1 << (h & 63)
}

// without returns a number of keys that the set of another mask lacks at least.
func (m *mask) without(other *mask) uint32 {
	n := 0
	for i := range m {
		n += bits.OnesCount64(m[i] &^ other[i])
	}
	return uint32(n)
}

package resemble

// tierSamples is the number of samples that a document has on average at least, if it has enough shingles.
const tierSamples = 16

// tiers are the moduli by which documents are sampled, such as 1, 5 and 25. Each divides the next, so all values of a
// larger modulus are among those of a smaller one. A document has the largest modulus that leaves it tierSamples.
type tiers []modulus

func newTiers(m uint64) tiers {
	middle := uint64(1) // largest divisor up to the root
	for d := uint64(2); d*d <= m && d < 1<<16; d++ {
		if m%d == 0 {
			middle = d
		}
	}
	t := tiers{newModulus(1)}
	for _, d := range []uint64{middle, m} {
		if d > t[len(t)-1].m {
			t = append(t, newModulus(d))
		}
	}
	return t
}

// of returns the tier of a document with n shingles.
func (t tiers) of(n int) uint8 {
	tier := len(t) - 1
	for tier > 0 && uint64(n)/t[tier].m < tierSamples {
		tier--
	}
	return uint8(tier)
}

// level returns the last tier whose modulus divides a value.
func (t tiers) level(v uint64) uint8 {
	level := 0
	for level+1 < len(t) && t[level+1].divides(v) {
		level++
	}
	return uint8(level)
}

// sample appends to dst the values that the tier's modulus divides.
func (t tiers) sample(dst, values []uint64, tier uint8) []uint64 {
	d := t[tier]
	if d.m == 1 {
		return append(dst, values...)
	}
	for _, v := range values {
		if d.divides(v) {
			dst = append(dst, v)
		}
	}
	return dst
}

// maxTiers is the largest number of tiers.
const maxTiers = 3

// counts holds, for each tier, a number of values of some kind.
type counts [maxTiers]uint32

// add counts one value.
func (c *counts) add(t tiers, value uint64) {
	for tier := range t.level(value) + 1 {
		c[tier]++
	}
}

// sampled counts the samples of a document. All that candidate reads of it is in one cache line or two.
type sampled struct {
	size  counts // samples
	apart counts // of these, the common and the capped ones
	far   counts // of the samples of a short document, those that were not searched in long ones
}

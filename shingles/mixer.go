package shingles

// Mixer is a bijection on numbers of a fixed width that looks like a random permutation. It is applied to Rabin
// fingerprints because these are linear in the text: the smallest fingerprints of two texts that differ in one letter
// do not differ independently, so MIN_s and MOD_m would be biased. Create one with NewMixer; the zero value is not
// usable.
type Mixer struct {
	mask  uint64
	key   uint64
	shift uint // half the width, rounded up: x ^= x>>shift is its own inverse
}

// The factors are odd, so that multiplication modulo 2^width can be undone. After three rounds, the avalanche of 40
// bits is within the noise of a random permutation.
const (
	mixA = 0xd6e8feb86659fd93
	mixB = 0x9e3779b97f4a7c15
	mixC = 0xbf58476d1ce4e5b9
)

// NewMixer returns the bijection on width bits that the seed selects. It moves a width outside 8 to 64 to the nearer
// end.
func NewMixer(width int, seed uint64) Mixer {
	width = min(max(width, 8), 64)
	mask := ^uint64(0) >> (64 - uint(width))
	return Mixer{mask: mask, key: nextRandom(&seed) & mask, shift: uint(width+1) / 2}
}

// Mix returns the value of x. Only the lower bits of x, those within the width, matter.
func (m Mixer) Mix(x uint64) uint64 {
	s := m.shift & 63
	x = (x ^ m.key) & m.mask
	x = (x ^ x>>s) * mixA & m.mask
	x = (x ^ x>>s) * mixB & m.mask
	x = (x ^ x>>s) * mixC & m.mask
	return x ^ x>>s
}

// MixAll replaces every x by its value.
func (m Mixer) MixAll(xs []uint64) {
	for i, x := range xs {
		xs[i] = m.Mix(x)
	}
}

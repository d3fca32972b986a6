package shingles

import (
	"math"
	"math/bits"

	"github.com/google/btree"
)

// The defaults of sketches.
const (
	DefaultM = 25  // the modulus of [S1]
	DefaultS = 200 // samples of MIN_s
)

// modSketch is MOD_m: the values of a set that m divides, about one in m. It estimates resemblance and containment, and
// grows with the document. Whether it keeps a value depends only on that value, so common values can be dropped after
// sketching.
type modSketch struct {
	divisor Divisor
	sample  sample
}

func (s *modSketch) AddAll(values []uint64) {
	for _, v := range values {
		if s.divisor.Divides(v) {
			s.sample.add(v)
		}
	}
}

func (s *modSketch) Values() []uint64 { return s.sample.order() }
func (s *modSketch) Reset()           { s.sample.reset() }

// minSketch is MIN_s, the s smallest values of a set, or MIN_s of MOD_m, the s smallest of those that m divides. If
// there are fewer, it holds them all and estimates are exact. Its size does not grow with the document, so it estimates
// only resemblance: the containment of a small document in a large one would rest on few samples. Common values cannot
// be dropped from it, because the values that they displaced are gone.
//
// The samples are in a tree without repeats, as [S2] proposes. A heap with a hash table of its members takes a third of
// the time (56 ns instead of 148 for each of 1,000 values, 8 instead of 27 for each of 100,000). The tree takes a
// tenth of the time from text to sketch of a long document, and less than half for a short one.
type minSketch struct {
	divisor Divisor
	s       int
	tree    *btree.BTreeG[uint64]
	top     uint64 // the largest value, when s are held
}

func newMinSketch(m uint64, s int) *minSketch {
	return &minSketch{divisor: NewDivisor(m), s: s, tree: btree.NewOrderedG[uint64](32)}
}

func (m *minSketch) AddAll(values []uint64) {
	for _, v := range values {
		if m.divisor.Divides(v) && (m.tree.Len() < m.s || v < m.top) {
			m.put(v)
		}
	}
}

func (m *minSketch) put(v uint64) {
	m.tree.ReplaceOrInsert(v)
	if m.tree.Len() > m.s {
		m.tree.DeleteMax()
	}
	m.top, _ = m.tree.Max()
}

func (m *minSketch) Values() []uint64 {
	values := make([]uint64, 0, m.tree.Len())
	m.tree.Ascend(func(v uint64) bool {
		values = append(values, v)
		return true
	})
	return values
}

func (m *minSketch) Reset() { m.tree.Clear(true) }

// varSize is the intended maximum number of samples of V_i, which should hold 50 to 100 for a document of 50 shingles
// or more.
const varSize = 100

// varSketch is V_i of [S2] section 3: the values that a power of two divides. The power depends on the size of the
// document, so that the sketch neither grows with the document nor becomes empty. Documents of different sizes are
// compared at the coarser modulus. A chapter that is compared with its book then has few samples or none (70 % of the
// pairs of chapter and manual have none); MOD_m suits that.
//
// As printed, V_i has modulus 2^i for sizes from 100·2^i to 100·2^(i+1), which keeps 100 to 200 samples, while the text
// promises between 50 and 100 of them. This type keeps the promise: its modulus is 2^(i+1), and 1 below 100 shingles.
// The size is the number of values added, repeats included. Under option A that is the number of shingles; under
// option B, a document that repeats itself has fewer samples.
type varSketch struct {
	size   uint64
	sample sample
}

// varLevel returns the level for a document of the given size: the modulus is 2^level.
func varLevel(size uint64) int { return bits.Len64(size / varSize) }

func (s *varSketch) AddAll(values []uint64) {
	level := varLevel(s.size)
	s.size += uint64(len(values))
	mask := uint64(1)<<uint(varLevel(s.size)) - 1
	if varLevel(s.size) > level {
		s.sample.keep(func(v uint64) bool { return v&mask == 0 })
	}
	for _, v := range values {
		if v&mask == 0 {
			s.sample.add(v)
		}
	}
}

func (s *varSketch) Values() []uint64 { return s.sample.order() }

func (s *varSketch) Reset() {
	s.size = 0
	s.sample.reset()
}

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

// SuperShingles returns the super-shingles of a sketch ([S1] "super shingles"): the hash of every w consecutive
// samples. Documents that share one are probably similar, but a small document may share none with its near copy. The
// values are those of any sketch, in ascending order. Fewer than w values make one super-shingle; no values make none.
func SuperShingles(values []uint64, w int) []uint64 {
	if len(values) == 0 {
		return nil
	}
	w = min(max(w, 1), len(values))
	super := make([]uint64, 0, len(values)-w+1)
	for i := 0; i+w <= len(values); i++ {
		super = append(super, hashSamples(values[i:i+w]))
	}
	return super
}

// hashSamples returns a 64-bit hash of a sequence, which also depends on its length.
func hashSamples(values []uint64) uint64 {
	h := uint64(len(values))
	for _, v := range values {
		h = hashPart(h, v, 0)
	}
	return h
}

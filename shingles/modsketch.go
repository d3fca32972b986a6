package shingles

// DefaultM is the modulus of [S1].
const DefaultM = 25

// ModSketch is MOD_m: the values of a set that m divides, about one in m. It estimates resemblance and containment, and
// grows with the document. Common shingles can be dropped after sketching, because whether a value is kept depends on
// that value alone.
//
// The zero value is an empty sketch with m=25. The first method that reads the sketch after values were added sorts it
// and must not run concurrently with any other; later reads may.
type ModSketch struct {
	divisor divisor
	sample  sample
}

// NewModSketch returns an empty MOD_m; m=0 means DefaultM.
func NewModSketch(m uint64) *ModSketch {
	if m == 0 {
		m = DefaultM
	}
	return &ModSketch{divisor: newDivisor(m)}
}

// M returns the modulus.
func (s *ModSketch) M() uint64 {
	if s.divisor.m == 0 {
		s.divisor = newDivisor(DefaultM)
	}
	return s.divisor.m
}

// Add adds one value.
func (s *ModSketch) Add(v uint64) { s.AddAll([]uint64{v}) }

// AddAll adds values.
func (s *ModSketch) AddAll(values []uint64) {
	s.M()
	d := s.divisor
	for _, v := range values {
		if d.divides(v) {
			s.put(v)
		}
	}
}

func (s *ModSketch) put(v uint64) {
	if len(s.sample.values) == cap(s.sample.values) {
		s.sample.room()
	}
	s.sample.values = append(s.sample.values, v)
}

// Merge makes s the sketch of the union of both sets.
func (s *ModSketch) Merge(b *ModSketch) error {
	if s.M() != b.M() {
		return ErrMismatch
	}
	s.sample.union(b.Values())
	return nil
}

// Drop removes common values and returns their number. What is left is the sketch of the set without them.
func (s *ModSketch) Drop(common func(value uint64) bool) int { return drop(&s.sample, common) }

// Values returns the samples in ascending order. They belong to the sketch.
func (s *ModSketch) Values() []uint64 { return s.sample.order() }

// Len returns the number of samples.
func (s *ModSketch) Len() int { return len(s.Values()) }

// Reset empties the sketch and keeps its memory.
func (s *ModSketch) Reset() { s.sample.reset() }

// Estimate compares the samples of two documents, in time linear in their number. If there is an estimate, it is
// unbiased ([S2] section 3).
func (s *ModSketch) Estimate(b *ModSketch) (Overlap, error) {
	if s.M() != b.M() {
		return Overlap{}, ErrMismatch
	}
	return overlap(s.Values(), b.Values(), all), nil
}

// ContainmentCorrected estimates the share of s's set, of size sizeA, that is in b's. The estimate for an empty sketch
// is 0; to make up for that, the other estimates are divided by the probability that a sketch is not empty,
// 1-(1-1/m)^sizeA. This is unbiased over permutations, but a single estimate may exceed 1. For one pair of small
// documents use Overlap.Containment, which reports when it does not know.
func (s *ModSketch) ContainmentCorrected(b *ModSketch, sizeA int) (float64, error) {
	o, err := s.Estimate(b)
	c, _ := o.Containment()
	return corrected(c, s.M(), sizeA), err
}

// ResemblanceCorrected estimates the resemblance in the same way; sizeUnion is the size of the union of both sets.
func (s *ModSketch) ResemblanceCorrected(b *ModSketch, sizeUnion int) (float64, error) {
	o, err := s.Estimate(b)
	r, _ := o.Resemblance()
	return corrected(r, s.M(), sizeUnion), err
}

func corrected(estimate float64, m uint64, size int) float64 {
	if size <= 0 {
		return 0
	}
	return estimate / Presence(m, size)
}

package shingles

// DefaultM is the modulus of [S1].
const DefaultM = 25

// ModSketch is MOD_m: the values of a set that m divides, about one in m. It
// estimates resemblance and containment, and grows with the document. Common
// shingles can be dropped after sketching, since whether a value is kept depends
// on that value alone.
//
// The zero value is an empty sketch with m=25. The first reading after adding puts
// the sketch in order and must not run together with another; later ones may.
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

// Drop removes common values and returns how many these were. The sketch is then
// that of the set without them.
func (s *ModSketch) Drop(common func(value uint64) bool) int { return drop(&s.sample, common) }

// Values returns the sample in ascending order; it belongs to the sketch.
func (s *ModSketch) Values() []uint64 { return s.sample.order() }

// Len returns the number of samples.
func (s *ModSketch) Len() int { return len(s.Values()) }

// Reset empties the sketch and keeps its memory.
func (s *ModSketch) Reset() { s.sample.reset() }

// Estimate compares the samples of two documents, in time linear in them. The
// estimates in it are unbiased whenever there is one ([S2] section 3).
func (s *ModSketch) Estimate(b *ModSketch) (Overlap, error) {
	if s.M() != b.M() {
		return Overlap{}, ErrMismatch
	}
	return overlap(s.Values(), b.Values(), all), nil
}

// ContainmentCorrected estimates the share of s's set, of size sizeA, that is in
// b's, and has an estimate for an empty sketch too: it counts as 0, and all are
// divided by the probability of not being empty, 1-(1-1/m)^sizeA. That is
// unbiased over permutations; a single estimate may exceed 1. For one pair of
// small documents take Overlap.Containment, which says when it does not know.
func (s *ModSketch) ContainmentCorrected(b *ModSketch, sizeA int) (float64, error) {
	o, err := s.Estimate(b)
	c, _ := o.Containment()
	return corrected(c, s.M(), sizeA), err
}

// ResemblanceCorrected is the same for the resemblance, where sizeUnion is the
// size of the union of both sets.
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

package shingles

// MinModSketch is MIN_s of MOD_m: the s smallest of the values that m divides. The sketch of a short document holds one
// shingle in m, that of a long one at most s. As with MinSketch, common shingles cannot be dropped afterwards.
//
// The zero value is an empty sketch with m=25 and s=200.
type MinModSketch struct {
	divisor divisor
	min     MinSketch
}

// NewMinModSketch returns an empty sketch; 0 means DefaultM and DefaultS.
func NewMinModSketch(m uint64, s int) *MinModSketch {
	if m == 0 {
		m = DefaultM
	}
	return &MinModSketch{divisor: newDivisor(m), min: MinSketch{s: clampS(s)}}
}

// M returns the modulus.
func (s *MinModSketch) M() uint64 {
	if s.divisor.m == 0 {
		s.divisor = newDivisor(DefaultM)
	}
	return s.divisor.m
}

// S returns the largest number of samples.
func (s *MinModSketch) S() int { return s.min.S() }

// Add adds one value.
func (s *MinModSketch) Add(v uint64) { s.AddAll([]uint64{v}) }

// AddAll adds values.
func (s *MinModSketch) AddAll(values []uint64) {
	s.M()
	d, most := s.divisor, s.S()
	for _, v := range values {
		if d.divides(v) && (len(s.min.heap) < most || v < s.min.heap[0]) {
			s.min.put(v, most)
		}
	}
}

// Merge makes s the sketch of the union of both sets.
func (s *MinModSketch) Merge(b *MinModSketch) error {
	if s.M() != b.M() {
		return ErrMismatch
	}
	return s.min.Merge(&b.min)
}

// Values returns the sample in ascending order; it belongs to the sketch.
func (s *MinModSketch) Values() []uint64 { return s.min.Values() }

// Len returns the number of samples.
func (s *MinModSketch) Len() int { return s.min.Len() }

// Reset empties the sketch and keeps its memory.
func (s *MinModSketch) Reset() { s.min.Reset() }

// Estimate compares the smallest samples of the union of both sets.
func (s *MinModSketch) Estimate(b *MinModSketch) (Overlap, error) {
	if s.M() != b.M() {
		return Overlap{}, ErrMismatch
	}
	return s.min.Estimate(&b.min)
}

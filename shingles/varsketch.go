package shingles

import "math/bits"

// VarSize is the number of samples that VarSketch aims at: it is expected to hold 50 to 100 of a document of 50
// shingles or more.
const VarSize = 100

// VarSketch is V_i of [S2] section 3: the values that a power of two divides. The power depends on the size of the
// document, so that the sketch neither grows with the document nor becomes empty. Documents of different sizes are
// compared at the coarser modulus. A chapter that is compared with its book then has few samples or none (70 % of the
// pairs of chapter and manual have none); use ModSketch for that.
//
// As printed, V_i has modulus 2^i for sizes from 100·2^i to 100·2^(i+1), which keeps 100 to 200 samples, while the text
// promises between 50 and 100 of them. This type keeps the promise: its modulus is 2^(i+1), and 1 below 100 shingles.
// The size is the number of values added, repeats included. Under option A that is the number of shingles; under
// option B, a document that repeats itself has fewer samples.
//
// The zero value is an empty sketch. The first method that reads the sketch after values were added must not run
// concurrently with any other; later reads may.
type VarSketch struct {
	level  int // the modulus is 2^level
	size   uint64
	sample sample
}

// NewVarSketch returns an empty sketch whose modulus suits a document of the given size, or 0 if the size is not known
// yet.
func NewVarSketch(size uint64) *VarSketch { return &VarSketch{level: VarLevel(size)} }

// VarLevel returns the level for a document of the given size: the modulus is 2^level.
func VarLevel(size uint64) int { return bits.Len64(size / VarSize) }

// Level returns the level of the sketch.
func (s *VarSketch) Level() int { return s.level }

// Size returns the number of values added.
func (s *VarSketch) Size() uint64 { return s.size }

// Add adds one value.
func (s *VarSketch) Add(v uint64) { s.AddAll([]uint64{v}) }

// AddAll adds values and coarsens the sketch when the document has outgrown its modulus.
func (s *VarSketch) AddAll(values []uint64) {
	s.size += uint64(len(values))
	s.coarsenTo(VarLevel(s.size))
	mask := uint64(1)<<uint(s.level) - 1
	for _, v := range values {
		if v&mask == 0 {
			s.put(v)
		}
	}
}

func (s *VarSketch) put(v uint64) {
	if len(s.sample.values) == cap(s.sample.values) {
		s.sample.room()
	}
	s.sample.values = append(s.sample.values, v)
}

// Coarsen turns V_i into V_(i+1): it doubles the modulus.
func (s *VarSketch) Coarsen() { s.coarsenTo(s.level + 1) }

func (s *VarSketch) coarsenTo(level int) {
	if level <= s.level || level > 63 {
		return
	}
	s.level = level
	mask := uint64(1)<<uint(level) - 1
	s.sample.keep(func(v uint64) bool { return v&mask == 0 })
}

// Merge makes s the sketch of the union of both sets, with the larger modulus and size of the two. As many samples as
// in both may remain; Coarsen halves them.
func (s *VarSketch) Merge(b *VarSketch) {
	s.coarsenTo(b.level)
	s.size = max(s.size, b.size)
	s.sample.union(b.at(s.level))
}

// Drop removes common values and returns their number.
func (s *VarSketch) Drop(common func(value uint64) bool) int { return drop(&s.sample, common) }

// Values returns the samples in ascending order. They belong to the sketch.
func (s *VarSketch) Values() []uint64 { return s.sample.order() }

// Len returns the number of samples.
func (s *VarSketch) Len() int { return len(s.Values()) }

// Reset empties the sketch and keeps its memory.
func (s *VarSketch) Reset() {
	s.level, s.size = 0, 0
	s.sample.reset()
}

// Estimate compares both samples at the coarser of the two levels.
func (s *VarSketch) Estimate(b *VarSketch) Overlap {
	level := max(s.level, b.level)
	return overlap(s.at(level), b.at(level), all)
}

// at returns the values of the sketch coarsened to a level.
func (s *VarSketch) at(level int) []uint64 { return coarsened(s.Values(), s.level, level) }

package shingles

import (
	"slices"

	"github.com/lshclust/lshclust/internal/scratch"
)

// sample is a set of values that grows by appending. The first part is sorted and distinct; the rest is in the order of
// arrival. When the slice is full, it is sorted, and it grows only if more than half of it was new. So repeats take no
// memory, and n values take O(n log n) time.
type sample struct {
	values []uint64
	sorted int
	files  *scratch.Pool // where large buffers grow
	spread spreader
}

const minSample = 64

// add adds one value.
func (s *sample) add(v uint64) {
	if len(s.values) == cap(s.values) {
		s.room()
	}
	s.values = append(s.values, v)
}

// room makes room for at least one more value.
func (s *sample) room() {
	s.order()
	if 2*len(s.values) >= cap(s.values) {
		s.values = scratch.Grow(s.files, s.values, max(minSample, cap(s.values)))
	}
}

// order returns all values in ascending order, without repeats.
func (s *sample) order() []uint64 {
	if s.sorted < len(s.values) {
		s.spread.sort(s.values)
		s.values = slices.Compact(s.values)
		s.sorted = len(s.values)
	}
	return s.values
}

// keep removes the values for which f is false.
func (s *sample) keep(f func(uint64) bool) {
	s.order()
	s.values = slices.DeleteFunc(s.values, func(v uint64) bool { return !f(v) })
	s.sorted = len(s.values)
}

func (s *sample) reset() { s.values, s.sorted = s.values[:0], 0 }

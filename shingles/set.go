package shingles

import (
	"slices"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Set is the set of all values of a document: it gives the exact figures that sketches estimate. The zero value is the
// empty set. As with sketches, the first method that reads the set (Values, Compare, Len) after an addition sorts it
// and must not run concurrently with any other; later reads may.
type Set struct{ sample sample }

// NewSet returns a set of the given values.
func NewSet(values ...uint64) *Set {
	s := new(Set)
	s.AddAll(values)
	return s
}

// Use makes the set allocate large buffers from room. Call Release after each document.
func (s *Set) Use(room *scratch.Pool) { s.sample.files = room }

// Release empties the set. Call it before freeing room.
func (s *Set) Release() {
	if s.sample.files.Large() {
		s.sample.values = nil
	}
	s.Reset()
}

// AddAll adds values.
func (s *Set) AddAll(values []uint64) {
	for len(values) > 0 {
		have := len(s.sample.values)
		if have == cap(s.sample.values) {
			s.sample.room()
			have = len(s.sample.values)
		}
		n := copy(s.sample.values[have:cap(s.sample.values)], values)
		s.sample.values, values = s.sample.values[:have+n], values[n:]
	}
}

// Add adds one value.
func (s *Set) Add(v uint64) { s.sample.add(v) }

// Values returns the values in ascending order. The caller must not change them.
func (s *Set) Values() []uint64 { return s.sample.order() }

// Len returns the size of the set.
func (s *Set) Len() int { return len(s.Values()) }

// Reset empties the set and keeps its memory.
func (s *Set) Reset() { s.sample.reset() }

// Compare counts the common values of the two sets, exactly.
func (s *Set) Compare(b *Set) Overlap { return overlap(s.Values(), b.Values(), all) }

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

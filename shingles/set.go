package shingles

import (
	"math/bits"
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

// spreader sorts values that look random, as those of shingles do: it spreads them over ranges of equal width, about
// one value each, and then moves each value a few places. That takes linear time; for other values, which crowd in a
// few ranges, it takes O(n log n). The zero value is ready to use.
type spreader struct {
	spread []uint64
	ends   []uint32 // of the ranges
}

const (
	minSpread = 48      // sort fewer values by comparison
	maxSpread = 1 << 16 // also sort more by comparison, so that a spreader takes at most 768 KiB
	crowded   = 24      // number of values in one range from which to sort it by comparison
)

// sort sorts values in ascending order.
func (s *spreader) sort(values []uint64) {
	n := len(values)
	if n < minSpread || n > maxSpread {
		slices.Sort(values)
		return
	}
	set := uint64(0)
	for _, v := range values {
		set |= v
	}
	width := bits.Len(uint(n - 1)) // of the number of a range
	shift := uint(max(0, bits.Len64(set)-width)) & 63
	s.room(n, 1<<width)
	spread, ends := s.spread, s.ends
	for _, v := range values {
		ends[v>>shift]++
	}
	sum, most := uint32(0), uint32(0)
	for i, count := range ends {
		ends[i] = sum // the start of the range, which becomes its end
		sum += count
		most = max(most, count)
	}
	for _, v := range values {
		end := &ends[v>>shift]
		spread[*end] = v
		*end++
	}
	if most >= crowded {
		s.sortCrowded()
	}
	insert(values, spread)
}

// room makes room for n values and for the ends of ranges, which it sets to 0.
func (s *spreader) room(n, ranges int) {
	s.spread = slices.Grow(s.spread[:0], n)[:n]
	s.ends = slices.Grow(s.ends[:0], ranges)[:ranges]
	clear(s.ends)
}

// sortCrowded sorts the ranges with many values.
func (s *spreader) sortCrowded() {
	start := uint32(0)
	for _, end := range s.ends {
		if end-start >= crowded {
			slices.Sort(s.spread[start:end])
		}
		start = end
	}
}

// insert copies values, which are nearly sorted, to dst and sorts them.
func insert(dst, values []uint64) {
	dst = dst[:len(values)]
	for i, v := range values {
		for i > 0 && dst[i-1] > v {
			dst[i] = dst[i-1]
			i--
		}
		dst[i] = v
	}
}

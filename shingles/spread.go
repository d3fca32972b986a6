package shingles

import (
	"math/bits"
	"slices"
)

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

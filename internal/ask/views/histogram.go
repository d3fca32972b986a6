package views

import "math"

// Histogram counts pairs by two similarities x and y from 0 to 1. Each axis has a bin for exactly 0, number 0, and then
// bins of equal width: (0, w), [w, 2w) … [1-w, 1].
type Histogram struct {
	Bins   int        // of equal width on an axis, not counting the bin for 0
	Counts [][]uint64 // Counts[x][y], Bins+1 each way
}

// NewHistogram returns an empty histogram with the given number of bins of equal width on each axis, at least 1.
func NewHistogram(bins int) *Histogram {
	h := &Histogram{Bins: max(1, bins)}
	h.Counts = make([][]uint64, h.Bins+1)
	for i := range h.Counts {
		h.Counts[i] = make([]uint64, h.Bins+1)
	}
	return h
}

// Add counts a pair.
func (h *Histogram) Add(x, y float64) { h.Counts[h.Bin(x)][h.Bin(y)]++ }

// Bin returns the number of the bin of a value. A value outside 0 to 1 is in the nearest bin, NaN in the bin for 0. A
// value on a border, such as 0.3, is in the bin above it, even if it was rounded down.
func (h *Histogram) Bin(v float64) int {
	if !(v > 0) {
		return 0
	}
	return 1 + min(h.Bins-1, int(math.Floor(min(v, 1)*float64(h.Bins)+1e-9)))
}

// From returns the lower border of a bin, which is 0 for the bins 0 and 1.
func (h *Histogram) From(bin int) float64 { return float64(max(0, bin-1)) / float64(h.Bins) }

package query

import (
	"math/rand/v2"
	"slices"
)

// Nodes returns the number of nodes, that is of distinct bags that are not empty.
func (r *Run) Nodes() int {
	if r.nodes == nil {
		return 0
	}
	return r.nodes.Len()
}

// SampleNodes draws n distinct nodes, or all if there are fewer, and returns them in ascending order. The same seed
// yields the same nodes.
func (r *Run) SampleNodes(n int, seed uint64) []uint32 {
	return draw(r.Nodes(), n, seed)
}

// SampleDocuments is like SampleNodes for documents whose bags are not empty.
func (r *Run) SampleDocuments(n int, seed uint64) []uint32 {
	if r.nodes == nil {
		return nil
	}
	var full []uint32
	for id := range uint32(r.nodes.Documents()) {
		if int64(r.nodes.Of(id)) < int64(r.nodes.Len()) {
			full = append(full, id)
		}
	}
	chosen := draw(len(full), n, seed)
	for i, at := range chosen {
		chosen[i] = full[at]
	}
	return chosen
}

// draw chooses n of the numbers below all by Floyd's algorithm and returns them in ascending order.
func draw(all, n int, seed uint64) []uint32 {
	n = max(0, min(n, all))
	random := rand.New(rand.NewPCG(seed, 0x73616d706c65))
	seen := make(map[uint32]bool, n)
	out := make([]uint32, 0, n)
	for top := all - n; top < all; top++ {
		x := uint32(random.IntN(top + 1))
		if seen[x] {
			x = uint32(top)
		}
		seen[x] = true
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

package topics

import (
	"math/rand/v2"
	"slices"

	"github.com/lshclust/lshclust/internal/runs"
)

// sampleDocuments draws n documents whose bags are not empty, or all if there are fewer.
func sampleDocuments(r *runs.Run, n int, seed uint64) []uint32 {
	var full []uint32
	for id := range uint32(r.Len()) {
		if Bag(r, id).Len() > 0 {
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

package evaluate

import (
	"math/rand/v2"
	"slices"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// Draw draws n documents whose bags are not empty, or all if there are fewer, and returns them in ascending order. The same
// seed yields the same documents.
func Draw(r *runs.Run, n int, seed uint64) []uint32 {
	var full []uint32
	for id := range uint32(r.Len()) {
		if topics.Bag(r, id).Len() > 0 {
			full = append(full, id)
		}
	}
	n = min(n, len(full))
	random := rand.New(rand.NewPCG(seed, 0x73616d706c65))
	seen := make(map[int]bool, n)
	out := make([]uint32, 0, n)
	for top := len(full) - n; top < len(full); top++ { // Floyd's algorithm
		x := random.IntN(top + 1)
		if seen[x] {
			x = top
		}
		seen[x] = true
		out = append(out, full[x])
	}
	slices.Sort(out)
	return out
}

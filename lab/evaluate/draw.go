package evaluate

import (
	"math/rand/v2"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
)

// Draw draws n documents whose bags are not empty, or all if there are fewer, and returns them in ascending order. The same
// seed yields the same documents.
func Draw(r *query.Run, n int, seed uint64) []uint32 {
	var full []uint32
	for id := range uint32(r.Len()) {
		if r.Bag(id).Len() > 0 {
			full = append(full, id)
		}
	}
	rng := rand.New(rand.NewPCG(seed, 0x73616d706c65))
	rng.Shuffle(len(full), func(i, j int) { full[i], full[j] = full[j], full[i] })
	full = full[:min(n, len(full))]
	slices.Sort(full)
	return full
}

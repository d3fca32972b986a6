package query

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Nodes returns the number of nodes, that is of distinct bags that are not empty.
func (r *topicalView) Nodes() int {
	if r.nodes == nil {
		return 0
	}
	return r.nodes.Len()
}

// SampleNodes draws n distinct nodes, or all if there are fewer, and returns them in ascending order. The same seed
// yields the same nodes.
func (r *topicalView) SampleNodes(n int, seed uint64) []uint32 {
	return draw(r.Nodes(), n, seed)
}

// SampleDocuments is like SampleNodes for documents whose bags are not empty.
func (r *topicalView) SampleDocuments(n int, seed uint64) []uint32 {
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

// leastSample is the least number of nodes from which figures about a run can be estimated.
const leastSample = 30

// ErrSmall is wrapped by the error for a sample that is too small.
var ErrSmall = errors.New("too small to measure")

// Similar calls each for all pairs of a sampled node and another node, with their exact similarity, which is above 0,
// and whether the index of the run and its floor find the pair. It does not use the stored pairs. It returns the
// number of sampled nodes.
func (r *topicalView) Similar(ctx context.Context, sample int, seed uint64, each func(similarity float64, found bool)) (sampled int, err error) {
	if err := r.Need(config.Topical); err != nil {
		return 0, err
	}
	nodes := r.SampleNodes(sample, seed)
	if len(nodes) < leastSample {
		return 0, fmt.Errorf("a sample of %d distinct bags (the run has %d) is %w: it needs at least %d", len(nodes), r.Nodes(), ErrSmall, leastSample)
	}
	candidates, err := r.index.Candidates(ctx, r.signed(), lsh.Config{MaxBucket: r.Config.MaxBucket, Reach: r.Config.Reach}, nodes)
	if err != nil {
		return 0, err
	}
	least := lsh.Least(r.Config.Floor, r.Config.Signatures)
	var near []inverted.Hit
	for i, node := range nodes {
		near = r.similarNodes(near[:0], node, 0)
		for _, s := range near {
			_, found := slices.BinarySearch(candidates[i], s.Node)
			each(s.Similarity, found && minhash.Agreement(r.signed().Row(int(node)), r.signed().Row(int(s.Node))) >= least)
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return len(nodes), nil
}

package query

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// leastSample is the smallest number of nodes from which figures about a run can be estimated.
const leastSample = 30

// ErrSmall is wrapped by the error for a sample that is too small.
var ErrSmall = errors.New("too small to measure")

// Similar calls each for all pairs of a sampled node with another node: their exact similarity, which is above 0, and
// whether the index of the run and its floor find the pair. It does not use the pairs that the run stores. It returns the
// number of sampled nodes.
func (r *Run) Similar(ctx context.Context, sample int, seed uint64, each func(similarity float64, found bool)) (sampled int, err error) {
	if err := r.Need(config.Topical); err != nil {
		return 0, err
	}
	nodes := r.SampleNodes(sample, seed)
	if len(nodes) < leastSample {
		return 0, fmt.Errorf("a sample of %d distinct bags (the run has %d) is %w: it needs at least %d", len(nodes), r.Nodes(), ErrSmall, leastSample)
	}
	candidates, err := r.index.Candidates(ctx, r.sigs.All(), lsh.Config{MaxBucket: r.Config.MaxBucket, Reach: r.Config.Reach}, nodes)
	if err != nil {
		return 0, err
	}
	least := lsh.Least(r.Config.Floor, r.Config.Signatures)
	var near []inverted.Hit
	for i, node := range nodes {
		near = r.similarNodes(near[:0], node, 0)
		for _, s := range near {
			_, found := slices.BinarySearch(candidates[i], s.Node)
			each(s.Similarity, found && minhash.Agreement(r.sigs.Row(int(node)), r.sigs.Row(int(s.Node))) >= least)
		}
		if err := ctx.Err(); err != nil {
			return 0, err
		}
	}
	return len(nodes), nil
}

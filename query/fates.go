package query

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Loss is where a pair got lost on its way into the run, or that it did not.
type Loss uint8

// The ways of a pair, in the order in which they part.
const (
	Stored          Loss = iota // it is in the run
	NoKey                       // no key in common
	LargeBucket                 // keys in common only in buckets of more than max_bucket nodes, where not every pair is formed
	BelowFloor                  // fewer equal signatures than the floor asks for
	BelowSimilarity             // stored pairs are more similar
	NotNearest                  // among the best neighbours of neither
)

// Losses are all ways but Stored.
var Losses = []Loss{NoKey, LargeBucket, BelowFloor, BelowSimilarity, NotNearest}

// String names the way.
func (l Loss) String() string {
	return [...]string{"stored", "no-key", "large-bucket", "below-floor", "below-similarity", "not-nearest"}[l]
}

// Fate is what became of the pair of a node and another one.
type Fate struct {
	Other      uint32
	Similarity float64 // exact
	Agreement  int     // equal signatures
	Loss       Loss
}

// Fates tells for some nodes what became of every pair with another node of the least similarity or more: exact finds
// them, and the pairs that the keys form are formed anew. each is called node by node, in their order; the slice is good
// until it returns.
func (r *Run) Fates(ctx context.Context, exact *Exact, nodes []uint32, least float64, each func(node uint32, fates []Fate) error) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	c := r.Config
	formed, err := r.index.Candidates(ctx, r.sigs.All(), lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach}, nodes)
	if err != nil {
		return err
	}
	var near []Similar
	var fates []Fate
	for i, node := range nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		near, fates = exact.Nodes(near[:0], node, least), fates[:0]
		for _, s := range near {
			fates = append(fates, r.fate(node, s, formed[i]))
		}
		if err := each(node, fates); err != nil {
			return err
		}
	}
	return nil
}

// fate follows one pair; formed are the nodes with which the keys form a pair, ascending.
func (r *Run) fate(node uint32, s Similar, formed []uint32) Fate {
	equal := minhash.Mask(r.sigs.Row(int(node)), r.sigs.Row(int(s.ID)))
	f := Fate{Other: s.ID, Similarity: s.Similarity, Agreement: equal.Count()}
	_, stored := slices.BinarySearchFunc(r.pairs.Neighbours(node), s.ID, func(e center.Edge, id uint32) int { return int(e.To) - int(id) })
	_, candidate := slices.BinarySearch(formed, s.ID)
	switch {
	case stored:
		f.Loss = Stored
	case !r.index.Meets(equal):
		f.Loss = NoKey
	case !candidate:
		f.Loss = LargeBucket
	case f.Agreement < lsh.Least(r.Config.Floor, r.Config.Signatures):
		f.Loss = BelowFloor
	case s.Similarity < r.Config.Similarity:
		f.Loss = BelowSimilarity
	default:
		f.Loss = NotNearest
	}
	return f
}

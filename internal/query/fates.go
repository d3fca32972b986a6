package query

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Loss is the reason why a pair is not in the run, or Stored.
type Loss uint8

// Reasons. For a run that stores all pairs, they are tested in this order, in which the stages apply them. For a run
// that stores the nearest neighbours, BelowSimilarity and NotNearest are tested first, because they hold whether or
// not the index or expansion found the pair; the other reasons then also mean that expansion did not add it.
const (
	Stored          Loss = iota // the pair is in the run
	NoKey                       // the two have no common key
	LargeBucket                 // they have common keys only in buckets larger than Config.MaxBucket, where not every pair is formed
	BelowFloor                  // their agreement is below Config.Floor
	BelowSimilarity             // their similarity is below Config.Similarity
	NotNearest                  // both have Config.Neighbours, and Config.Apart, nearer ones, or enough candidates with more agreement
)

// Losses lists every Loss but Stored.
var Losses = []Loss{NoKey, LargeBucket, BelowFloor, BelowSimilarity, NotNearest}

// String returns the name of the loss.
func (l Loss) String() string {
	return [...]string{"stored", "no-key", "large-bucket", "below-floor", "below-similarity", "not-nearest"}[l]
}

// Fate is what became of a pair of nodes: stored, or the reason why not.
type Fate struct {
	Other      uint32
	Similarity float64 // exact
	Agreement  int     // equal signatures
	Key        bool    // whether the two have a common key
	Formed     bool    // whether the index forms the pair; expansion may add others
	Loss       Loss
}

// Fates finds the fate of every pair of the given nodes with at least the given similarity. It finds these pairs in
// the inverted lists, and computes again which of them the keys form. It calls each for every node in order; the
// slice is valid until each returns.
func (r *Run) Fates(ctx context.Context, nodes []uint32, least float64, each func(node uint32, fates []Fate) error) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	c := r.Config
	formed, err := r.index.Candidates(ctx, Memo(r, r.signAll), lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach}, nodes)
	if err != nil {
		return err
	}
	var near []inverted.Hit
	var fates []Fate
	for i, node := range nodes {
		if err := ctx.Err(); err != nil {
			return err
		}
		near, fates = r.similarNodes(near[:0], node, least), fates[:0]
		for _, s := range near {
			fates = append(fates, r.fate(node, s, formed[i]))
		}
		if err := each(node, fates); err != nil {
			return err
		}
	}
	return nil
}

// fate returns the fate of one pair. formed holds the nodes with which the keys form a pair, ascending.
func (r *Run) fate(node uint32, s inverted.Hit, formed []uint32) Fate {
	equal := minhash.Mask(Memo(r, r.signAll).Row(int(node)), Memo(r, r.signAll).Row(int(s.Node)))
	f := Fate{Other: s.Node, Similarity: s.Similarity, Agreement: equal.Count()}
	_, stored := r.edge(node, s.Node)
	f.Key = r.index.Meets(equal)
	_, f.Formed = slices.BinarySearch(formed, s.Node)
	unlike, nearest := s.Similarity < r.Config.Similarity, r.Config.Neighbours > 0
	switch {
	case stored:
		f.Loss = Stored
	case nearest && unlike:
		f.Loss = BelowSimilarity
	case nearest && r.crowded(node, s.Node, s.Similarity) && r.crowded(s.Node, node, s.Similarity):
		f.Loss = NotNearest
	case !f.Key:
		f.Loss = NoKey
	case !f.Formed:
		f.Loss = LargeBucket
	case f.Agreement < lsh.Least(r.Config.Floor, r.Config.Signatures):
		f.Loss = BelowFloor
	case unlike:
		f.Loss = BelowSimilarity
	default:
		f.Loss = NotNearest
	}
	return f
}

package query

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/tables"
)

// Stored reports whether the run stores the pair of two canonical URLs in the topical view, and with which similarity.
// Documents with the same bag are stored as one node, and their similarity is 1. Stored returns [ErrUnknown] if the run
// holds no document of one of the URLs.
func (r *Run) Stored(a, b string) (similarity float32, ok bool, err error) {
	x, okA := r.docs.Find(a)
	y, okB := r.docs.Find(b)
	if !okA || !okB {
		return 0, false, ErrUnknown
	}
	from, to := r.nodes.Of(x), r.nodes.Of(y)
	switch {
	case from == tables.None || to == tables.None:
		return 0, false, r.set.Err()
	case from == to:
		return 1, true, r.set.Err()
	}
	edges := r.pairs.Neighbours(from)
	i, ok := slices.BinarySearchFunc(edges, to, func(e center.Edge, to uint32) int { return cmp.Compare(e.To, to) })
	if ok {
		similarity = edges[i].Similarity
	}
	return similarity, ok, r.set.Err()
}

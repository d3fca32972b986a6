package query

import (
	"cmp"
	"slices"
	"sort"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// Stored reports whether the topical view stores the pair of two canonical URLs, and its similarity. Documents with
// the same bag are stored as one node and have similarity 1. Stored returns [ErrUnknown] if either URL has no
// document.
func (r *Run) Stored(a, b string) (similarity float32, ok bool, err error) {
	x, okA := r.docs.Find(a)
	y, okB := r.docs.Find(b)
	if !okA || !okB {
		return 0, false, ErrUnknown
	}
	from, to := r.nodes.Of(x), r.nodes.Of(y)
	if similarity, ok = r.edge(from, to); from == to && from != tables.None {
		similarity, ok = 1, true
	}
	return similarity, ok, r.set.Err()
}

// edge finds the stored pair of two nodes.
func (r *Run) edge(from, to uint32) (similarity float32, ok bool) {
	if from == tables.None || to == tables.None {
		return 0, false
	}
	list := r.pairs.Neighbours(from)
	i, ok := slices.BinarySearchFunc(list, to, func(e center.Edge, to uint32) int { return cmp.Compare(e.To, to) })
	if ok {
		similarity = list[i].Similarity
	}
	return similarity, ok
}

// StoredTexts returns the pair of the texts of two documents if the run has found it, with the estimate from the
// samples, and with exact figures unless the run keeps sketches. Equal pages are a pair. The cost does not depend on
// the number of pairs.
func (r *Run) StoredTexts(this, other uint32) (d Duplicate, ok bool, err error) {
	a, err := r.page(this)
	if err != nil {
		return d, false, err
	}
	b, err := r.page(other)
	if err != nil {
		return d, false, err
	}
	if relation, equal := r.equal.Between(a, b); equal {
		return r.named(identical(relation), b), true, nil
	}
	from := r.equal.Representative(a)
	p, ok := r.similarPair(from, r.equal.Representative(b))
	if !ok {
		return d, false, r.set.Err()
	}
	if p.A != from {
		p = p.Swap()
	}
	return r.named(r.similarPage(p), b), true, nil
}

// similarPair finds the stored pair of two representatives.
func (r *Run) similarPair(a, b uint32) (p resemble.Pair, ok bool) {
	low, high := min(a, b), max(a, b)
	i, ok := sort.Find(r.similar.Len(), func(i int) int {
		p := r.similar.At(i)
		return cmp.Or(cmp.Compare(low, p.A), cmp.Compare(high, p.B))
	})
	if ok {
		p = r.similar.At(i)
	}
	return p, ok
}

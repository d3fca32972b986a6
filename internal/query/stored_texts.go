package query

import (
	"cmp"
	"sort"
)

// StoredTexts returns the pair of the texts of two documents if the run has found it, with the estimate that the samples
// gave, and exact figures unless the run keeps sketches. Pages that equal each other are a pair. Its cost does not
// depend on the number of pairs.
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
	from, to := r.equal.Representative(a), r.equal.Representative(b)
	low, high := min(from, to), max(from, to)
	i, ok := sort.Find(r.similar.Len(), func(i int) int {
		p := r.similar.At(i)
		return cmp.Or(cmp.Compare(low, p.A), cmp.Compare(high, p.B))
	})
	if !ok {
		return d, false, r.set.Err()
	}
	p := r.similar.At(i)
	if p.A != from {
		p = p.Swap()
	}
	return r.named(r.similarPage(p), b), true, nil
}

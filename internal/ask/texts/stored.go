package texts

import "github.com/lshclust/lshclust/internal/runs"

// StoredTexts returns the pair of the texts of two documents if the run has found it, with the estimate from the
// samples, and with exact figures unless the run keeps sketches. Equal pages are a pair. The cost does not depend on
// the number of pairs.
func StoredTexts(r *runs.Run, this, other uint32) (d Duplicate, ok bool, err error) {
	a, err := r.PageOf(this)
	if err != nil {
		return d, false, err
	}
	b, err := r.PageOf(other)
	if err != nil {
		return d, false, err
	}
	if relation, equal := r.Equal.Between(a, b); equal {
		return named(r, Identical(relation), b), true, nil
	}
	from := r.Equal.Representative(a)
	p, ok := r.Similar.Find(from, r.Equal.Representative(b))
	if !ok {
		return d, false, r.Err()
	}
	if p.A != from {
		p = p.Swap()
	}
	return named(r, similarPage(r, p), b), true, nil
}

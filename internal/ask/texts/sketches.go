package texts

import (
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// pair compares two pages, exactly if the run keeps whole sets.
func pair(r *runs.Run, a, b uint32) resemble.Pair {
	return resemble.Compare(r.Pages, r.Boilerplate, a, b)
}

// Figures returns page B of a pair as a duplicate of page A. Containments that the sketches do not estimate are
// unknown.
func Figures(r *runs.Run, p resemble.Pair) Duplicate {
	d := OverlapOf(p.Overlap())
	if !r.Sketched() || !p.Estimated() {
		return d
	}
	d.Estimated, d.Samples, d.StdErr = true, p.Sample.Union(), p.Sample.StdErr()
	if !runs.Containment(r) {
		d.ThisInOther, d.OtherInThis = UnknownShare, UnknownShare
	}
	return d
}

// Stored returns the sketch of a page, given its samples without boilerplate.
func Stored(r *runs.Run, page uint32, values []uint64) shingles.Stored {
	return shingles.Stored{Values: values, Size: r.Pages.Size(page)}
}

// sketchOf returns the shingles, or the sketch, of a document to search for.
func sketchOf(r *runs.Run, set *shingles.Set) shingles.Stored {
	out := shingles.Stored{Values: set.Values(), Size: set.Len()}
	if r.Sketched() {
		s := r.Pages.Sketcher().New()
		s.AddAll(out.Values)
		out.Values = s.Values()
	}
	return out
}

// StoredTexts returns the pair of the texts of two documents if the run has found it, with the estimate from the
// samples, and with exact figures unless the run keeps sketches. Equal pages are a pair. The cost does not depend on
// the number of pairs.
func StoredTexts(r *runs.Run, this, other uint32) (d Duplicate, ok bool, err error) {
	a, b, err := pagesOf(r, this, other)
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

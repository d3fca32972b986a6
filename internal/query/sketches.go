package query

import (
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// In a run that keeps sketches, every figure of the syntactic view is an estimate from the samples of two pages, made
// as their kind requires. Only equality of pages is exact.

// ErrSketches is wrapped by the errors for questions that require whole sets of shingles.
var ErrSketches = errors.New("the run keeps sketches of its pages, not the sets of their shingles")

// Sketches describes the sketches that the run keeps, such as "MOD_25". It is empty if the run keeps whole sets.
func (r *Run) Sketches() string {
	if !r.sketched() {
		return ""
	}
	return r.pages.Sketcher().String()
}

func (r *Run) sketched() bool { return r.pages != nil && r.pages.Sketched() }

// NeedShingles returns an error unless the run keeps whole sets of shingles, which what requires.
func (r *Run) NeedShingles(what string) error {
	if !r.sketched() {
		return nil
	}
	return fmt.Errorf("%s: %w; build one with --set keep=shingles", what, ErrSketches)
}

// NeedContainment returns an error unless the run knows or estimates containment.
func (r *Run) NeedContainment() error {
	if r.containment() {
		return nil
	}
	return fmt.Errorf("containment is not known: %w, and sketches %s estimate resemblance only; build one with --set sketch=mod or var, or with --set keep=shingles", ErrSketches, r.Sketches())
}

func (r *Run) containment() bool {
	return !r.sketched() || r.pages.Sketcher().Kind.Containment()
}

// pair compares two pages, exactly if the run keeps whole sets.
func (r *Run) pair(a, b uint32) resemble.Pair {
	return resemble.Compare(r.pages, r.strip, a, b)
}

// figures returns page B of a pair as a duplicate of page A. Containments that the sketches do not estimate are
// unknown.
func (r *Run) figures(p resemble.Pair) Duplicate {
	d := overlapOf(p.Overlap())
	if !r.sketched() || !p.Estimated() {
		return d
	}
	d.Estimated, d.Samples, d.StdErr = true, p.Sample.Union(), p.Sample.StdErr()
	if !r.containment() {
		d.OfThis, d.OfOther = unknown, unknown
	}
	return d
}

// stored returns the sketch of a page, given its samples without boilerplate.
func (r *Run) stored(page uint32, values []uint64) shingles.Stored {
	return shingles.Stored{Values: values, Size: r.pages.Size(page)}
}

// document returns the shingles, or the sketch, of a document to search for.
func (r *Run) document(set *shingles.Set) shingles.Stored {
	out := shingles.Stored{Values: set.Values(), Size: set.Len()}
	if r.sketched() {
		s := r.pages.Sketcher().New()
		s.AddAll(out.Values)
		out.Values = s.Values()
	}
	return out
}

// checkSketch checks that the sketch of a page is of the kind that the run keeps.
func (r *Run) checkSketch(page uint32) error {
	if s := r.stored(page, r.pages.Values(page)); r.sketched() && !r.pages.Sketcher().Valid(s) {
		return fmt.Errorf("page %d: its %d samples of %d shingles are no sketch %s", page, len(s.Values), s.Size, r.Sketches())
	}
	return nil
}

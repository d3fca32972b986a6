package runs

import (
	"errors"
	"fmt"
)

// In a run that keeps sketches, every figure of the syntactic view is an estimate from the samples of two pages, made
// as their kind requires. Only equality of pages is exact.

// ErrSketches is wrapped by the errors for questions that require whole sets of shingles.
var ErrSketches = errors.New("the run keeps sketches of its pages, not the sets of their shingles")

// Sketches describes the sketches that the run keeps, such as "MOD_25". It is empty if the run keeps whole sets.
func Sketches(r *Run) string {
	if !r.Sketched() {
		return ""
	}
	return r.Pages.Sketcher().String()
}

// Sketched reports whether the run keeps sketches of its pages in place of whole sets of shingles.
func (r *Run) Sketched() bool { return r.Pages != nil && r.Pages.Sketched() }

// NeedShingles returns an error unless the run keeps whole sets of shingles, which what requires.
func NeedShingles(r *Run, what string) error {
	if !r.Sketched() {
		return nil
	}
	return fmt.Errorf("%s: %w; build one without --set sketch", what, ErrSketches)
}

// NeedContainment returns an error unless the run knows or estimates containment.
func NeedContainment(r *Run) error {
	if Containment(r) {
		return nil
	}
	return fmt.Errorf("containment is not known: %w, and sketches %s estimate resemblance only; build one with --set sketch=mod or var, or without sketch", ErrSketches, Sketches(r))
}

// Containment reports whether the run knows or estimates containment.
func Containment(r *Run) bool {
	return !r.Sketched() || r.Pages.Sketcher().Kind.Containment()
}

package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/run"
)

// exportSyntacticPairs writes the pairs of the syntactic view, with the columns that estimates have if it has been made
// from sketches.
func exportSyntacticPairs(w io.Writer, path string, o *output) error {
	estimates, err := run.HasColumn(path, "estimated")
	switch {
	case err != nil:
		return err
	case estimates:
		return exportTable[run.SyntacticEstimateRow](w, path, o)
	}
	return exportTable[run.SyntacticPairRow](w, path, o)
}

// sketchOf describes the sketch of a document, or returns "" if the run keeps whole sets of shingles.
func sketchOf(r *query.Run, id uint32) string {
	samples, leftOut, err := r.Boilerplate(id)
	if err != nil || r.Sketches() == "" {
		return ""
	}
	return fmt.Sprintf("%s in its sketch %s%s; figures are estimates, with the standard error of the resemblance", count(samples, "sample"), r.Sketches(), boilerplateLeftOut(leftOut))
}

// columns returns duplicateColumns, with further columns for estimates.
func (d *duplicateRows) columns() []string {
	if d.estimates {
		return append(slices.Clip(duplicateColumns), "estimated", "std_error")
	}
	return duplicateColumns
}

// row returns the row of a page that is similar to another one. Shares that the sketches do not estimate are nil.
func (d *duplicateRows) row(of string, x query.Duplicate) []any {
	row := []any{of, x.URL, x.Relation, x.Resemblance, x.OfThis, x.OfOther, x.Estimate, x.Samples}
	if d.estimates {
		row = append(row, x.Estimated, x.StdErr)
	}
	if d.untold(x) {
		row[4], row[5] = nil, nil
	}
	return row
}

// untold reports whether the sketches of x and the page that it is like tell nothing of containment.
func (d *duplicateRows) untold(x query.Duplicate) bool { return d.resemblanceOnly && x.Estimated }

// shareCell formats the share of a page that is in another one, for the table.
func (d *duplicateRows) shareCell(x query.Duplicate, share float64) string {
	if d.untold(x) {
		return "-"
	}
	return fmt.Sprintf("%.4f", share)
}

// noteSketches tells people that the figures of the syntactic view are estimates, if they are.
func noteSketches(r *query.Run) {
	switch {
	case r.Sketches() == "":
	case r.NeedContainment() != nil:
		say("note: the run keeps sketches %s: resemblance is an estimate, and containment is not known", r.Sketches())
	default:
		say("note: the run keeps sketches %s: resemblance and containment are estimates", r.Sketches())
	}
}

// sketchColumn returns the heading of the column of sketchCell.
func sketchColumn(estimates bool) string {
	if estimates {
		return "std error"
	}
	return "by sketch"
}

// sketchCell formats the number of samples with the estimate, if the figure is exact, or with its standard error.
func sketchCell(x query.Duplicate) string {
	if x.Estimated {
		return fmt.Sprintf("±%.3f (%d)", x.StdErr, x.Samples)
	}
	return fmt.Sprintf("%.3f (%d)", x.Estimate, x.Samples)
}

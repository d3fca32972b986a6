package main

import (
	"io"

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

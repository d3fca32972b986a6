package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/query"
)

// baselineNames lists the baselines for --help.
func baselineNames() string {
	var b strings.Builder
	for _, x := range eval.AllBaselines() {
		fmt.Fprintf(&b, "  %-18s %s\n", x.Name, x.About)
	}
	return b.String()
}

// web reads the inputs of a run once more, and tells what to do if they are not there.
func (f *directoryFlags) web(r *query.Run) func(context.Context, *eval.Directory) (*eval.Web, error) {
	read := eval.WebOf(r, f.inputs, f.options.Workers)
	return func(ctx context.Context, d *eval.Directory) (*eval.Web, error) {
		w, err := read(ctx, d)
		if errors.Is(err, eval.ErrInputs) {
			err = fmt.Errorf("%w; say where all of them are with --input, or do without by --apart=false", err)
		}
		return w, err
	}
}

// baselineTable puts the run and the baselines side by side, over all pairs and without co-linked ones.
func baselineTable(w io.Writer, e *eval.Evaluation, levels int) {
	if len(e.Baselines) == 0 {
		return
	}
	fmt.Fprintf(w, "\nagainst baselines: coverage, and of all queries the share whose nearest agrees\n")
	hits := ""
	for k := range levels {
		hits += fmt.Sprintf(" %7s", fmt.Sprintf("hit %d", k+1))
	}
	half := fmt.Sprintf("  %8s%s", "coverage", hits)
	fmt.Fprintf(w, "  %-18s  %-*s  without co-linked pairs\n", "", len(half)-2, "all pairs")
	fmt.Fprintf(w, "  %-18s%s%s\n", "", half, half)
	hit := func(l eval.LevelScores) eval.Figure { return l.Hit }
	for _, r := range append([]eval.BaselineScores{{Name: "this run", Related: e.Related}}, e.Baselines...) {
		baselineRow(w, r.Name, r.Related, levels, func(s eval.Scores) string { return bare(s.Coverage) }, hit)
	}
	baselineRow(w, "chance", e.Related, levels, func(eval.Scores) string { return "" }, func(l eval.LevelScores) eval.Figure { return l.Chance })
}

// baselineRow writes figures over all pairs, then those without co-linked ones, a dash for each that is not known.
func baselineRow(w io.Writer, name string, scores []eval.Scores, levels int, coverage func(eval.Scores) string, of func(eval.LevelScores) eval.Figure) {
	fmt.Fprintf(w, "  %-18s", name)
	for i := range 2 {
		s := eval.Scores{Levels: make([]eval.LevelScores, levels)} // all undefined
		if i < len(scores) {
			s = scores[i]
		}
		fmt.Fprintf(w, "  %8s", coverage(s))
		for _, l := range s.Levels[:levels] {
			fmt.Fprintf(w, " %7s", bare(of(l)))
		}
	}
	fmt.Fprintln(w)
}

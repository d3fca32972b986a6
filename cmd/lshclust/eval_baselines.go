package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// baselineNames returns the list of baselines for --help.
func baselineNames() string {
	var b strings.Builder
	for _, x := range eval.AllBaselines() {
		fmt.Fprintf(&b, "  %-18s %s\n", x.Name, x.About)
	}
	fmt.Fprintf(&b, "  %-18s %s\n", "related-RxW", "what related answers with --rounds R --width W, such as related-1x50")
	return b.String()
}

// addVectors adds the baselines of --vectors.
func (f *directoryFlags) addVectors() error {
	for _, value := range f.dense {
		name, path, _ := strings.Cut(value, "=")
		if name == "" || path == "" {
			return fmt.Errorf("--vectors %q: not of the form NAME=FILE", value)
		}
		if _, err := os.Stat(path); err != nil {
			return fmt.Errorf("--vectors: %w", err)
		}
		if taken := func(b eval.Baseline) bool { return b.Name == name }; name == "related" || name == "chance" ||
			slices.ContainsFunc(eval.AllBaselines(), taken) || slices.ContainsFunc(f.options.Baselines, taken) {
			return fmt.Errorf("--vectors %q: %s is the name of another baseline", value, name)
		}
		f.options.Baselines = append(f.options.Baselines, eval.VectorBaseline(name, path))
	}
	return nil
}

// web returns a function that reads the inputs of a run again. If they do not exist, the error gives advice.
func (f *directoryFlags) web() func(context.Context, *query.Run, *score.Directory) (*eval.Web, error) {
	read := eval.WebOf(f.inputs, f.options.Workers)
	return func(ctx context.Context, r *query.Run, d *score.Directory) (*eval.Web, error) {
		w, err := read(ctx, r, d)
		if errors.Is(err, eval.ErrInputs) {
			err = fmt.Errorf("%w; name all of them with --input PATH", err)
		}
		return w, err
	}
}

// pairKinds are the headings for the two kinds of pairs: all, and those that are not co-linked.
var pairKinds = [2]string{"all pairs", "no page links to both"}

// baselineTable compares the run with the baselines: first those that choose among all documents, as the run does, then
// those that choose only among the targets.
func baselineTable(w io.Writer, e *eval.Evaluation, levels int) {
	if len(e.Baselines) == 0 {
		return
	}
	fmt.Fprintln(w, "\nways to find related pages: share of all queries whose nearest target is in the\nsame category")
	kinds := []int{0, 1}
	if levels <= levelsAbreast {
		baselineRows(w, e, levels, kinds)
		return
	}
	for _, kind := range kinds {
		baselineRows(w, e, levels, []int{kind})
	}
}

func baselineRows(w io.Writer, e *eval.Evaluation, levels int, kinds []int) {
	block := 2 + 8 + 2 + 6*levels // width of one kind of pairs
	head, sub, low := fmt.Sprintf("  %-18s", ""), fmt.Sprintf("  %-18s", ""), fmt.Sprintf("  %-18s", "")
	for _, kind := range kinds {
		head += fmt.Sprintf("  %-*s", block-2, pairKinds[kind])
		sub += fmt.Sprintf("  coverage  %-*s", block-12, "  at level")
		low += fmt.Sprintf("  %8s  ", "")
		for k := range levels {
			low += fmt.Sprintf("%6d", k+1)
		}
	}
	for _, l := range []string{head, sub, low} {
		fmt.Fprintln(w, strings.TrimRight(l, " "))
	}
	row := func(name string, scores []score.RankingScores, coverage func(score.RankingScores) string, of func(score.RankingLevel) score.Figure) {
		b := fmt.Sprintf("  %-18s", name)
		for _, kind := range kinds {
			s := score.RankingScores{Levels: make([]score.RankingLevel, levels)} // all figures undefined
			if kind < len(scores) && !e.Related[kind].TellsNothing() {
				s = scores[kind]
			}
			b += fmt.Sprintf("  %8s  ", coverage(s))
			for _, l := range s.Levels[:levels] {
				b += fmt.Sprintf("%6s", bare(of(l)))
			}
		}
		fmt.Fprintln(w, strings.TrimRight(b, " "))
	}
	covered := func(s score.RankingScores) string { return bare(s.Coverage) }
	same := func(l score.RankingLevel) score.Figure { return l.Hit }
	group := func(candidates string) {
		for _, b := range e.Baselines {
			if b.Candidates == candidates {
				row(b.Name, b.Related, covered, same)
			}
		}
	}
	fmt.Fprintf(w, " candidates: all %s of the run; non-targets are skipped\n", count(e.Documents, "document"))
	row("related", e.Related, covered, same)
	group(eval.AllDocuments)
	fmt.Fprintf(w, " candidates: only the %s\n", count(e.Targets, "target"))
	group(eval.TargetsAlone)
	row("chance", e.Related, func(score.RankingScores) string { return "" }, func(l score.RankingLevel) score.Figure { return l.Chance })
}

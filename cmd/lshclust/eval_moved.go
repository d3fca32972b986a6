package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
)

// evalMoved holds the flags of eval moved.
type evalMoved struct {
	output
	gold, hide string
	versions   []string
	every      bool
}

// hidings are the values of --hide.
var hidings = map[string]query.Hiding{"folders": query.HideFolders, "urls": query.HideURLs}

func newEvalMoved() *cobra.Command {
	f := &evalMoved{}
	c := &cobra.Command{
		Use:   "moved RUN1 RUN2 [RUN...]",
		Short: "Measure the verdicts of lshclust moved",
		Long: `Moved compares the verdicts of lshclust moved with a gold, for each step from one run to the next. The gold has a line for
each page that moved: the old and the new URL, separated by a tab, and perhaps kind, old_version, new_version and
resemblance, named in a first line that begins with #. Rows of another kind than "moved" are not scored.

Precision is the share of the verdicts that name the right page, of those that name one; recall is the share of the pages
that moved whose new URL a verdict names. Both are given for verdicts of at least some confidence. Similar pages are those
with a resemblance of 0.5 or more in the gold, rewritten ones all others. Verdicts on pages that are not in the gold are
counted, and not scored. The calibration shows how often verdicts of a confidence are right.

Without a gold, --hide uses the pages that both runs have: their URLs are hidden from the method, or all but the last
segments of their paths, and it must find each page again by the rest. The newer version of every fourth page is withheld;
a verdict that names a page for it is wrong. Build such runs with --set url_words=false, since bags hold words of URLs.`,
		Example: `  lshclust eval moved RUN1 RUN2 --gold moved.tsv
  lshclust eval moved RUN1 RUN2 RUN3 --gold moved.tsv --versions 2023,2024,2025
  lshclust eval moved RUN1 RUN2 RUN3 --gold moved.tsv --versions 2023,2024,2025 --every
  lshclust eval moved RUN1 RUN2 --hide urls`,
		Args: cobra.MinimumNArgs(2),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(len(args)); err != nil {
				return err
			}
			steps, done, err := f.steps(args)
			defer done()
			if err != nil {
				return err
			}
			all, err := eval.EvaluateMoves(c.Context(), steps)
			if err != nil {
				return err
			}
			return f.write(printed, all)
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.gold, "gold", "", "`FILE` of pages that moved")
	flags.StringSliceVar(&f.versions, "versions", nil, "`NAMES` of the runs in the columns old_version and new_version of the gold")
	oneOf(flags, &f.hide, "hide", "", []string{"folders", "urls"}, "use no gold and hide `WHAT` from the method")
	flags.BoolVar(&f.every, "every", false, "evaluate the step from each run to every later one, not only to the next")
	f.output.bind(flags, "a point of a curve")
	return c
}

func (f *evalMoved) check(runs int) error {
	switch {
	case (f.gold == "") == (f.hide == ""):
		return usage(errors.New("give either --gold FILE or --hide folders or --hide urls"))
	case len(f.versions) > 0 && len(f.versions) != runs:
		return usage(fmt.Errorf("--versions names %d versions of %d runs", len(f.versions), runs))
	}
	return nil
}

// steps opens the runs and pairs each with the next. The caller must call done at the end.
func (f *evalMoved) steps(args []string) (steps []eval.MovesStep, done func(), err error) {
	open, done, err := openAll(openRun, args)
	if err != nil {
		return nil, done, err
	}
	var g *gold.Pairs
	if f.gold != "" {
		if g, err = gold.ReadPairs(f.gold); err != nil {
			return nil, done, err
		}
		skippedNotes(g.Skipped)
	}
	for i := range open {
		for j := i + 1; j < len(open) && (f.every || j == i+1); j++ {
			s, err := query.NewTwoCrawls(open[i], open[j])
			if err != nil {
				return nil, done, err
			}
			step := eval.MovesStep{From: f.name(args, i), To: f.name(args, j), Crawls: s, Gold: g, Hide: hidings[f.hide]}
			if g != nil && len(f.versions) > 0 {
				if step.Gold = g.Between(step.From, step.To); len(step.Gold.Pairs) == 0 {
					return nil, done, usage(fmt.Errorf("%s has no rows for the step from %s to %s", f.gold, step.From, step.To))
				}
			}
			steps = append(steps, step)
		}
	}
	return steps, done, nil
}

// name returns the name of a run.
func (f *evalMoved) name(args []string, i int) string {
	if len(f.versions) > 0 {
		return f.versions[i]
	}
	return filepath.Base(args[i])
}

func (f *evalMoved) write(w io.Writer, all []eval.MovesResult) error {
	columns := []string{"from", "to", "pages", "gone", "bin", "confidence", "precision", "precision_low", "precision_high", "recall", "recall_low", "recall_high"}
	return f.emit(w, all, func(w io.Writer) {
		for i := range all {
			skippedNotes(all[i].Unknown)
			movesTable(w, &all[i])
		}
	}, columns, func(yield func([]any) bool) {
		for _, x := range all {
			for _, b := range x.Bins {
				for _, p := range b.Curve {
					if !yield(slices.Concat([]any{x.From, x.To, b.Pages, x.Gone, b.Name, p.Confidence}, numbers(p.Precision), numbers(p.Recall))) {
						return
					}
				}
			}
		}
	})
}

// movesTable writes the figures of one step.
func movesTable(w io.Writer, x *eval.MovesResult) {
	fmt.Fprintf(w, "%s to %s: %s gone: %s; %d verdicts on pages outside the gold\n", whole(x.From), whole(x.To), count(x.Gone, "page"), verdictCounts(x.Verdicts), x.Unlisted)
	fmt.Fprintf(w, "%-10s %10s  %-21s  %s\n", "pages", "confidence", "precision", "recall")
	for _, b := range x.Bins {
		for _, p := range b.Curve {
			fmt.Fprintf(w, "%-10s %10.2f  %-21s  %s\n", b.Name, p.Confidence, cell(p.Precision), cell(p.Recall))
		}
	}
	fmt.Fprintln(w, "calibration: mean confidence, share that is right, verdicts")
	for _, c := range x.Calibration {
		fmt.Fprintf(w, "  %.3f  %s  %d\n", c.Mean, bare(c.Right), c.Right.N)
	}
	fmt.Fprintf(w, "calibration error: %s\n\n", bare(x.CalibrationError))
}

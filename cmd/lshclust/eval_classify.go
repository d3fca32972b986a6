package main

import (
	"context"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// classFlags are the flags of eval classify.
type classFlags struct{ goldFlags }

func newEvalClassify() *cobra.Command {
	f := &classFlags{}
	c := &cobra.Command{
		Use:   "classify RUN --gold GOLD...",
		Short: "Measure the answers of classify by cross-validation",
		Long: `Classify deals the targets of a gold to ten folds, learns categories and confidences from nine of them, as "lshclust
classify" does from its labels, and classifies the targets of the tenth.

  any examples             all targets of the other folds are examples
  apart                    without those that some page links to together with the target
  examples of other lists  whole lists are dealt to the folds, so that no target of the list is an example. Then level 2
                           cannot be right, unless a target is in two lists, and level 1 only if its category has other
                           lists: the figures show whether the confidence tells

For each level, the table has the share of all targets for which the answer is right, beside the path of the nearest
example, the largest category and an example chosen at random; then the answers of some confidence and more: the share of
the targets that have one, and how many of these are right, beside the nearest example for as many targets, those with the
most similar ones. A target whose paths end above a level has no right answer there. "over" is the mean confidence less the
share that is right, and "error" the mean distance of the two over ten bins. The 95 % intervals resample whole lists (the
first two levels).`,
		Example: `  lshclust eval classify RUN --gold gold.tsv
  lshclust eval classify RUN --gold gold.tsv --gold gold-cncf.tsv --half test --format csv
  lshclust eval classify RUN --gold tree --apart=false`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.check(); err != nil {
				return err
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			return f.run(c.Context(), printed, r)
		},
	}
	c.Flags().BoolVar(&f.options.Apart, "apart", true, "also measure without the pairs that one page links to together")
	f.bind(c.Flags(), "number of `LEVELS` of the paths to tell apart")
	return c
}

// run evaluates the run against each gold.
func (f *classFlags) run(ctx context.Context, w io.Writer, r *query.Run) error {
	return eachGold(ctx, &f.goldFlags, r, func(g *gold.Gold) (*eval.ClassEvaluation, error) {
		e, err := eval.EvaluateClasses(ctx, r, g, f.options)
		if err != nil {
			return nil, err
		}
		for _, warning := range e.Warnings {
			say("%s: %s", e.Gold, warning)
		}
		return e, nil
	}, func(all []*eval.ClassEvaluation) error { return f.write(w, all) })
}

func (f *classFlags) write(w io.Writer, all []*eval.ClassEvaluation) error {
	if done, err := writeWhole(w, f.format, all, classTable); done {
		return err
	}
	out := f.rows(w, append([]string{"gold", "half", "test"}, figureColumns...)...)
	for _, e := range all {
		for i := range e.Tests {
			for _, n := range e.Tests[i].Figures() {
				if err := out.row(append([]any{e.Gold, e.Half.String(), e.Tests[i].Test}, figureCells(n)...)...); err != nil {
					return err
				}
			}
		}
	}
	return out.close()
}

// classTable prints an evaluation of classes as text.
func classTable(w io.Writer, e *eval.ClassEvaluation) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s (half: %s): %s of %s, %d folds\n", whole(e.Gold), e.Half, count(e.Examples, "example"), count(e.Targets, "target"), e.Folds)
	for i := range e.Tests {
		s := &e.Tests[i]
		fmt.Fprintf(w, "\n%s: %s in %s\n", s.Test, count(s.Queries, "target"), count(s.Lists, "list"))
		for _, l := range s.Levels {
			fmt.Fprintf(w, "  level %d   right %s, nearest %s, largest %s, chance %s\n", l.Level, cell(l.Accuracy), bare(l.Nearest), bare(l.Majority), bare(l.Chance))
			fmt.Fprintf(w, "    over %s, error %s\n", signedCell(l.Over), bare(l.Error))
			fmt.Fprintf(w, "    %-10s %-20s %-20s %s\n", "confidence", "answered", "right", "nearest")
			for _, b := range l.Bounds {
				fmt.Fprintf(w, "    %-10g %-20s %-20s %s\n", b.Confidence, cell(b.Coverage), cell(b.Accuracy), bare(b.Nearest))
			}
		}
	}
	fmt.Fprintln(w)
	prose(w, "right: share of all targets whose answer is right, whatever its confidence; below, of the answers of that confidence and more. nearest: the path of the nearest example. [low high]: 95 % intervals, from resampling lists.", 0, 0)
}

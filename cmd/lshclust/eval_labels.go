package main

import (
	"context"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// labelFlags are the flags of eval labels.
type labelFlags struct{ goldFlags }

func newEvalLabels() *cobra.Command {
	f := &labelFlags{}
	c := &cobra.Command{
		Use:   "labels RUN --gold GOLD...",
		Short: "Compare labels of topical clusters with the names of categories",
		Long: `Labels tells how often the label of a topical cluster shares a word with the name of the category that most of the members
have in a gold directory. Only clusters with two or more targets of the gold are measured and, at each level, only those
with more than half of their targets in one category. Words are compared in lower case and stemmed as English. Stop words,
numbers, and words in at least a tenth of the names of a level ("Awesome") are ignored.

  run              the labels of the run
  counts           the five words with the greatest counts over the bags of the members
  counts, as long  as many of these words as the label of the run has

Chance is the exact expectation if the same labels are dealt to the clusters at random. The 95 % intervals resample whole
lists (the first two levels). "Less" is how much more often the labels of the run fit than the others, with an interval
from resampling clusters. All formats except the table also have weighted figures, in which a cluster counts once for each
of its targets.`,
		Example: `  lshclust eval labels RUN --gold gold.tsv
  lshclust eval labels RUN --gold gold.tsv --gold gold-cncf.tsv --half dev --format csv`,
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
	f.bind(c.Flags(), "number of `LEVELS` of the paths to compare")
	return c
}

// run evaluates the run against each gold.
func (f *labelFlags) run(ctx context.Context, w io.Writer, r *query.Run) error {
	return eachGold(ctx, &f.goldFlags, r, func(g *gold.Gold) (*eval.LabelEvaluation, error) {
		return eval.EvaluateLabels(ctx, r, g, f.options)
	}, func(all []*eval.LabelEvaluation) error { return f.write(w, all) })
}

func (f *labelFlags) write(w io.Writer, all []*eval.LabelEvaluation) error {
	if done, err := writeWhole(w, f.format, all, labelsTable); done {
		return err
	}
	out := f.rows(w, append([]string{"gold", "half", "labels"}, figureColumns...)...)
	for _, e := range all {
		for i := range e.Scores {
			if err := labelRows(out, e, &e.Scores[i]); err != nil {
				return err
			}
		}
	}
	return out.close()
}

// labelRows writes a row for each figure. Undefined values are empty, and null in JSON.
func labelRows(out *rowWriter, e *eval.LabelEvaluation, s *score.LabelScores) error {
	for _, n := range s.Figures() {
		if err := out.row(append([]any{e.Gold, e.Half.String(), s.Labels}, figureCells(n)...)...); err != nil {
			return err
		}
	}
	return nil
}

// labelsTable prints an evaluation of labels as text.
func labelsTable(w io.Writer, e *eval.LabelEvaluation) {
	w, flush := narrow(w)
	defer flush()
	first := e.Scores[0]
	fmt.Fprintf(w, "%s (half: %s): %s with two targets or more, %s in them\n", whole(e.Gold), e.Half,
		count(first.Clusters, "cluster"), count(first.Targets, "target"))
	for i, l := range first.Levels {
		if l.Fit.N == 0 {
			continue
		}
		of := "the name of level " + l.Level
		if i == len(first.Levels)-1 {
			of = "the name of any level"
		}
		fmt.Fprintf(w, "\nlabels that share a word with %s, of %s\n", of, count(l.Fit.N, "cluster"))
		fmt.Fprintf(w, "  %-16s %6s  %-20s %6s  %s\n", "labels", "words", "share", "chance", "less")
		for j, s := range e.Scores {
			x, less := s.Levels[i], "-"
			if j > 0 {
				less = signedCell(x.Less)
			}
			fmt.Fprintf(w, "  %-16s %6.1f  %-20s %6s  %s\n", s.Labels, s.Words, cell(x.Fit), bare(x.Chance), less)
		}
	}
	fmt.Fprintln(w)
	prose(w, "share: share of the clusters whose label has a word of the name of the category. chance: the same labels dealt to the clusters at random. less: how much more often the labels of the run fit. [low high]: 95 % intervals. The other formats also weight clusters by their targets.", 0, 0)
}

package main

import (
	"cmp"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/eval/sketches"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
	"github.com/spf13/cobra"
)

func newEvalSketches() *cobra.Command {
	var (
		o       output
		modulus uint64
	)
	c := &cobra.Command{
		Use:   "sketches RUN",
		Short: "What each kind of sketch costs in recall and precision, against exact comparison",
		Long: `Sketches takes a run that keeps whole sets of shingles, compares all its pages exactly, and finds the same pairs once more
in the ways that a run may take: by whole sets (--keep shingles), and by each kind of sketch (--keep sketches --sketch
KIND), under the thresholds of the run. The table has a row for each way:

  bytes      that it keeps of a page
  recall     of the pairs whose resemblance is at the threshold, the share that it finds; and of those that are above it by
             0.1 or more, which an error of the estimate seldom hides
  precision  of the pairs that it finds as similar, the share whose resemblance is at the threshold; and the share
             whose resemblance is at most 0.1 below it
  error      mean difference of the resemblance that it gives from the exact one
  contained  recall and precision of pairs at the threshold of containment, one way or the other

Pages that equal another one are found in every way and count once. Brute force takes 16 bytes of memory for each shingle.`,
		Example: `  lshclust eval sketches RUN
  lshclust eval sketches RUN --modulus 5 --format csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := o.check(); err != nil {
				return err
			}
			x, set, err := measureSketches(c, args[0], modulus)
			if err != nil {
				return err
			}
			switch o.format {
			case formatJSON:
				return writeJSON(printed, x)
			case formatTable:
				sketchesTable(printed, x, set)
				return nil
			}
			return sketchesRows(printed, x, &o)
		},
	}
	f := c.Flags()
	f.Uint64Var(&modulus, "modulus", 0, "sample one shingle in `m` in sketches mod and minmod; 0: as the run does")
	inRange(f, "modulus", 0, config.MaxModulus)
	o.bind(f, "")
	return c
}

// measureSketches measures all kinds of sketches in a run; a modulus of 0 is that of the run.
func measureSketches(c *cobra.Command, path string, modulus uint64) (*sketches.Measured, config.Config, error) {
	r, err := openRun(path)
	if err != nil {
		return nil, config.Config{}, err
	}
	defer r.Close()
	set := r.Config
	docs, strip, err := r.Sets()
	if err != nil {
		return nil, set, err
	}
	if set.Strip == config.StripNone {
		strip = nil
	}
	var ways []shingles.Sketcher
	for _, k := range shingles.Kinds() {
		ways = append(ways, config.SketcherOf(k, cmp.Or(modulus, set.Modulus)))
	}
	x, err := sketches.Measure(c.Context(), sketches.Pages{Documents: docs, Strip: strip}, ways, resemble.Config{
		M: set.Modulus, Floor: set.Resemblance, Containment: set.Containment, MaxCommon: set.MaxCommon, MinShingles: 4,
	})
	if err != nil {
		return nil, set, err
	}
	return x, set, r.Err()
}

// shareFigure is a share with its interval.
func shareFigure(s sketches.Share) score.Figure {
	return score.Proportion{Hits: s.Hits, Of: s.Of}.Figure()
}

func sketchesTable(w io.Writer, x *sketches.Measured, set config.Config) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s, %d of them distinct; %d pairs with a resemblance of %g and more, %d with a containment of %g and more\n\n",
		count(x.Pages, "page"), x.Distinct, x.Similar, set.Resemblance, x.Contained, set.Containment)
	const row = "%-17s %6s %6s %5s %9s %5s %5s %9s %9s\n"
	fmt.Fprintf(w, row, "", "bytes", "recall", fmt.Sprintf("≥%.2g", set.Resemblance+sketches.Margin),
		"precision", fmt.Sprintf("≥%.2g", set.Resemblance-sketches.Margin), "error", "contained", "precision")
	for _, c := range x.Ways {
		f := func(s sketches.Share) string { return three(shareFigure(s)) }
		fmt.Fprintf(w, row, c.Way, fmt.Sprintf("%.0f", c.Bytes), f(c.Recall), f(c.RecallFar), f(c.Precision), f(c.PrecisionNear),
			fmt.Sprintf("%.3f", c.Error), f(c.RecallContained), f(c.PrecisionContained))
	}
}

// three is a figure in three digits, without its interval.
func three(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3f", f.Value)
}

func sketchesRows(w io.Writer, x *sketches.Measured, o *output) error {
	columns := []string{"way", "bytes", "samples", "pairs", "error"}
	for _, name := range []string{"recall", "recall_far", "precision", "precision_near", "recall_contained", "precision_contained"} {
		columns = append(columns, name, name+"_low", name+"_high")
	}
	out := o.rows(w, columns...)
	for _, c := range x.Ways {
		row := []any{c.Way, c.Bytes, c.Samples, c.Pairs, c.Error}
		for _, s := range []sketches.Share{c.Recall, c.RecallFar, c.Precision, c.PrecisionNear, c.RecallContained, c.PrecisionContained} {
			row = append(row, numbers(shareFigure(s))...)
		}
		if err := out.row(row...); err != nil {
			return err
		}
	}
	return out.close()
}

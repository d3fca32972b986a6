package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/shingles"
	"github.com/spf13/cobra"
)

func newEvalRecall() *cobra.Command {
	var (
		to      output
		o       eval.RecallOptions
		bounds  bool
		eps     float64
		modulus uint64
	)
	c := &cobra.Command{
		Use:   "recall RUN",
		Short: "Measure how many of the similar pairs the index found",
		Long: `Recall draws documents (distinct bags), finds all that are similar to each, exactly, and finds out what happened to every
similar pair. The table has a row for each range of exact similarity:

  formula  the share that the parameters of the index predict: a common key, and agreement of the signatures at the floor
  keys     the share for which both are true; followed by = if the formula lies in its interval, and by ! if not
  formed   the share that is left because buckets larger than the limit are not paired in full
  stored   the share that is in the run. Expansion adds pairs that the index did not form. The run deliberately leaves out
           pairs below min_similarity, and those that are not among the nearest neighbours of either page

The second table counts the lost pairs by reason. The third one shows how many of the exact nearest neighbours the stored
list of a document holds, and related by its defaults; apart, of those that no page links to together with the document.
The last one has, for each size of keys, the least number of keys with which by formula an index with the signatures and the
floor of the run finds --recall of the pairs --above. A run that chooses its own index (the default) needs fewer.

The 95 % intervals resample the drawn documents, because the pairs of one document depend on one another. If all pairs or
none were found, the intervals are Wilson's, over documents.

With --bounds and without RUN, it prints how far the resemblance that sketches estimate is from the true one: the
probability that the estimate is within eps of the truth (p(s,r,eps) of Broder 1997), the standard error, and the range of
the middle 95 % of estimates, and how many samples MOD_m keeps of a document. A run that keeps sketches (lshclust cluster
--set keep=sketches) has estimates with these errors.`,
		Example: `  lshclust eval recall RUN
  lshclust eval recall RUN --sample 1000 --above 0.2
  lshclust eval recall RUN --bins 0.1,0.2,0.5,1 --format csv
  lshclust eval recall --bounds --eps 0.02`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case bounds == (len(args) == 1):
				return usage(errors.New("name a run, or give --bounds alone"))
			case bounds:
				printBounds(printed, eps, modulus)
				return nil
			}
			if err := o.Validate(); err != nil {
				return usage(fmt.Errorf("--%w", err)) // the message begins with the name of the flag
			}
			return withTopical(args[0], func(r *query.Run) error {
				x, err := eval.MeasureRecall(c.Context(), r, o)
				if err != nil {
					return err
				}
				return printRecall(x, &to)
			})
		},
	}
	f := c.Flags()
	f.IntVar(&o.Sample, "sample", 300, "number of `DOCUMENTS` to draw")
	f.Uint64Var(&o.Seed, "seed", 1, "`SEED` of the draw")
	f.Float64SliceVar(&o.Edges, "bins", eval.RecallEdges, "`EDGES` of the ranges of similarity")
	showDefault(f, "bins", strings.Trim(strings.ReplaceAll(fmt.Sprint(eval.RecallEdges), " ", ","), "[]"))
	f.Float64Var(&o.Above, "above", 0.3, "the last row is for all pairs with this `SIMILARITY` or more")
	f.Float64Var(&o.Recall, "recall", 0.95, "the `SHARE` of these pairs that the last table is for")
	f.IntVar(&o.Bootstrap, "bootstrap", 2000, "number of `RESAMPLES` for the intervals; 0: no intervals")
	f.BoolVar(&bounds, "bounds", false, "print the errors of sketches instead")
	f.Float64Var(&eps, "eps", 0.05, "with --bounds, allow an error of `E`")
	f.Uint64Var(&modulus, "modulus", shingles.DefaultM, "with --bounds, the `m` of MOD_m")
	inRange(f, "eps", 0, 1)
	inRange(f, "modulus", 1, 1<<16)
	counting(f, 1, "sample")
	inRange(f, "above", 0, 1)
	inRange(f, "bootstrap", 0, 100_000)
	to.bind(f, "")
	return c
}

func recallTable(w io.Writer, x *eval.Recall) {
	name := func(b eval.RecallBin) string { return fmt.Sprintf("%.2f-%.2f", b.From, b.To) }
	fmt.Fprintf(w, "%d of %d distinct bags compared with all others\n%s\n\n", x.Sampled, x.Nodes, x.Index)
	fmt.Fprintf(w, "%-10s %9s %7s  %-21s %-6s  %s\n", "similarity", "pairs", "formula", "keys", "formed", "stored")
	bins := append(slices.Clip(x.Bins), x.Above)
	for _, b := range bins {
		mark := map[bool]string{true: "=", false: "!"}[b.Expected()]
		if !b.Keys.Defined() {
			mark = ""
		}
		fmt.Fprintf(w, "%-10s %9d %7s  %-21s %-6s  %s\n", name(b), b.Pairs, bare(b.Formula), cell(b.Keys)+" "+mark, bare(b.Formed), cell(b.Stored))
	}
	fmt.Fprintf(w, "\n%-10s", "pairs lost")
	for _, l := range query.Losses {
		fmt.Fprintf(w, "  %11s", l)
	}
	fmt.Fprintln(w)
	for _, b := range bins {
		fmt.Fprintf(w, "%-10s", name(b))
		for _, l := range query.Losses {
			fmt.Fprintf(w, "  %*d", max(11, len(l.String())), b.Lost[l.String()])
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintln(w, "\nshare of the nearest neighbours of a document that its list holds")
	for _, n := range x.Nearest {
		apart := map[bool]string{true: "apart"}[n.Apart]
		fmt.Fprintf(w, "  %-8s %-6s %2d nearest  %s\n", n.List, apart, n.Top, cell(n.Recall))
	}
	if len(x.Keys) > 0 {
		fmt.Fprintf(w, "\nleast number of keys that find enough of the pairs of %.3g or more, by formula\n  size  keys  recall\n", x.Above.From)
	}
	for _, k := range x.Keys {
		fmt.Fprintf(w, "  %-4d %5d  %.3f\n", k.KeySize, k.Keys, k.Recall)
	}
}

func printRecall(x *eval.Recall, to *output) error {
	columns := []string{"from", "to", "pairs", "bags", "formula", "keys", "keys_low", "keys_high", "formed", "stored", "stored_low", "stored_high"}
	for _, l := range query.Losses {
		columns = append(columns, l.String())
	}
	return to.emit(printed, x, func(w io.Writer) { recallTable(w, x) }, columns, func(yield func([]any) bool) {
		for _, b := range append(x.Bins, x.Above) {
			row := slices.Concat([]any{b.From, b.To, b.Pairs, b.Ends, number(b.Formula)}, numbers(b.Keys), []any{number(b.Formed)}, numbers(b.Stored))
			for _, l := range query.Losses {
				row = append(row, b.Lost[l.String()])
			}
			if !yield(row) {
				return
			}
		}
	})
}

// printBounds prints the errors of sketches.
func printBounds(w io.Writer, eps float64, modulus uint64) {
	rows := shingles.Bounds([]int{25, 50, 100, 200, 400}, []float64{0.2, 0.5, 0.8, 0.9, 0.95}, eps)
	fmt.Fprintf(w, "%8s %12s %14s %10s %16s\n", "samples", "resemblance", fmt.Sprintf("within ±%.3g", eps), "std error", "95 % between")
	for _, b := range rows {
		fmt.Fprintf(w, "%8d %12.2f %14.4f %10.4f %8.3f %7.3f\n", b.Samples, b.Resemblance, b.Within, b.StdErr, b.Low, b.High)
	}
	fmt.Fprintf(w, "\nMOD_%d: samples of a document\n%10s %10s %8s %14s\n", modulus, "shingles", "expected", "±", "none at all")
	for _, s := range shingles.ModBounds(modulus, []int{10, 100, 1000, 2500, 10000, 100000}) {
		fmt.Fprintf(w, "%10d %10.1f %8.1f %14.3g\n", s.Shingles, s.Expected, s.StdDev, s.Empty)
	}
}

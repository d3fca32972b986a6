package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
)

func newEvalPairs() *cobra.Command {
	var (
		to         output
		path, kind string
	)
	c := &cobra.Command{
		Use:   "pairs RUN --gold FILE",
		Short: "Compare near-duplicates or containment with known pairs",
		Long: `Pairs compares the syntactic view of a run with pairs of URLs that are known to belong together. The gold has a line for
each pair: two URLs separated by a tab. A first line that begins with # may name the columns. The URLs are in the columns
named url, url_a, url_b or ending in _url, and otherwise in the first two; resemblance and NAME_in_NAME hold exact figures.

  near-duplicates  how many of the pairs has the run stored, and put into one cluster? By the resemblance in the gold
  containment      the same, by the larger one of the containments in the gold

A file of another kind is refused. Pairs on one host and across hosts are also counted separately. The 95 % intervals are
Wilson's and treat pairs as independent.`,
		Example: `  lshclust eval pairs RUN --gold pairs.tsv --kind near-duplicates
  lshclust eval pairs RUN --gold pairs.tsv --kind containment --format csv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if path == "" {
				return usage(errors.New("--gold is missing: a file of pairs, such as --gold pairs.tsv"))
			}
			return withRun(args[0], func(r *query.Run) error {
				g, err := gold.ReadPairs(path)
				if err != nil {
					return err
				}
				skippedNotes(g.Skipped)
				x, err := eval.EvaluatePairs(c.Context(), g, r, kind)
				if err != nil {
					return err
				}
				skippedNotes(x.Unknown)
				return printPairs(x, &to)
			})
		},
	}
	flags := c.Flags()
	flags.StringVar(&path, "gold", "", "`FILE` of pairs")
	oneOf(flags, &kind, "kind", gold.NearDuplicates, []string{gold.NearDuplicates, gold.Containment}, "`KIND` of gold")
	to.bind(flags, "")
	return c
}

func printPairs(x *eval.PairEvaluation, to *output) error {
	columns := []string{"hosts", "from", "to", "pairs", "found", "found_low", "found_high", "together", "together_low", "together_high"}
	return to.emit(printed, x, func(w io.Writer) { pairsTable(w, x) }, columns, func(yield func([]any) bool) {
		for _, p := range x.Parts {
			for _, b := range p.Bins {
				if !yield(slices.Concat([]any{p.Hosts, b.From, b.To, b.Found.N}, numbers(b.Found), numbers(b.Together))) {
					return
				}
			}
		}
	})
}

func pairsTable(w io.Writer, x *eval.PairEvaluation) {
	what := "resemblance"
	if x.Kind == gold.Containment {
		what = "containment"
	}
	fmt.Fprintf(w, "%s: %s; both pages of %d are in the run\n", whole(x.Gold), count(int64(x.Pairs), "pair"), x.Known)
	fmt.Fprintf(w, "the run stores pairs whose %s is %.2f or more\n", what, x.Threshold)
	if x.Differ.Defined() {
		fmt.Fprintf(w, "the %s in the gold and the exact one in the run differ by %.3f on\naverage, by %.3f at most\n", what, x.Differ.Value, x.DifferMost)
	}
	for _, p := range x.Parts {
		if !slices.ContainsFunc(p.Bins, func(b score.PairBin) bool { return b.Found.Defined() }) {
			fmt.Fprintf(w, "\n%s: no pair\n", p.Hosts)
			continue
		}
		fmt.Fprintf(w, "\n%-20s %7s  %-22s %-22s\n", p.Hosts, "pairs", "stored", "in one cluster")
		row := func(of string, b score.PairBin) {
			fmt.Fprintf(w, "  %-18s %7d  %-22s %s\n", fmt.Sprintf("%-4s %.2f-%.2f", of, b.From, b.To), b.Found.N, cell(b.Found), cell(b.Together))
		}
		for _, b := range p.Bins {
			row("gold", b)
		}
		row("run", p.Own)
		fmt.Fprintf(w, "  of the pairs stored between pages that the gold names, it lists\n  %s\n", cell(p.Precision))
	}
	fmt.Fprintln(w)
	prose(w, fmt.Sprintf("gold 0.90-1.00: pairs by the %[1]s in the gold; the last of these rows is everything that the run should have stored. run: pairs by the exact %[1]s in the run, which may split texts into different words. stored: share of the pairs that the run has stored. in one cluster: share of the pairs whose pages are in the same cluster. [low high]: 95 %% intervals (Wilson), which treat pairs as independent.", what), 0, 0)
}

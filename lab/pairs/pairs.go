// Package pairs compares the syntactic view of a run with pairs of URLs that are known to belong together.
//
//	lab pairs -gold pairs.tsv [-kind near-duplicates|containment] RUN
//
// The gold has a line for each pair: see [Read]. How many of the pairs has the run stored, and put into one cluster? By the
// resemblance in the gold or, with the kind containment, by the larger one of the containments. Pairs on one host and
// across hosts are also counted separately. The 95 % intervals are Wilson's and treat pairs as independent.
package pairs

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
)

// Command reads the flags, measures and prints.
func Command(args []string) error {
	flags := flag.NewFlagSet("pairs", flag.ContinueOnError)
	path := flags.String("gold", "", "the gold of pairs")
	kind := flags.String("kind", NearDuplicates, NearDuplicates+" or "+Containment)
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || *path == "" {
		return errors.New("give a run and -gold")
	}
	r, err := runs.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer r.Close()
	g, err := Read(*path)
	if err != nil {
		return err
	}
	x, err := Evaluate(context.Background(), g, r, *kind)
	if err != nil {
		return err
	}
	table(os.Stdout, x)
	return nil
}

func table(w io.Writer, x *Evaluation) {
	what := "resemblance"
	if x.Kind == Containment {
		what = "containment"
	}
	fmt.Fprintf(w, "%s: %d pairs; both pages of %d are in the run\n", x.Gold, x.Pairs, x.Known)
	fmt.Fprintf(w, "the run stores pairs whose %s is %.2f or more\n", what, x.Threshold)
	if x.Differ.Defined() {
		fmt.Fprintf(w, "the %s in the gold and the exact one in the run differ by %.3f on\naverage, by %.3f at most\n", what, x.Differ.Value, x.DifferMost)
	}
	for _, p := range x.Parts {
		if !slices.ContainsFunc(p.Bins, func(b PairBin) bool { return b.Found.Defined() }) {
			fmt.Fprintf(w, "\n%s: no pair\n", p.Hosts)
			continue
		}
		fmt.Fprintf(w, "\n%-20s %7s  %-22s %-22s\n", p.Hosts, "pairs", "stored", "in one cluster")
		row := func(of string, b PairBin) {
			fmt.Fprintf(w, "  %-18s %7d  %-22s %s\n", fmt.Sprintf("%-4s %.2f-%.2f", of, b.From, b.To), b.Found.N, cell(b.Found), cell(b.Together))
		}
		for _, b := range p.Bins {
			row("gold", b)
		}
		row("run", p.Own)
		fmt.Fprintf(w, "  of the pairs stored between pages that the gold names, it lists\n  %s\n", cell(p.Precision))
	}
}

func cell(f score.Figure) string {
	if i := f.Interval(); f.Defined() && i != nil {
		return fmt.Sprintf("%.3f [%.3f %.3f]", f.Value, i.Low, i.High)
	}
	return "-"
}

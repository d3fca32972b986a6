package evaluate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
)

// Command measures a run against golds and prints a row for each figure, as tab-separated values. lab report shows the same
// as a page.
func Command(args []string) (err error) {
	var golds []string
	o := Options{}
	flags := flag.NewFlagSet("evaluate", flag.ContinueOnError)
	flags.Func("gold", "a gold with categories, or tree; may be given several times", func(s string) error { golds = append(golds, s); return nil })
	half := flags.String("half", "all", "which targets are queries: dev, test or all")
	bases := flags.String("baselines", "all", "what to compare the run with: all, stored or exact")
	flags.IntVar(&o.Depth, "depth", 3, "levels of the paths to compare")
	flags.BoolVar(&o.Known, "known", false, "use only targets that the run holds; otherwise the others count as wrong")
	flags.BoolVar(&o.Apart, "apart", true, "also measure without the pairs that one page links to together")
	flags.IntVar(&o.Bootstrap, "bootstrap", 1000, "resamples for the intervals; 0: no intervals")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the resamples")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || len(golds) == 0 {
		return errors.New("give a run and -gold")
	}
	if o.Half, err = score.ParseHalf(*half); err != nil {
		return err
	}
	if o.Baselines, err = ParseBaselines(strings.Split(*bases, ",")); err != nil {
		return err
	}
	r, err := runs.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer r.Close()
	fmt.Println("gold\thalf\tpart\tcolinked\tfigure\tvalue\tn\tlow\thigh\tlist_low\tlist_high")
	for _, name := range golds {
		g, err := Gold(name, r)
		if err != nil {
			return err
		}
		e, err := Evaluate(context.Background(), r, g, o)
		if err != nil {
			return err
		}
		e.notes(os.Stderr)
		e.rows(os.Stdout)
	}
	return nil
}

// notes says what was skipped and what is doubtful.
func (e *Evaluation) notes(w io.Writer) {
	for _, s := range e.Skipped {
		fmt.Fprintf(w, "%s: %d × %s, the first %s\n", e.Gold, s.Count, s.Reason, s.Examples[0])
	}
	if n := e.Targets - e.Known; n > 0 {
		fmt.Fprintf(w, "%s: the run does not hold %d of %d targets, the first %s\n", e.Gold, n, e.Targets, e.Unknown[0])
	}
	for _, warning := range append(e.Warnings, e.Indistinct...) {
		fmt.Fprintf(w, "%s: %s\n", e.Gold, warning)
	}
}

// rows prints a row for each figure.
func (e *Evaluation) rows(w io.Writer) {
	for _, p := range e.Parts() {
		for _, n := range p.Figures {
			fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", e.Gold, e.Half, p.Name, p.CoLinked, n.Name, figureCells(n.Figure))
		}
	}
}

// figureCells returns the value of a figure, its n and its intervals; what is undefined is empty.
func figureCells(f score.Figure) string {
	cells := []string{"", fmt.Sprint(f.N)}
	if f.Defined() {
		cells[0] = fmt.Sprintf("%.6g", f.Value)
	}
	for _, i := range []*score.Interval{f.Queries, f.Lists} {
		if i == nil || !f.Defined() {
			cells = append(cells, "", "")
			continue
		}
		cells = append(cells, fmt.Sprintf("%.6g", i.Low), fmt.Sprintf("%.6g", i.High))
	}
	return strings.Join(cells, "\t")
}

// RecallCommand measures how many of the similar pairs the index found, or prints the errors of sketches.
func RecallCommand(args []string) error {
	o := RecallOptions{Edges: RecallEdges}
	flags := flag.NewFlagSet("recall", flag.ContinueOnError)
	flags.IntVar(&o.Sample, "sample", 300, "documents to draw")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the draw")
	flags.Float64Var(&o.Above, "above", 0.3, "the last row is for all pairs with this similarity or more")
	flags.Float64Var(&o.Recall, "recall", 0.95, "the share of these pairs that the last table is for")
	flags.IntVar(&o.Bootstrap, "bootstrap", 2000, "resamples for the intervals; 0: no intervals")
	bounds := flags.Bool("bounds", false, "print the errors of sketches instead, without a run")
	eps := flags.Float64("eps", 0.05, "with -bounds, the error to allow")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *bounds == (flags.NArg() == 1) {
		return errors.New("give a run, or -bounds alone")
	}
	if *bounds {
		printBounds(os.Stdout, *eps)
		return nil
	}
	r, err := runs.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer r.Close()
	x, err := MeasureRecall(context.Background(), r, o)
	if err != nil {
		return err
	}
	recallTable(os.Stdout, x)
	return nil
}

func cell(f score.Figure) string {
	if i := f.Interval(); i != nil && f.Defined() {
		return fmt.Sprintf("%.3f [%.3f %.3f]", f.Value, i.Low, i.High)
	}
	return bare(f)
}

func bare(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3f", f.Value)
}

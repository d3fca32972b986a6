package report

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

// Command reads the flags, measures and writes the page.
func Command(args []string) error {
	var golds []string
	o := Options{Options: evaluate.Options{Depth: 3, Apart: true, Baselines: append(evaluate.AllBaselines(), TFIDF)}}
	flags := flag.NewFlagSet("report", flag.ContinueOnError)
	flags.Func("gold", "a gold with categories, or tree; may be given several times", func(s string) error { golds = append(golds, s); return nil })
	path := flags.String("html", "report.html", "the page")
	half := flags.String("half", "all", "targets to measure: dev, test or all")
	flags.IntVar(&o.Sample, "sample", 300, "bags to compare with all others; 0: none")
	flags.IntVar(&o.Examples, "examples", 3, "queries to show for every two methods")
	flags.IntVar(&o.Bootstrap, "bootstrap", 1000, "resamples for the intervals; 0: no intervals")
	flags.Uint64Var(&o.Seed, "seed", 1, "seed of the resamples")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 || len(golds) == 0 {
		return errors.New("give a run and -gold")
	}
	var err error
	if o.Half, err = score.ParseHalf(*half); err != nil {
		return err
	}
	r, err := runs.Open(flags.Arg(0))
	if err != nil {
		return err
	}
	defer r.Close()
	ctx := context.Background()
	var all []*Evaluation
	for _, name := range golds {
		g, err := evaluate.Gold(name, r)
		if err != nil {
			return err
		}
		e, err := measured(ctx, r, g, o)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, e)
	}
	page, err := New(ctx, filepath.Base(flags.Arg(0)), r, all, o)
	if err != nil {
		return err
	}
	out, err := os.Create(*path)
	if err != nil {
		return err
	}
	return errors.Join(page.HTML(out), out.Close())
}

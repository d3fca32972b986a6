package main

import (
	"context"
	"errors"
	"os"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/pflag"
)

// goldFlags are the flags of a command that evaluates a run against golds, one after the other.
type goldFlags struct {
	golds []string
	half  string
	output
	options eval.Options
}

// bind adds the flags. depth says what the levels are for. The caller adds its own flags before.
func (f *goldFlags) bind(flags *pflag.FlagSet, depth string) {
	flags.StringArrayVar(&f.golds, "gold", nil, "`GOLD` file, tree or breadcrumbs (see eval directory); may be given several times")
	flags.IntVar(&f.options.Depth, "depth", 3, depth)
	flags.StringVar(&f.half, "half", "all", "which `HALF` of the targets to measure: all, dev or test")
	flags.IntVar(&f.options.Bootstrap, "bootstrap", 1000, "`N` resamples for the intervals; 0: no intervals")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "`SEED` of the resamples")
	evaluating(flags)
	f.output.bind(flags, "a figure")
	flags.SortFlags = false
}

// check reports wrong usage before anything is read.
func (f *goldFlags) check() (err error) {
	if err := f.output.check(); err != nil {
		return err
	}
	if f.options.Half, err = score.ParseHalf(f.half); err != nil {
		return usage(err)
	}
	if len(f.golds) == 0 {
		return usage(errors.New("--gold is missing: a file, tree or breadcrumbs"))
	}
	return nil
}

// eachGold evaluates a run against each gold and writes the evaluations. If one gold cannot be used, it goes on with the
// others.
func eachGold[E any](ctx context.Context, f *goldFlags, r *query.Run, evaluate func(g *gold.Gold) (E, error), write func([]E) error) error {
	var all []E
	var failed []error
	for _, name := range f.golds {
		g, err := readGold(ctx, r, name)
		if err == nil {
			var e E
			if e, err = evaluate(g); err == nil {
				skippedNotes(os.Stderr, g.Skipped)
				all = append(all, e)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = append(failed, err)
	}
	if len(all) > 0 {
		failed = append(failed, write(all))
	}
	return errors.Join(failed...)
}

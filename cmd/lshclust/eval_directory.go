package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// directoryFlags holds the flags of eval directory.
type directoryFlags struct {
	golds   []string
	half    string
	bases   []string
	options eval.Options
	output
}

func newEvalDirectory() *cobra.Command {
	f := &directoryFlags{}
	list := ""
	for _, b := range eval.AllBaselines() {
		list += fmt.Sprintf("  %-8s %s\n", b.Name, b.About)
	}
	c := &cobra.Command{
		Use:   "directory RUN --gold GOLD...",
		Short: "Compare related pages and clusters with categories that people chose",
		Long: `Directory compares a run with a gold: URLs, each with the path of a category that people chose. Every URL of the gold (a
target) is a query in turn, and the run answers it as lshclust related does. Is its nearest neighbour in the same category,
at the first, second and third level of the path? Are the first ten? Are the members of its cluster? Next to every figure
are the figure that chance would give, and a 95 % interval, which resamples whole lists (the targets under the same first
two levels). An explanation of the figures follows the table.

A gold is a file of lines URL, tab, category/path (a URL may have several lines). "tree" stands for the folders in the URLs
of the crawled pages.

A run finds neighbours among all its documents. Those that are not targets have no category, so they are skipped, and the
nearest target counts. The baselines exact and tfidf choose only among the targets.

Pages in one list share the words around their links, which makes related pages easier to find. Therefore the figures are
given twice: over all pairs, and without the pairs that one page links to together. --apart=false leaves out the second.
The run has recorded these links; the link of a page to itself does not count, and neither do links that the run does not
use, such as nofollow ones.

Choose settings on --half dev and report --half test. The hash of its name decides which half a list is in. The targets of
the other half are still candidates.

If the gold cannot tell a good result from a bad one (one category, no two targets in the same category, fewer than two
targets in the run, an empty half), the command says so and exits with 1, without figures. For another kind of gold it
exits with 2.

Baselines:
` + strings.TrimRight(list, "\n"),
		Example: `  lshclust eval directory RUN --gold gold.tsv
  lshclust eval directory RUN --gold gold.tsv --gold other.tsv --half dev --format tsv > figures.tsv
  lshclust eval directory RUN --gold content.rdf.u8.gz --known --depth 4
  lshclust eval directory RUN --gold tree
  lshclust eval directory RUN --gold gold.tsv --baselines stored`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			return f.run(c.Context(), args[0])
		},
	}
	f.add(c.Flags())
	f.output.bind(c.Flags(), "a figure")
	return c
}

func (f *directoryFlags) add(flags *pflag.FlagSet) {
	flags.StringArrayVar(&f.golds, "gold", nil, "`GOLD` file or tree; may be given several times")
	flags.IntVar(&f.options.Depth, "depth", 3, "number of `LEVELS` of the paths to compare")
	oneOf(flags, &f.half, "half", "all", []string{"all", "dev", "test"}, "which `HALF` of the targets are queries")
	flags.BoolVar(&f.options.Known, "known", false, "use only targets that the run holds; otherwise the others count as wrong")
	flags.BoolVar(&f.options.Apart, "apart", true, "also measure without the pairs that one page links to together")
	flags.StringSliceVar(&f.bases, "baselines", []string{"stored", "exact"}, "`BASELINES` to compare the run with: all, or some of stored, exact")
	showDefault(flags, "baselines", "stored,exact")
	flags.IntVar(&f.options.Bootstrap, "bootstrap", 1000, "`N` resamples for the intervals; 0: no intervals")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "`SEED` of the resamples")
	inRange(flags, "depth", 1, 20)
	inRange(flags, "bootstrap", 0, 100_000)
}

// check reports wrong usage before anything is read.
func (f *directoryFlags) check() (err error) {
	if f.options.Half, err = score.ParseHalf(f.half); err != nil {
		return usage(err)
	}
	if f.options.Baselines, err = eval.ParseBaselines(f.bases); err != nil {
		return usage(err)
	}
	if len(f.golds) == 0 {
		return usage(errors.New("--gold is missing: give a file of URLs and categories (--gold gold.tsv) or tree"))
	}
	return nil
}

// run evaluates a run and prints what could be measured.
func (f *directoryFlags) run(ctx context.Context, path string) error {
	if err := f.check(); err != nil {
		return err
	}
	return withRun(path, func(r *query.Run) error {
		all, err := f.evaluate(ctx, r)
		if len(all) > 0 && ctx.Err() == nil {
			err = errors.Join(err, f.write(all))
		}
		return err
	})
}

// evaluate evaluates the run against each gold. It skips golds that cannot be used.
func (f *directoryFlags) evaluate(ctx context.Context, r *query.Run) (all []*eval.Evaluation, err error) {
	var failed []error
	for _, name := range f.golds {
		g, err := readGold(r, name)
		if err == nil {
			var e *eval.Evaluation
			if e, err = eval.Evaluate(ctx, r, g, f.options); err == nil {
				f.notes(e)
				all = append(all, e)
			}
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		failed = append(failed, err)
	}
	return all, errors.Join(failed...)
}

func readGold(r *query.Run, name string) (*gold.Gold, error) {
	if name != gold.TreeName {
		return gold.Read(name, r.Rules())
	}
	g := gold.Tree(r)
	if len(g.Labels) == 0 {
		return nil, fmt.Errorf("%s: no crawled page of the run has any", name)
	}
	return g, nil
}

// notes prints what was skipped. The table itself names the levels that cannot discriminate.
func (f *directoryFlags) notes(e *eval.Evaluation) {
	say := func(format string, a ...any) {
		fmt.Fprintln(os.Stderr, harmless.Cell(e.Gold+": "+fmt.Sprintf(format, a...)))
	}
	for _, s := range e.Skipped {
		say("%d × %s, the first %s", s.Count, s.Reason, s.Examples[0])
	}
	if n := e.Targets - e.Known; n > 0 {
		say("the run does not hold %d of %d targets, the first %s", n, e.Targets, e.Unknown[0])
	}
	for _, warning := range e.Warnings {
		say("%s", warning)
	}
	if f.format != formatTable {
		for _, level := range e.Indistinct {
			say("%s", level)
		}
	}
}

func (f *directoryFlags) write(all []*eval.Evaluation) error {
	columns := append([]string{"gold", "half", "part", "colinked"}, figureColumns...)
	return f.emit(printed, all, func(w io.Writer) {
		for i, e := range all {
			if i > 0 {
				fmt.Fprintln(w)
			}
			directoryTable(w, e)
		}
	}, columns, func(yield func([]any) bool) {
		for _, e := range all {
			for _, p := range e.Parts() {
				for _, n := range p.Figures {
					if !yield(append([]any{e.Gold, e.Half.String(), p.Name, p.CoLinked}, figureCells(n)...)) {
						return
					}
				}
			}
		}
	})
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// directoryFlags are the flags of eval directory.
type directoryFlags struct {
	golds  []string
	half   string
	bases  []string
	dense  []string
	inputs []string
	orders []string
	output
	options eval.Options
	page    reportFlags
	changed func(name string) bool // reports whether a flag was given
}

func newEvalDirectory() *cobra.Command {
	f := &directoryFlags{}
	c := &cobra.Command{
		Use:   "directory RUN... --gold GOLD...",
		Short: "Compare related pages and clusters with categories that people chose",
		Long: `Directory compares a run with a gold: URLs, each with the path of a category that people chose. Every URL of the gold (a
target) is a query in turn, and the run answers it as lshclust related does. Is its nearest neighbour in the same category,
at the first, second and third level of the path? Are the first ten? Are the members of its cluster? Next to every figure
are the figure that chance would give, and a 95 % interval, which resamples whole lists (the targets under the same first
two levels). An explanation of the figures follows the table.

A gold is a file of lines URL, tab, category/path (a URL may have several lines), a content dump of DMOZ (content.rdf.u8,
gzipped or not) or a dump of Curlie (archive or folder). "tree" stands for the folders in the URLs of the crawled pages,
"breadcrumbs" for the breadcrumbs on these pages, which are read from the inputs of the run.

A run finds neighbours among all its documents. Those that are not targets have no category, so they are skipped, and the
nearest target counts. Most baselines choose only among the targets, where no other documents take places in large buckets
or among the nearest neighbours that are stored. stored-targets and index-targets show the run under the same condition.

Pages in one list share the words around their links, which makes related pages easier to find. Therefore the figures are
given twice: over all pairs, and without the pairs that one page links to together. --apart=false leaves out the second.
The run has recorded these links; the link of a page to itself does not count, and neither do links that the run does not
use, such as nofollow ones.

With several runs of the same inputs, for example with different seeds, every figure is the mean over the runs, with its
standard deviation and its range. Runs of other inputs are refused, and settings in which the runs differ are named.

--thresholds and --orders cluster the stored pairs again and compare B-cubed figures, each order at every threshold.

Choose settings on --half dev and report --half test. The hash of its name decides which half a list is in. The targets of
the other half are still candidates.

If the gold cannot tell a good result from a bad one (one category, no two targets in the same category, fewer than two
targets in the run, an empty half), the command says so and exits with 1, without figures. For another kind of gold it
exits with 2.

Baselines:
` + baselineNames() + `
Baselines about text weigh words by document frequencies over all documents of the run, if its bags are of that kind. Those
from tfidf on read the inputs of the run again. --vectors measures another program beside them: each line of its file is a
URL, a tab, and numbers separated by spaces, and the vectors of all targets are compared by their cosine.

` + reportHelp,
		Example: `  lshclust eval directory RUN --gold gold.tsv
  lshclust eval directory RUN --gold gold.tsv --gold other.tsv --half dev --format tsv > figures.tsv
  lshclust eval directory RUN --gold content.rdf.u8.gz --known --depth 4
  lshclust eval directory RUN --gold tree
  lshclust eval directory RUN --gold gold.tsv --baselines all                # beside tf-idf, co-citation, content
  lshclust eval directory RUN --gold gold.tsv --baselines exact,tfidf --input moved/pages.jsonl.gz
  lshclust eval directory RUN --gold gold.tsv --baselines stored,related-1x50,related-2x100   # which rounds and width
  lshclust eval directory RUN --gold gold.tsv --vectors minilm=minilm.tsv    # beside sentence embeddings
  lshclust eval directory SEED1 SEED2 SEED3 --gold gold.tsv                   # mean and spread over runs
  lshclust eval directory RUN --gold gold.tsv --thresholds 0.1,0.15,0.2,0.3 --orders all   # which clusters are best
  lshclust eval directory RUN --gold gold.tsv --html report.html              # a page to read and to show
  lshclust eval directory RUN --gold gold.tsv --html report.html --content CONTENTRUN --settings settings.json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.changed = c.Flags().Changed
			if err := f.check(args); err != nil {
				return err
			}
			runs, err := openNamed(args)
			defer func() { closeRuns(runs) }()
			if err != nil {
				return err
			}
			return f.evaluate(c.Context(), printed, runs)
		},
	}
	f.add(c.Flags())
	return c
}

func (f *directoryFlags) add(flags *pflag.FlagSet) {
	f.options.Lookup = query.DefaultLookup
	l := &f.options.Lookup
	flags.StringArrayVar(&f.golds, "gold", nil, "`GOLD` file, tree or breadcrumbs; may be given several times")
	flags.IntVar(&f.options.Depth, "depth", 3, "number of `LEVELS` of the paths to compare")
	flags.StringVar(&f.half, "half", "all", "which `HALF` of the targets are queries: all, dev or test")
	flags.BoolVar(&f.options.Known, "known", false, "use only targets that the run holds; otherwise the others count as wrong")
	flags.BoolVar(&f.options.Apart, "apart", true, "also measure without the pairs that one page links to together")
	flags.StringSliceVar(&f.bases, "baselines", []string{"stored", "index", "exact"}, "`BASELINES` to compare the run with: all, or some of the above")
	flags.StringArrayVar(&f.dense, "vectors", nil, "`NAME=FILE`: also measure the cosine of the vectors in a file (see eval windows)")
	flags.StringArrayVar(&f.inputs, "input", nil, "`PATH` of an input of the run, if the inputs were moved; give all of them")
	flags.IntVar(&l.Rounds, "rounds", l.Rounds, "look for neighbours of neighbours in `N` rounds, as related does; 0: only stored neighbours")
	flags.IntVar(&l.Width, "width", l.Width, "in each round, compare with the `N` nearest neighbours of each of the N nearest documents so far")
	counting(flags, 1, "width")
	inRange(flags, "rounds", 0, mostRounds)
	flags.Float64SliceVar(&f.options.Thresholds, "thresholds", nil, "also cluster the stored pairs at each `SIMILARITY` and compare")
	flags.StringSliceVar(&f.orders, "orders", nil, "with --thresholds: `ORDERS` in which CENTER scans the documents: all, or some of "+orderNames())
	flags.Float64SliceVar(&f.options.Tree, "tree", nil, "measure the tree with these average `SIMILARITIES` for its levels (default those of the run)")
	flags.IntVar(&f.options.Bootstrap, "bootstrap", 1000, "`N` resamples for the intervals; 0: no intervals")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "`SEED` of the resamples")
	evaluating(flags)
	f.output.bind(flags, "a figure")
	f.page.add(flags)
	flags.SortFlags = false
}

// check reports wrong usage before anything is read.
func (f *directoryFlags) check(runs []string) (err error) {
	if err := f.output.check(); err != nil {
		return err
	}
	if len(runs) > 1 && f.page.path != "" {
		return usage(errors.New("--html shows one run, so give a single RUN with it"))
	}
	if f.options.Half, err = score.ParseHalf(f.half); err != nil {
		return usage(err)
	}
	if f.options.Baselines, err = eval.ParseBaselines(f.bases); err != nil {
		return usage(err)
	}
	if f.options.Orders, err = parseOrders(f.orders, f.options.Thresholds); err != nil {
		return usage(err)
	}
	if err := f.page.check(f.changed); err != nil {
		return err
	}
	if err := f.addVectors(); err != nil {
		return usage(err)
	}
	for _, in := range f.inputs {
		if _, err := os.Stat(in); err != nil {
			return usage(fmt.Errorf("--input: %w", err))
		}
	}
	if len(f.golds) == 0 {
		return usage(errors.New("--gold is missing: give a file of URLs and categories (--gold gold.tsv), tree or breadcrumbs"))
	}
	return nil
}

// evaluate evaluates the runs against each gold.
func (f *directoryFlags) evaluate(ctx context.Context, w io.Writer, runs []eval.NamedRun) error {
	for _, r := range runs {
		for _, t := range f.options.Thresholds {
			if !(t >= r.Config.Similarity && t <= 1) {
				return usage(fmt.Errorf("--thresholds %g: the run %s has stored pairs of similarity %g to 1", t, r.Name, r.Config.Similarity))
			}
		}
	}
	for _, t := range f.options.Tree {
		if !(t > 0 && t <= 1) {
			return usage(fmt.Errorf("--tree %g: must be above 0 and at most 1", t))
		}
	}
	f.options.Workers = runtime.GOMAXPROCS(0)
	f.options.Web = f.web()
	if len(runs) > 1 {
		return f.several(ctx, w, runs)
	}
	if err := f.page.open(runs[0]); err != nil {
		return err
	}
	defer f.page.close()
	r := runs[0].Run
	f.page.fill(r, &f.options, f.changed)
	var golds []*gold.Gold
	var all []*eval.Evaluation
	err := f.each(ctx, r, func(g *gold.Gold) error {
		e, err := eval.Evaluate(ctx, r, g, f.options)
		if err == nil {
			directoryNotes(os.Stderr, e, f.format == formatTable)
			golds, all = append(golds, g), append(all, e)
		}
		return err
	})
	if len(all) > 0 && ctx.Err() == nil {
		err = errors.Join(err, f.write(w, all), f.page.write(ctx, golds, all, f.options))
	}
	return err
}

// each reads the golds by the rules of a run and calls measure for each of them. If one cannot be used, it goes on with
// the others.
func (f *directoryFlags) each(ctx context.Context, r *query.Run, measure func(*gold.Gold) error) error {
	var failed []error
	for _, name := range f.golds {
		g, err := readGold(ctx, r, name)
		if err == nil {
			err = measure(g)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}

func readGold(ctx context.Context, r *query.Run, name string) (*gold.Gold, error) {
	var g *gold.Gold
	switch name {
	case gold.TreeName:
		g = gold.Tree(r)
	case gold.BreadcrumbsName:
		var err error
		if g, err = gold.Breadcrumbs(ctx, r); err != nil {
			return nil, err
		}
	default:
		g, err := gold.Read(name, r.Rules())
		return g, err
	}
	if len(g.Labels) == 0 {
		return nil, fmt.Errorf("%s: no crawled page of the run has any", name)
	}
	return g, nil
}

// directoryNotes prints what was left out. told says that the table has already named the levels that tell nothing.
func directoryNotes(w io.Writer, e *eval.Evaluation, told bool) {
	say := func(format string, a ...any) { fmt.Fprintln(w, harmless.Cell(e.Gold+": "+fmt.Sprintf(format, a...))) }
	for _, s := range e.Skipped {
		say("%d × %s, the first %s", s.Count, s.Reason, s.Examples[0])
	}
	if n := e.Targets - e.Known; n > 0 {
		say("the run does not hold %d of %d targets, the first %s", n, e.Targets, e.Unknown[0])
	}
	for _, warning := range e.Warnings {
		say("%s", warning)
	}
	if !told {
		for _, level := range e.Indistinct {
			say("%s", level)
		}
	}
}

func (f *directoryFlags) write(w io.Writer, all []*eval.Evaluation) error {
	if done, err := writeWhole(w, f.format, all, directoryTable); done {
		return err
	}
	out := f.rows(w, append([]string{"gold", "half", "part", "colinked"}, figureColumns...)...)
	for _, e := range all {
		if err := directoryRows(out, e); err != nil {
			return err
		}
	}
	return out.close()
}

// directoryRows writes a row for each figure. Undefined values are empty, and null in JSON.
func directoryRows(out *rowWriter, e *eval.Evaluation) error {
	for _, p := range e.Parts() {
		for _, n := range p.Figures {
			if err := out.row(append([]any{e.Gold, e.Half.String(), p.Name, p.CoLinked}, figureCells(n)...)...); err != nil {
				return err
			}
		}
	}
	return nil
}

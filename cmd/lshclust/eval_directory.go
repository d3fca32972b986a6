package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// directoryFlags are the flags of eval directory.
type directoryFlags struct {
	golds  []string
	half   string
	bases  []string
	inputs []string
	output
	options eval.Options
	page    reportFlags
	changed func(name string) bool // reports whether a flag was given
}

func newEvalDirectory() *cobra.Command {
	f := &directoryFlags{}
	c := &cobra.Command{
		Use:   "directory RUN --gold GOLD...",
		Short: "Compare related pages and clusters with categories that people chose",
		Long: `Directory compares a run with a gold: URLs, each with the path of a category that people chose. Every URL of the gold (a
target) is a query in turn. Is its nearest neighbour in the same category, at the first, second and third level of the
path? Are the first ten? Are the members of its cluster? Next to every figure are the figure that chance would give, and a
95 % interval, which resamples whole lists (the targets under the same first two levels). An explanation of the figures
follows the table.

A gold is a file of lines URL, tab, category/path (a URL may have several lines), a content dump of DMOZ (content.rdf.u8,
gzipped or not) or a dump of Curlie (archive or folder). "tree" stands for the folders in the URLs of the crawled pages,
"breadcrumbs" for the breadcrumbs on these pages, which are read from the inputs of the run.

A run finds neighbours among all its documents. Those that are not targets have no category, so they are skipped, and the
nearest target counts. Most baselines choose only among the targets, where no other documents take places in large buckets
or among the nearest neighbours that are stored. stored-targets and index-targets show the run under the same condition.

Pages in one list share the words around their links, which makes related pages easier to find. Therefore the figures are
given twice: over all pairs, and without the pairs that one page links to together. --apart=false leaves out the second.

Choose settings on --half dev and report --half test. The hash of its name decides which half a list is in. The targets of
the other half are still candidates.

If the gold cannot tell a good result from a bad one (one category, no two targets in the same category, fewer than two
targets in the run, an empty half), the command says so and exits with 1, without figures. For another kind of gold it
exits with 2.


Baselines:
` + baselineNames() + `
Baselines about text weigh words by document frequencies over all documents of the run, if its bags are of that kind. All
but the first four read the inputs of the run again.

` + reportHelp,
		Example: `  lshclust eval directory RUN --gold gold.tsv
  lshclust eval directory RUN --gold gold.tsv --gold other.tsv --half dev --format tsv > figures.tsv
  lshclust eval directory RUN --gold content.rdf.u8.gz --known --depth 4
  lshclust eval directory RUN --gold tree
  lshclust eval directory RUN --gold gold.tsv --baselines all                # beside tf-idf, co-citation, content
  lshclust eval directory RUN --gold gold.tsv --baselines exact,tfidf --input moved/pages.jsonl.gz
  lshclust eval directory RUN --gold gold.tsv --thresholds 0.1,0.15,0.2,0.3   # which threshold of CENTER is best
  lshclust eval directory RUN --gold gold.tsv --html report.html              # a page to read and to show
  lshclust eval directory RUN --gold gold.tsv --html report.html --content CONTENTRUN --settings settings.json`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			f.changed = c.Flags().Changed
			if err := f.check(); err != nil {
				return err
			}
			r, err := openRun(args[0])
			if err != nil {
				return err
			}
			defer r.Close()
			return f.run(c.Context(), printed, args[0], r)
		},
	}
	flags := c.Flags()
	flags.StringArrayVar(&f.golds, "gold", nil, "`GOLD` file, tree or breadcrumbs; may be given several times")
	flags.IntVar(&f.options.Depth, "depth", 3, "number of `LEVELS` of the paths to compare")
	flags.StringVar(&f.half, "half", "all", "which `HALF` of the targets are queries: all, dev or test")
	flags.BoolVar(&f.options.Known, "known", false, "use only targets that the run holds; otherwise the others count as wrong")
	flags.BoolVar(&f.options.Apart, "apart", true, "also measure without the pairs that one page links to together; this reads the inputs again")
	flags.StringSliceVar(&f.bases, "baselines", []string{"index", "stored-targets", "index-targets"}, "`BASELINES` to compare the run with: all, or some of the above")
	flags.StringArrayVar(&f.inputs, "input", nil, "`PATH` of an input of the run, if the inputs were moved; give all of them")
	flags.Float64SliceVar(&f.options.Thresholds, "thresholds", nil, "also cluster the stored pairs at each `SIMILARITY` and compare")
	flags.Float64SliceVar(&f.options.Tree, "tree", nil, "measure the tree with these average `SIMILARITIES` for its levels (default those of the run)")
	flags.IntVar(&f.options.Bootstrap, "bootstrap", 1000, "`N` resamples for the intervals; 0: no intervals")
	flags.Uint64Var(&f.options.Seed, "seed", 1, "`SEED` of the resamples")
	evaluating(flags)
	f.output.bind(flags, "a figure")
	f.page.add(flags)
	flags.SortFlags = false
	return c
}

// check reports wrong usage before anything is read.
func (f *directoryFlags) check() (err error) {
	if err := f.output.check(); err != nil {
		return err
	}
	if f.options.Half, err = score.ParseHalf(f.half); err != nil {
		return usage(err)
	}
	if f.options.Baselines, err = eval.ParseBaselines(f.bases); err != nil {
		return usage(err)
	}
	if err := f.page.check(f.changed); err != nil {
		return err
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

// run evaluates the run against each gold. If one gold cannot be used, it goes on with the others.
func (f *directoryFlags) run(ctx context.Context, w io.Writer, path string, r *query.Run) error {
	for _, t := range f.options.Thresholds {
		if !(t >= r.Config.Similarity && t <= 1) {
			return usage(fmt.Errorf("--thresholds %g: the run has stored pairs of similarity %g to 1", t, r.Config.Similarity))
		}
	}
	if err := f.page.open(path, r); err != nil {
		return err
	}
	defer f.page.close()
	f.page.fill(r, &f.options, f.changed)
	f.options.Workers = runtime.GOMAXPROCS(0)
	if f.options.Apart || slices.ContainsFunc(f.options.Baselines, func(b eval.Baseline) bool { return b.Web }) {
		f.options.Web = f.web(r)
	}
	var golds []*gold.Gold
	var all []*eval.Evaluation
	var failed []error
	for _, name := range f.golds {
		g, err := readGold(ctx, r, name)
		if err == nil {
			var e *eval.Evaluation
			if e, err = eval.Evaluate(ctx, r, g, f.options); err == nil {
				directoryNotes(os.Stderr, e, f.format == formatTable)
				golds, all = append(golds, g), append(all, e)
			}
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		failed = append(failed, err)
	}
	if len(all) > 0 {
		failed = append(failed, f.write(w, all), f.page.write(ctx, golds, all, f.options))
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
	put := func(part, colinked string, figures []score.Named) error {
		for _, n := range figures {
			if err := out.row(append([]any{e.Gold, e.Half.String(), part, colinked}, figureCells(n)...)...); err != nil {
				return err
			}
		}
		return nil
	}
	for _, b := range e.Baselines {
		for i := range b.Related {
			if err := put("baseline "+b.Name, b.Related[i].CoLinked, b.Related[i].Figures()); err != nil {
				return err
			}
		}
	}
	for i := range e.Related {
		s := &e.Related[i]
		if err := put("related", s.CoLinked, s.Figures()); err != nil {
			return err
		}
		for j := range s.InLinks {
			b := &s.InLinks[j]
			if err := put("inlinks "+b.Name, s.CoLinked, b.Scores.Figures()); err != nil {
				return err
			}
		}
	}
	if err := put("clusters", "kept", e.Clusters.Figures()); err != nil {
		return err
	}
	if err := treeRows(e, put); err != nil {
		return err
	}
	for i := range e.Curve {
		if err := put(fmt.Sprintf("threshold %g", e.Curve[i].Threshold), "kept", e.Curve[i].Scores.Figures()); err != nil {
			return err
		}
	}
	return nil
}

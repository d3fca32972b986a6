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
	"github.com/spf13/cobra"
)

// viewing holds the flags of eval views.
type viewing struct {
	options eval.ViewsOptions
	output
	gold, content string
}

func newEvalViews() *cobra.Command {
	f := &viewing{}
	c := &cobra.Command{
		Use:   "views RUN",
		Short: "Compare links, contents and equal texts as ways to find related pages",
		Long: `Views tells which of three ways to compare pages agrees best with a directory: the words around the links to a page, the
words on the page, or the text that it shares with another page. It takes the URLs of the gold that all views know, finds
the neighbours of each among these by comparing all with all (without an index), and counts how often the nearest one is in
the same category. The 95 % intervals resample whole lists of the gold: the URLs under the same first two levels.

Below the figures are URLs for which one view is right and another one wrong, with the words or shingles that explain it.`,
		Example: `  lshclust cluster -o RUN pages.warc.gz
  lshclust cluster -o CONTENTRUN --bags content --views topical pages.warc.gz
  lshclust eval views RUN --content CONTENTRUN --gold gold.tsv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := f.output.check(); err != nil {
				return err
			}
			if f.gold == "" {
				return usage(errors.New("--gold is missing: give a file of lines URL, tab, category/path"))
			}
			return f.run(c.Context(), args[0])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.gold, "gold", "", "`FILE` of lines URL, tab, category/path")
	flags.StringVar(&f.content, "content", "", "second `RUN` over the same pages, made with --bags content")
	flags.IntVar(&f.options.Depth, "depth", 3, "number of `LEVELS` of the paths to compare")
	flags.IntVar(&f.options.Examples, "examples", 3, "number of `QUERIES` to show for every two views")
	flags.IntVar(&f.options.Score.Bootstrap, "bootstrap", 1000, "number of `RESAMPLES` for the intervals; 0: no intervals")
	flags.Uint64Var(&f.options.Score.Seed, "seed", 1, "`SEED` of the resamples")
	evaluating(flags)
	counting(flags, 0, "examples")
	f.output.bind(flags, "a figure")
	flags.SortFlags = false
	return c
}

func (f *viewing) run(ctx context.Context, path string) error {
	runs, g, err := openRuns(path, f.content, f.gold)
	defer closeRuns(runs)
	if err != nil {
		return err
	}
	x, err := eval.CompareViews(ctx, g, runs, f.options)
	if err != nil {
		return err
	}
	skippedNotes(os.Stderr, g.Skipped)
	switch f.format {
	case formatTable:
		viewsTable(printed, x)
		return nil
	case formatJSON:
		return writeJSON(printed, x)
	}
	return viewsRows(f.rows(printed, append([]string{"gold", "view"}, figureColumns...)...), x)
}

// openRuns opens a run and, if given, a second one, and reads a gold by the rules of the first. It returns the opened
// runs even if there is an error.
func openRuns(path, second, goldFile string) (runs []eval.NamedRun, g *gold.Gold, err error) {
	for _, p := range []string{path, second} {
		if p == "" {
			continue
		}
		r, err := openRun(p)
		if err != nil {
			return runs, nil, err
		}
		runs = append(runs, eval.NamedRun{Name: runName(p), Run: r})
	}
	rules, err := runs[0].Config.Rules()
	if err != nil {
		return runs, nil, err
	}
	g, err = gold.Read(goldFile, rules)
	return runs, g, err
}

func closeRuns(runs []eval.NamedRun) {
	for _, r := range runs {
		r.Close()
	}
}

func viewsTable(w io.Writer, x *eval.Views) {
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s: %d URLs;", whole(x.Gold), x.Labelled)
	for _, k := range x.Known {
		fmt.Fprintf(w, " %s knows %d,", k.View, k.Known)
	}
	fmt.Fprintf(w, "\nall know %d, which are measured; each view compares these with one another\n\n", x.Common)
	for _, warning := range x.Warnings {
		prose(w, warning, 0, 2)
	}
	levels := len(x.Scores[0].Levels)
	var coverage, same []levelRow
	for _, s := range x.Scores {
		coverage = append(coverage, levelRow{s.Ranking, func(int) string { return cell(s.Coverage) }})
		same = append(same, levelRow{s.Ranking, func(k int) string { return cell(s.Levels[k].Hit) }})
	}
	fmt.Fprintln(w, "coverage: share of these URLs that have a neighbour")
	for _, r := range coverage {
		fmt.Fprintf(w, "  %-17s %s\n", r.name, r.of(0))
	}
	fmt.Fprintln(w, "same category: share of all these URLs whose nearest one is in the same category")
	levelTable(w, "", levels, append(same, levelRow{"by chance", func(k int) string { return bare(x.Scores[0].Levels[k].Chance) }}))
	fmt.Fprintln(w, "difference of two views in that share, on the same URLs")
	for _, d := range x.Differences {
		for k := range levels {
			f := named(d.Figures, fmt.Sprintf("same_category_%d", k+1))
			f.Queries = f.Lists
			fmt.Fprintf(w, "  %-26s level %d  %s\n", d.A+" less "+d.B, k+1, signedCell(f))
		}
	}
	for _, v := range x.Wins {
		fmt.Fprintf(w, "\n%s right, %s wrong: %d URLs for which only the\nnearest one of %s is in the same category at every level\n", v.View, v.Over, v.Queries, v.View)
		for _, e := range v.Examples {
			viewExample(w, v, e)
		}
	}
}

// named returns the figure with the given name.
func named(figures []score.Named, name string) score.Figure {
	for _, f := range figures {
		if f.Name == name {
			return f.Figure
		}
	}
	return score.Figure{}
}

// viewsRows writes a row for each figure of each view, then for the differences of every two views.
func viewsRows(out *rowWriter, x *eval.Views) error {
	for _, s := range x.Scores {
		for _, n := range s.Figures() {
			if err := out.row(append([]any{x.Gold, s.Ranking}, figureCells(n)...)...); err != nil {
				return err
			}
		}
	}
	for _, d := range x.Differences {
		for _, n := range d.Figures {
			if err := out.row(append([]any{x.Gold, d.A + " less " + d.B}, figureCells(n)...)...); err != nil {
				return err
			}
		}
	}
	return out.close()
}

func viewExample(w io.Writer, v eval.ViewWins, e eval.ViewExample) {
	fmt.Fprintf(w, "  %s\n    %s\n", detail(e.URL, 2), detail(strings.Join(e.Paths, " | "), 4))
	for _, side := range []struct {
		view string
		n    eval.ViewNearest
	}{{v.View, e.Right}, {v.Over, e.Wrong}} {
		if side.n.URL == "" {
			fmt.Fprintf(w, "    %-12s none\n", side.view)
			continue
		}
		reason := strings.Join(side.n.Words, " ")
		if t := side.n.Text; t != nil {
			reason = fmt.Sprintf("%s: %.0f %% of its shingles, %.0f %% of the other's", t.Relation, 100*t.OfThis, 100*t.OfOther)
		}
		fmt.Fprintf(w, "    %-12s %.3f %s\n", side.view, side.n.Similarity, detail(side.n.URL, 23))
		fmt.Fprintf(w, "    %-12s       %s\n", "", detail(reason+"; "+strings.Join(side.n.Paths, " | "), 23))
	}
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/query"
	"github.com/spf13/cobra"
)

// viewing is the flags of eval views.
type viewing struct {
	options               eval.ViewsOptions
	gold, content, format string
}

func newEvalViews() *cobra.Command {
	f := &viewing{}
	c := &cobra.Command{
		Use:   "views RUN",
		Short: "Anchors, content and resemblance on the same URLs of a directory",
		Long: `Views asks which representation knows best what belongs together: the words around links, the words of the page, or the
same text. It takes the gold URLs that all of them know, finds the neighbours of each among these by brute force (no index
takes part), and scores them as eval directory does: coverage, and per level of the category path the share of nearest
neighbours that agree. Intervals of 95 % resample whole lists of the gold. Differences are between rankings of the same
queries. Then queries where one view's nearest neighbour agrees at the deepest level and the other's does not, with the
words or shingles that are the reason.`,
		Example: `  lshclust cluster -o RUN pages.warc.gz
  lshclust cluster -o CONTENTRUN --bags content --views topical pages.warc.gz
  lshclust eval views RUN --content CONTENTRUN --gold gold.tsv`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if err := checkFormat(f.format, formatTable, formatJSON); err != nil {
				return err
			}
			if f.gold == "" || f.options.Depth < 1 || f.options.Examples < 0 || f.options.Score.Bootstrap < 0 {
				return usage(errors.New("give --gold FILE; --depth must be 1 or more, --examples and --bootstrap 0 or more"))
			}
			return f.run(c.Context(), args[0])
		},
	}
	flags := c.Flags()
	flags.StringVar(&f.gold, "gold", "", "`FILE` of URL and category path")
	flags.StringVar(&f.content, "content", "", "second `RUN` over the same pages, made with --bags content")
	flags.IntVar(&f.options.Depth, "depth", 3, "`LEVELS` of the category path that are told apart")
	flags.IntVar(&f.options.Examples, "examples", 3, "`QUERIES` to show for every two views")
	flags.IntVar(&f.options.Score.Bootstrap, "bootstrap", 1000, "`RESAMPLES` for the intervals; 0: none")
	flags.Uint64Var(&f.options.Score.Seed, "seed", 1, "of the resampling")
	flags.StringVar(&f.format, "format", formatTable, "table or json")
	flags.SortFlags = false
	return c
}

func (f *viewing) run(ctx context.Context, path string) error {
	runs, gold, err := openRuns(path, f.content, f.gold)
	defer closeRuns(runs)
	if err != nil {
		return err
	}
	x, err := eval.CompareViews(ctx, gold, runs, f.options)
	if err != nil {
		return err
	}
	skippedNotes(os.Stderr, gold.Skipped)
	if f.format == formatJSON {
		return writeJSON(os.Stdout, x)
	}
	viewsTable(os.Stdout, x)
	return nil
}

// openRuns opens a run, perhaps a second one, and reads a gold by the rules of the first. What was opened is returned
// with an error too.
func openRuns(path, second, goldFile string) (runs []eval.NamedRun, gold *eval.Gold, err error) {
	for _, p := range []string{path, second} {
		if p == "" {
			continue
		}
		r, err := query.Open(p)
		if err != nil {
			return runs, nil, err
		}
		runs = append(runs, eval.NamedRun{Name: filepath.Base(filepath.Clean(p)), Run: r})
	}
	rules, err := runs[0].Config.Rules()
	if err != nil {
		return runs, nil, err
	}
	gold, err = eval.ReadGold(goldFile, rules)
	return runs, gold, err
}

func closeRuns(runs []eval.NamedRun) {
	for _, r := range runs {
		r.Close()
	}
}

func viewsTable(w io.Writer, x *eval.Views) {
	fmt.Fprintf(w, "%s: %d URLs;", line(x.Gold, 60), x.Labelled)
	for _, k := range x.Known {
		fmt.Fprintf(w, " %s knows %d,", k.View, k.Known)
	}
	fmt.Fprintf(w, " all know %d, which are measured\n\n", x.Common)
	fmt.Fprintf(w, "%-12s  %-22s", "view", "coverage")
	for _, l := range x.Scores[0].Levels {
		fmt.Fprintf(w, "  %-22s", fmt.Sprintf("nearest agrees, level %d", l.Level))
	}
	fmt.Fprintln(w)
	for _, s := range x.Scores {
		fmt.Fprintf(w, "%-12s  %-22s", s.Ranking, cell(s.Coverage))
		for _, l := range s.Levels {
			fmt.Fprintf(w, "  %-22s", cell(l.Hit))
		}
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "%-12s  %-22s", "chance", "")
	for _, l := range x.Scores[0].Levels {
		fmt.Fprintf(w, "  %-22s", bare(l.Chance))
	}
	fmt.Fprintln(w, "\n(of all URLs: one without a neighbour does not agree)")
	fmt.Fprintln(w)
	for _, d := range x.Differences {
		fmt.Fprintf(w, "%s less %s:", d.A, d.B)
		for _, f := range d.Figures {
			if strings.HasPrefix(f.Name, "hit") {
				f.Figure.Queries = f.Figure.Lists
				fmt.Fprintf(w, "  level %s %s", strings.TrimPrefix(f.Name, "hit"), signedCell(f.Figure))
			}
		}
		fmt.Fprintln(w)
	}
	for _, v := range x.Wins {
		fmt.Fprintf(w, "\n%s over %s: for %d URLs its nearest agrees at the deepest level, the other's does not\n", v.View, v.Over, v.Queries)
		for _, e := range v.Examples {
			viewExample(w, v, e)
		}
	}
}

func viewExample(w io.Writer, v eval.ViewWins, e eval.ViewExample) {
	fmt.Fprintf(w, "  %s  %s\n", line(e.URL, width()-4), line(strings.Join(e.Paths, " | "), max(20, width()-len(e.URL)-4)))
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
		fmt.Fprintf(w, "    %-12s %.3f %s\n", side.view, side.n.Similarity, line(side.n.URL, width()-24))
		fmt.Fprintf(w, "    %-12s       %s\n", "", line(reason+"; "+strings.Join(side.n.Paths, " | "), width()-24))
	}
}

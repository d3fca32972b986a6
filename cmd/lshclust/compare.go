package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/views"
	"github.com/lshclust/lshclust/internal/runs"
)

// comparing holds the flags of compare.
type comparing struct {
	ask.Compare
	output
}

func newCompare() *cobra.Command {
	f := &comparing{Compare: ask.Compare{Window: ask.Window{Limit: 5}}}
	c := &cobra.Command{
		Use:   "compare RUN [RUN2]",
		Short: "Where the two views agree, or which texts two runs share",
		Long: `Compare compares the two views of a run on the pages that are in both, by the two exact figures of every pair that either
view stored: the similarity of the words around the links to both pages, and the resemblance of their texts.

It lists pairs of four kinds, clearest first and one from each cluster: the same text but different links
(mirrors, copies that nobody links to), the same links but different text (successors, rewrites, rivals), both the same,
and neither. json also has how far the clusters of the views agree, and the
numbers of all pairs by both figures, which lshclust serve shows as a table; csv and tsv have all pairs, with the kind in the
column "corner".

With two runs, compare finds the pages with the same or similar texts across them: the pairs that one run over the inputs of
both would have stored, by the thresholds of the first. Pages of a run that equal each other are listed once, with the number
of copies; json has the closest pairs, csv, tsv and jsonl have all. In place of either run, compare takes a file of sketches,
which export wrote; figures are then estimates.`,
		Example: `  lshclust compare RUN
  lshclust compare RUN --limit 20
  lshclust compare RUN --format csv > pairs.csv
  lshclust compare RUN1 RUN2 --format csv > shared.csv
  lshclust compare RUN theirs.sketches`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 2 {
				return f.across(c.Context(), args)
			}
			return withRun(args[0], func(r *runs.Run) error {
				bounds := views.CompareDefaults(r)
				bounds.Top = f.Limit
				return f.write(c.Context(), r, bounds)
			})
		},
	}
	flags := c.Flags()
	f.output.bind(flags, "a pair; all pairs are written")
	bindQuestion(flags, &f.Compare, "corner", "x", "y")
	flags.Lookup("limit").Usage = "list at most this many pairs of each kind"
	return c
}

func (f *comparing) write(ctx context.Context, r *runs.Run, o views.CompareOptions) error {
	noteSketches(r)
	if f.format != formatTable && f.format != formatJSON {
		put, end := answers(f.output, false, compareTable)
		return errors.Join(ask.EachCompared(ctx, r, o, put), end())
	}
	x, err := views.Compare(ctx, r, o)
	if err != nil {
		return err
	}
	if f.format == formatTable && x.Documents == 0 {
		return &exit{code: exitCondition, err: errors.New("no page is in both views: none has both a text and words in links to it or in its title")}
	}
	return show(f.output, ask.Compare{Window: everything}.Of(r, x), compareTable)
}

func compareTable(w io.Writer, x *ask.CompareAnswer) {
	fold(w, fmt.Sprintf("Of %s in both views, %s with the same text and other links, and %s with the same links and another text.",
		count(x.Documents, "page"), count(pairsIn(x, views.SameText), "pair"), count(pairsIn(x, views.SameLinks), "pair")), 0)
	for _, c := range x.Corners {
		compareCorner(w, x, c)
	}
}

// pairsIn returns the number of pairs in a corner.
func pairsIn(x *ask.CompareAnswer, corner views.Corner) (n int64) {
	for _, c := range x.Corners {
		if c.Corner == corner {
			n = int64(c.Count)
		}
	}
	return n
}

func plural[N int | uint64](n N, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// cornerNames describes the pairs in each corner.
var cornerNames = map[views.Corner]string{
	views.SameText:  "same text, different links: mirrors, copies that nobody links to",
	views.SameLinks: "same links, different text: successors, rewrites, rivals",
	views.SameBoth:  "same text, same links",
	views.OtherBoth: "different text, different links: stored by one view just above its threshold",
}

func compareCorner(w io.Writer, x *ask.CompareAnswer, c views.CornerList) {
	o := x.Options
	text, links := "≥ "+alikeBy(o.SameText), "≥ "+alikeBy(o.SameLinks)
	if c.Corner == views.SameLinks || c.Corner == views.OtherBoth {
		text = "≤ " + alikeBy(o.OtherText)
	}
	if c.Corner == views.SameText || c.Corner == views.OtherBoth {
		links = "≤ " + alikeBy(o.OtherLinks)
	}
	fmt.Fprintf(w, "\n%s\n  %s with text %s and links %s alike\n", cornerNames[c.Corner], count(int64(c.Count), "pair"), text, links)
	if c.Unlinked > 0 {
		fmt.Fprintf(w, "  %d of them with a page that no page links to\n", c.Unlinked)
	}
	for _, p := range x.Items {
		if p.Corner == c.Corner {
			fmt.Fprintf(w, "  text %s alike, links %s  %s\n", alikeBy(p.Resemblance), alikeBy(p.Similarity), detail(comparedNote(p), 34))
			pageList(w, pageRow{}, []pageRow{{figures: "   ", url: p.URLA}, {figures: "   ", url: p.URLB}})
		}
	}
}

func alikeBy(share float64) string { return strings.TrimSpace(alikeness("", share, 0)) }

// comparedNote describes a pair: whether both pages are on one host, whether one contains the other, and what their
// bags share.
func comparedNote(p views.ComparedPair) string {
	note := []string{"another host"}
	if urls.Host(p.URLA) == urls.Host(p.URLB) {
		note[0] = "same host"
	}
	if c := p.Contained(); c >= p.Resemblance+0.2 {
		note = append(note, fmt.Sprintf("containment %.2f", c))
	}
	if len(p.Shared) > 0 {
		note = append(note, "share "+strings.Join(p.Shared, " "))
	}
	return strings.Join(note, "; ")
}

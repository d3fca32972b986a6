package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"

	"github.com/spf13/cobra"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/views"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/compare"
)

// comparing holds the flags of compare.
type comparing struct {
	options views.CompareOptions
	output
	statistics bool
	directory  string // where the table of pairs of two runs is written
}

func newCompare() *cobra.Command {
	f := &comparing{}
	c := &cobra.Command{
		Use:   "compare RUN [RUN2]",
		Short: "Where the two views agree, or which texts two runs share",
		Long: `Compare compares the two views of a run on the pages that are in both, by the two exact figures of every pair that either
view stored: the similarity of the words around the links to both pages, and the resemblance of their texts.

It lists pairs of four kinds, clearest first and one from each cluster: the same text but different links
(mirrors, copies that nobody links to), the same links but different text (successors, rewrites, rivals), both the same,
and neither. Flags set what is the same and what is different. With --statistics, it measures how far the clusters of the
views agree, and counts all pairs by both figures. --format csv or tsv writes all pairs, with the kind in the
column "corner".

With two runs, compare finds the pages with the same or similar texts across them: the pairs that one run over the inputs of
both would have stored, by the thresholds of the first. Pages of a run that equal each other are listed once, with the number
of copies; json has the closest pairs, csv, tsv and jsonl have all. In place of either run, compare takes a file of sketches,
which export wrote; figures are then estimates.`,
		Example: `  lshclust compare RUN
  lshclust compare RUN --limit 20
  lshclust compare RUN --format csv > pairs.csv
  lshclust compare RUN1 RUN2 --format csv > shared.csv
  lshclust compare RUN1 RUN2 -o DIRECTORY                   # writes DIRECTORY/shared.parquet too
  lshclust compare RUN theirs.sketches
  lshclust compare RUN --same-links 0.5 --other-text 0.05   # what counts as the same, more strictly`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 && f.directory != "" {
				return usage(errors.New("--output is for the pairs of two runs; lshclust export RUN writes the tables of one"))
			}
			if len(args) == 2 {
				return f.across(c.Context(), c, printed, args)
			}
			return withRun(args[0], func(r *runs.Run) error {
				o := f.with(views.CompareDefaults(r))
				if err := o.Validate(); err != nil {
					return usage(err)
				}
				return f.write(c.Context(), printed, r, o)
			})
		},
	}
	f.bind(c)
	return c
}

// ofRun marks a bound that no flag sets, for which the value of the run is used.
const ofRun = -1

func (f *comparing) bind(c *cobra.Command) {
	o, flags := &f.options, c.Flags()
	flags.BoolVar(&f.statistics, "statistics", false, "after the pairs, show how far the clusters of the views agree, and count all pairs by both figures")
	flags.IntVar(&o.Top, "limit", 5, "list at most `N` pairs of each kind")
	f.output.bind(flags, "a pair; all pairs are written")
	flags.StringVarP(&f.directory, "output", "o", "", "write the pairs of two runs as shared.parquet into `DIRECTORY`")
	flags.Float64Var(&o.SameText, "same-text", ofRun, "texts are the same at a resemblance of `R` or more (default that of the run's clusters)")
	flags.Float64Var(&o.OtherText, "other-text", ofRun, "texts are different at a resemblance of `R` or less (default 0.1)")
	flags.Float64Var(&o.SameLinks, "same-links", ofRun, "links are the same at a similarity of `S` or more (default that of the run's clusters, at least 0.2)")
	flags.Float64Var(&o.OtherLinks, "other-links", ofRun, "links are different at a similarity of `S` or less (default the run's floor, at most half of --same-links)")
	counting(flags, 1, "limit")
	for _, name := range viewFlags {
		inRange(flags, name, 0, 1)
		showDefault(flags, name, "")
	}
}

// with returns the defaults of the run, with the given flags applied. The bounds for different texts and links stay
// below those for equal ones unless a flag sets them.
func (f *comparing) with(o views.CompareOptions) views.CompareOptions {
	given := func(to *float64, flag float64) {
		if flag >= 0 {
			*to = flag
		}
	}
	o.Top = f.options.Top
	given(&o.SameText, f.options.SameText)
	given(&o.SameLinks, f.options.SameLinks)
	o.OtherText, o.OtherLinks = min(o.OtherText, o.SameText/2), min(o.OtherLinks, o.SameLinks/2)
	given(&o.OtherText, f.options.OtherText)
	given(&o.OtherLinks, f.options.OtherLinks)
	return o
}

func (f *comparing) write(ctx context.Context, w io.Writer, r *runs.Run, o views.CompareOptions) error {
	noteSketches(r)
	put, end := answers(w, f.output, false, f.table)
	if f.format != formatTable && f.format != formatJSON {
		return errors.Join(ask.EachCompared(ctx, r, o, put), end())
	}
	x, err := views.Compare(ctx, r, o)
	if err != nil {
		return err
	}
	if f.format == formatTable && x.Documents == 0 {
		return &exit{code: exitCondition, err: errors.New("no page is in both views: none has both a text and words in links to it or in its title")}
	}
	return errors.Join(put(ask.Compare{Window: everything}.Of(r, x)), end())
}

func (f *comparing) table(w io.Writer, x *ask.CompareAnswer) {
	fold(w, fmt.Sprintf("Of %s in both views, %s with the same text and other links, and %s with the same links and another text.",
		count(x.Documents, "page"), count(pairsIn(x, views.SameText), "pair"), count(pairsIn(x, views.SameLinks), "pair")), 0)
	for _, c := range x.Corners {
		compareCorner(w, x, c)
	}
	if !f.statistics {
		return
	}
	fmt.Fprintln(w)
	if x.Unlinked > 0 {
		prose(w, fmt.Sprintf("to %s in both views no page links: nothing but their own words is known of them", count(x.Unlinked, "page")), 0, 0)
	}
	prose(w, fmt.Sprintf("left out: %s without a bag, %s that %s not crawled",
		count(x.NoBag, "page"), count(x.NoPage, "document"), plural(x.NoPage, "was", "were")), 0, 0)
	fmt.Fprintln(w)
	compareClusters(w, x.Agreement)
	comparePairs(w, x)
	if h := x.Comparison.Histogram; h.Total() > 0 {
		compareGrid(w, h)
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

// compareClusters writes the figures of agreement and explains each.
func compareClusters(w io.Writer, g compare.Agreement) {
	fmt.Fprintln(w, "clusters      number  singletons  largest  pairs together")
	for _, side := range []struct {
		name string
		c    compare.Clustering
	}{{"topical", g.A}, {"syntactic", g.B}} {
		fmt.Fprintf(w, "  %-10s %7d  %10d  %7d  %14d\n", side.name, side.c.Clusters, side.c.Singletons, side.c.Largest, side.c.Together)
	}
	fmt.Fprintf(w, "  %-10s %7s  %10s  %7s  %14d\n\n", "in both", "", "", "", g.Together)
	fmt.Fprintf(w, "adjusted Rand index %6.3f  1: the same clusters, 0: agreement as by chance\n", g.AdjustedRand)
	fmt.Fprintf(w, "B-cubed precision   %6.3f  how much of a topical cluster has the same text\n", g.Precision)
	fmt.Fprintf(w, "B-cubed recall      %6.3f  how much of a syntactic cluster has similar links\n", g.Recall)
	fmt.Fprintf(w, "B-cubed F1          %6.3f  both in one; a page alone in both views agrees\n\n", g.F1)
}

func comparePairs(w io.Writer, x *ask.CompareAnswer) {
	prose(w, fmt.Sprintf("%s compared: stored by both views %d, by the topical view alone %d, by the syntactic view alone %d",
		count(int64(x.Pairs), "pair"), x.Both, x.Topical-x.Both, x.Syntactic-x.Both), 0, 0)
	var but []string
	if x.NotOpened > 0 {
		but = append(but, fmt.Sprintf("%d more pairs have the same bags or texts as one that was compared", x.NotOpened))
	}
	if x.TooShort > 0 {
		but = append(but, fmt.Sprintf("%d pairs have a text too short to compare", x.TooShort))
	}
	if x.Outside > 0 {
		but = append(but, fmt.Sprintf("%d pairs have a page that is not in both views", x.Outside))
	}
	for _, b := range but {
		fmt.Fprintln(w, "  "+b)
	}
}

// compareGrid writes the histogram with the counts of its rows and columns. Resemblance grows upwards, similarity to
// the right.
func compareGrid(w io.Writer, h *compare.Histogram) {
	row := func(name string, cells func(i int) string) {
		fmt.Fprintf(w, "%9s │%6s │", name, cells(0))
		for i := range h.Bins {
			fmt.Fprintf(w, "%5s", cells(i+1))
		}
	}
	cell := func(n uint64) string {
		if n == 0 {
			return "·"
		}
		return brief(float64(n))
	}
	border := func(bin int) string {
		if bin == 0 {
			return "0"
		}
		if bin == 1 {
			return ">0"
		}
		return "≥" + strings.TrimPrefix(fmt.Sprintf("%.2g", h.From(bin)), "0")
	}
	if width() < tableColumns {
		fmt.Fprintf(w, "\nthe table of pairs by both figures needs %d columns\n", tableColumns)
		return
	}
	x, y := h.X(), h.Y()
	fmt.Fprintln(w, "\npairs by resemblance of the texts ↑ and similarity of the links →")
	rule := strings.Repeat("─", 10) + "┼" + strings.Repeat("─", 7) + "┼" + strings.Repeat("─", 5*h.Bins) + "─┤\n"
	for j := h.Bins; j >= 0; j-- {
		if j == 0 {
			fmt.Fprint(w, rule)
		}
		row(border(j), func(i int) string { return cell(h.Counts[i][j]) })
		fmt.Fprintf(w, " │%7s\n", cell(y[j]))
	}
	fmt.Fprint(w, rule)
	row("", border)
	fmt.Fprintf(w, " │%7s\n", "all")
	row("all", func(i int) string { return cell(x[i]) })
	fmt.Fprintf(w, " │%7s\n", cell(h.Total()))
}

// brief formats a count with at most five characters: 999, 1.2k, 35k, 6.7M.
func brief(v float64) string {
	if v < 999.5 {
		return fmt.Sprintf("%.0f", v)
	}
	const units = "kMGTPE"
	for i := range units {
		if v /= 1000; v < 9.95 {
			return fmt.Sprintf("%.1f%c", v, units[i])
		} else if v < 999.5 {
			return fmt.Sprintf("%.0f%c", v, units[i])
		}
	}
	return ">999E"
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
	if hostOf(p.URLA) == hostOf(p.URLB) {
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

func hostOf(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return ""
	}
	return u.Host
}

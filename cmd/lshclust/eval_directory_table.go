package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/score"
)

// directoryTable prints an evaluation as text.
func directoryTable(w io.Writer, e *eval.Evaluation) {
	fmt.Fprintf(w, "%s: %s, %d of them in the run\n", line(e.Gold, width()-34), count(e.Targets, "target"), e.Known)
	fmt.Fprintf(w, "queries: %d targets in %s%s\n", e.Queries, count(e.Lists, "list"), map[bool]string{true: ", half " + e.Half.String()}[e.Half != score.All])
	for _, level := range e.Indistinct {
		prose(w, level, 0, 2)
	}
	levels := e.Levels()
	for i := range e.Related {
		relatedScores(w, &e.Related[i], levels)
	}
	baselineTable(w, e, levels)
	fmt.Fprintf(w, "\nclusters of the run, made of pairs with similarity %g or more\n", e.Threshold)
	clusterScores(w, &e.Clusters, levels)
	explainFigures(w, e)
}

// levelRow is a measure with its figure at each level.
type levelRow struct {
	name string
	of   func(k int) string
}

// levelsAbreast is the number of levels printed side by side. With intervals they fill 80 columns.
const levelsAbreast = 3

// levelTable prints figures with a column for each level, levelsAbreast levels side by side.
func levelTable(w io.Writer, head string, levels int, rows []levelRow) {
	for from := 0; from < levels; from += levelsAbreast {
		to := min(levels, from+levelsAbreast)
		write := func(name string, of func(k int) string) {
			b := fmt.Sprintf("  %-17s", name)
			for k := from; k < to; k++ {
				b += fmt.Sprintf(" %-19s", of(k))
			}
			fmt.Fprintln(w, strings.TrimRight(b, " "))
		}
		write(head, func(k int) string { return fmt.Sprintf("level %d", k+1) })
		for _, r := range rows {
			write(r.name, r.of)
		}
	}
}

func relatedScores(w io.Writer, s *score.RankingScores, levels int) {
	title := "related pages: what lshclust related answers, only targets"
	if s.CoLinked != "kept" {
		title = "the same without the pairs that one page links to together"
	}
	fmt.Fprintf(w, "\n%s\n", title)
	if s.TellsNothing() {
		fold(w, "This tells nothing here: for any two targets of one category there is a page that links to both.", 2)
		return
	}
	fmt.Fprintf(w, "  coverage %s: %d of %d queries have a neighbour,\n  and %s of them on average among the first ten\n", cell(s.Coverage), s.Covered, s.Queries, bare(s.Found10))
	levelTable(w, "same category", levels, []levelRow{
		{"of all queries", func(k int) string { return cell(s.Levels[k].Hit) }},
		{"of those covered", func(k int) string { return cell(s.Levels[k].Agree) }},
		{"of the first ten", func(k int) string { return cell(s.Levels[k].Precision10) }},
		{"by chance", func(k int) string { return bare(s.Levels[k].Chance) }},
	})
	if len(s.Gamma) > 0 {
		fmt.Fprintf(w, "  %-17s %-19s %-19s %s\n", "order, to level "+fmt.Sprint(s.Depth), "gamma (chance 0)", "pairs ordered", "queries")
	}
	for _, g := range s.Gamma {
		name := map[string]string{"sibling": "before siblings", "cousin": "before cousins", "unrelated": "before unrelated"}[g.Region]
		ordered := "-"
		if g.Ordered.Defined() {
			ordered = fmt.Sprintf("%.3g %%", 100*g.Ordered.Value)
		}
		fmt.Fprintf(w, "  %-17s %-19s %-19s %d\n", name, cell(g.Gamma), ordered, g.Sources)
	}
}

// baselineTable compares the run with the baselines for each kind of pairs: first the baselines that choose among all
// documents, as the run does, then those that choose among the targets only.
func baselineTable(w io.Writer, e *eval.Evaluation, levels int) {
	for kind := range e.Related {
		pairs := []string{"all pairs", "no page links to both"}[kind]
		fmt.Fprintf(w, "\nways to find related pages, %s: share of all queries whose\nnearest target is in the same category\n  %-8s  coverage", pairs, "")
		for k := range levels {
			fmt.Fprintf(w, "  level %d", k+1)
		}
		fmt.Fprintln(w)
		row := func(name, coverage string, scores []score.RankingScores, of func(score.RankingLevel) score.Figure) {
			fmt.Fprintf(w, "  %-8s  %8s", name, coverage)
			for k := range levels {
				f := score.Figure{}
				if kind < len(scores) && !e.Related[kind].TellsNothing() {
					f = of(scores[kind].Levels[k])
				}
				fmt.Fprintf(w, "  %7s", bare(f))
			}
			fmt.Fprintln(w)
		}
		hit := func(l score.RankingLevel) score.Figure { return l.Hit }
		group := func(candidates string) {
			for _, b := range e.Baselines {
				if b.Candidates == candidates {
					coverage := "-"
					if kind < len(b.Related) {
						coverage = bare(b.Related[kind].Coverage)
					}
					row(b.Name, coverage, b.Related, hit)
				}
			}
		}
		fmt.Fprintf(w, " candidates: all %s of the run; non-targets are skipped\n", count(e.Documents, "document"))
		row("related", bare(e.Related[kind].Coverage), e.Related, hit)
		group(eval.AllDocuments)
		fmt.Fprintf(w, " candidates: only the %s\n", count(e.Targets, "target"))
		group(eval.TargetsAlone)
		row("chance", "", e.Related, func(l score.RankingLevel) score.Figure { return l.Chance })
	}
}

func clusterScores(w io.Writer, s *score.ClusterScores, levels int) {
	fmt.Fprintf(w, "  coverage %s: share of the targets in a cluster of two\n  or more documents\n", cell(s.Coverage))
	fmt.Fprintf(w, "  %s in %s; the largest holds %s\n", count(s.Targets-s.Unknown, "target"), count(s.Clusters, "cluster"), count(s.Largest, "target"))
	fmt.Fprintf(w, "  %s without another target in the cluster, %d of them in a cluster\n  of one document\n", count(s.Alone, "target"), s.Singletons)
	of := func(f func(b *score.PrecisionOf) score.Figure, show func(score.Figure) string) func(k int) string {
		return func(k int) string { return show(f(&s.Levels[k].BCubed)) }
	}
	levelTable(w, "", levels, []levelRow{
		{"B-cubed precision", of(func(b *score.PrecisionOf) score.Figure { return b.Precision }, cell)},
		{"  by chance", of(func(b *score.PrecisionOf) score.Figure { return b.ChancePrecision }, bare)},
		{"B-cubed recall", of(func(b *score.PrecisionOf) score.Figure { return b.Recall }, cell)},
		{"  by chance", of(func(b *score.PrecisionOf) score.Figure { return b.ChanceRecall }, bare)},
		{"B-cubed F", of(func(b *score.PrecisionOf) score.Figure { return b.F }, cell)},
		{"  by chance", of(func(b *score.PrecisionOf) score.Figure { return b.ChanceF }, bare)},
	})
}

// figureMeanings explains the figures in the words of the tables.
var figureMeanings = [][2]string{
	{"target, query", "A target is a URL of the gold. Each target is a query in turn. Its neighbours are other targets, because other pages have no category."},
	{"coverage", "Share of the queries that have a neighbour at all."},
	{"same category", "Share of the queries whose nearest target shares the first 1, 2, 3 levels of a category path with the query. Of all queries: a query without a neighbour counts as wrong."},
	{"by chance", "What a random neighbour among the other targets would give; for clusters, what clusters of the same sizes with random members would give."},
	{"gamma", "How often is the target in the nearer of two categories ranked first? 1: always, 0: as often as by chance. The category of the other target differs from that of the query in the last level (sibling), the last two (cousin) or the last three (unrelated). Pairs ordered: share of these pairs of which the list ranks one before the other."},
	{"B-cubed", "Precision: how much of a target's cluster is in its category. Recall: how much of its category is in its cluster. F: their harmonic mean."},
	{"no page links to both", "Without the pairs that one page links to together. Pages in one list share the words around their links, which makes them easy to find."},
	{"[low high]", "95 % interval. It resamples whole lists, because the targets under the same first two levels (a list) were chosen together."},
}

// explainFigures prints explanations of the figures below the tables of an evaluation.
func explainFigures(w io.Writer, e *eval.Evaluation) {
	fmt.Fprintln(w, "\nwhat the figures mean")
	for _, m := range figureMeanings {
		if m[0] == "[low high]" && e.Related[0].Coverage.Interval() == nil || m[0] == "no page links to both" && len(e.Related) < 2 {
			continue
		}
		prose(w, m[0]+": "+m[1], 2, 4)
	}
}

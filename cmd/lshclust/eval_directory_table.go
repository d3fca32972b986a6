package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/lshclust/lshclust/eval"
)

// directoryTable is an evaluation for people.
func directoryTable(w io.Writer, e *eval.Evaluation) {
	fmt.Fprintf(w, "%s: %s, %d of them in the run; as queries (half: %s) %d in %s\n",
		line(e.Gold, 60), count(e.Targets, "target"), e.Known, e.Half, e.Queries, count(e.Lists, "list"))
	levels := 0 // that any target has
	for levels < len(e.Categories) && e.Categories[levels] > 0 {
		levels++
	}
	for i := range e.Related {
		relatedScores(w, &e.Related[i], levels)
	}
	baselineTable(w, e, levels)
	fmt.Fprintf(w, "\nclusters, threshold %g\n", e.Threshold)
	clusterScores(w, &e.Clusters, levels)
	if len(e.Curve) > 0 {
		thresholdTable(w, e, levels)
	}
}

// cell is a figure with its interval over lists, or over queries if there is one list.
func cell(f eval.Figure) string {
	if !f.Defined() {
		return "-"
	}
	interval := f.Lists
	if interval == nil {
		interval = f.Queries
	}
	if interval == nil {
		return fmt.Sprintf("%.3f", f.Value)
	}
	return fmt.Sprintf("%.3f [%.3f %.3f]", f.Value, interval.Low, interval.High)
}

func bare(f eval.Figure) string {
	if !f.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3f", f.Value)
}

// levelRow is a measure and for each level its figure and what chance gives.
type levelRow struct {
	name  string
	level func(k int) (f, chance eval.Figure)
}

// zero is a chance level of 0.
var zero = eval.Figure{N: 1}

func levelTable(w io.Writer, levels int, rows []levelRow) {
	fmt.Fprintf(w, "  %-18s", "")
	for k := range levels {
		fmt.Fprintf(w, "  %-20s %6s", fmt.Sprintf("level %d", k+1), "chance")
	}
	fmt.Fprintln(w)
	for _, r := range rows {
		var b strings.Builder
		fmt.Fprintf(&b, "  %-18s", r.name)
		for k := range levels {
			f, chance := r.level(k)
			fmt.Fprintf(&b, "  %-20s %6s", cell(f), bare(chance))
		}
		fmt.Fprintln(w, strings.TrimRight(b.String(), " "))
	}
}

func relatedScores(w io.Writer, s *eval.Scores, levels int) {
	title := "related pages"
	if s.CoLinked != "kept" {
		title += ", without pairs that one page links to together"
	}
	fmt.Fprintf(w, "\n%s\n", title)
	fmt.Fprintf(w, "  coverage %s: %d of %d queries have a neighbour, %s of them among the first ten\n", cell(s.Coverage), s.Covered, s.Queries, bare(s.Found10))
	levelTable(w, levels, []levelRow{
		{"nearest agrees", func(k int) (eval.Figure, eval.Figure) { return s.Levels[k].Agree, s.Levels[k].Chance }},
		{"hit (of all)", func(k int) (eval.Figure, eval.Figure) { return s.Levels[k].Hit, s.Levels[k].Chance }},
		{"precision at 10", func(k int) (eval.Figure, eval.Figure) { return s.Levels[k].Precision10, s.Levels[k].Chance }},
	})
	fmt.Fprintf(w, "  %-18s  %-20s %6s  %-21s %s\n", fmt.Sprintf("gamma, depth %d", s.Depth), "", "chance", "orderable pairs", "queries")
	for _, g := range s.Gamma {
		chance := "-"
		if g.Gamma.Defined() {
			chance = bare(zero)
		}
		fmt.Fprintf(w, "  %-18s  %-20s %6s  %-21s %d\n", "  "+g.Region, cell(g.Gamma), chance, percent(g.Orderable), g.Sources)
	}
	inLinksTable(w, s, levels)
}

// percent is a share that may be small.
func percent(f eval.Figure) string {
	if !f.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3g %%", 100*f.Value)
}

func inLinksTable(w io.Writer, s *eval.Scores, levels int) {
	if len(s.InLinks) == 0 {
		return
	}
	head := fmt.Sprintf("  %-10s %8s  %-20s", "in-links", "queries", "coverage")
	for k := range levels {
		head += fmt.Sprintf("  %-20s", fmt.Sprintf("hit %d", k+1))
	}
	fmt.Fprintln(w, strings.TrimRight(head, " "))
	for _, b := range s.InLinks {
		row := fmt.Sprintf("  %-10s %8d  %-20s", b.Name, b.Scores.Queries, cell(b.Scores.Coverage))
		for _, l := range b.Scores.Levels[:levels] {
			row += fmt.Sprintf("  %-20s", cell(l.Hit))
		}
		fmt.Fprintln(w, strings.TrimRight(row, " "))
	}
}

func clusterScores(w io.Writer, s *eval.ClusterScores, levels int) {
	fmt.Fprintf(w, "  coverage %s of the targets are in a cluster of two documents or more\n", cell(s.Coverage))
	fmt.Fprintf(w, "  %s in %s, the fullest with %d; %d are alone in theirs, %d of them in one of a single document\n",
		count(s.Targets-s.Unknown, "target"), count(s.Clusters, "cluster"), s.Largest, s.Alone, s.Singletons)
	of := func(f func(l *eval.ClusterLevelScore) (x, chance eval.Figure)) func(k int) (eval.Figure, eval.Figure) {
		return func(k int) (eval.Figure, eval.Figure) {
			x, chance := f(&s.Levels[k])
			if !x.Defined() {
				chance = eval.Figure{}
			}
			return x, chance
		}
	}
	levelTable(w, levels, []levelRow{
		{"B-cubed precision", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) {
			return l.BCubed.Precision, l.BCubed.ChancePrecision
		})},
		{"B-cubed recall", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.BCubed.Recall, l.BCubed.ChanceRecall })},
		{"B-cubed F", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.BCubed.F, l.BCubed.ChanceF })},
		{"pair precision", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.Pairs.Precision, l.Pairs.ChancePrecision })},
		{"pair recall", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.Pairs.Recall, l.Pairs.ChanceRecall })},
		{"pair F", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.Pairs.F, l.Pairs.ChanceF })},
		{"adjusted Rand", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.AdjustedRand, zero })},
		{"adjusted MI", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.AdjustedMI, zero })},
		{"V-measure", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.V, l.ChanceV })},
		{"purity", of(func(l *eval.ClusterLevelScore) (x, y eval.Figure) { return l.Purity, l.ChancePurity })},
	})
}

// thresholdTable is the curve: for each threshold of CENTER the clusters and their B-cubed figures, the best F of a level
// marked.
func thresholdTable(w io.Writer, e *eval.Evaluation, levels int) {
	fmt.Fprintln(w, "\nB-cubed by threshold of CENTER (* the best F of a level; chance in brackets)")
	head := fmt.Sprintf("  %9s %9s %9s %8s", "threshold", "clusters", "coverage", "fullest")
	best := make([]int, levels)
	for k := range best {
		head += fmt.Sprintf("   %5s %5s %6s %7s", "P", "R", fmt.Sprintf("F %d", k+1), "")
		best[k] = eval.Best(e.Curve, k+1)
	}
	fmt.Fprintln(w, strings.TrimRight(head, " "))
	for i, p := range e.Curve {
		fmt.Fprintf(w, "  %9g %9d %9s %8d", p.Threshold, p.Scores.Clusters, bare(p.Scores.Coverage), p.Scores.Largest)
		for k, l := range p.Scores.Levels[:levels] {
			star := " "
			if best[k] == i {
				star = "*"
			}
			fmt.Fprintf(w, "   %5s %5s %5s%s %7s", bare(l.BCubed.Precision), bare(l.BCubed.Recall), bare(l.BCubed.F), star, "("+bare(l.BCubed.ChanceF)+")")
		}
		fmt.Fprintln(w)
	}
}

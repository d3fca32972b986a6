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
	w, flush := narrow(w)
	defer flush()
	fmt.Fprintf(w, "%s: %s, %d of them in the run\n", line(e.Gold, width()-34), count(e.Targets, "target"), e.Known)
	fmt.Fprintf(w, "queries: %d targets in %s%s\n", e.Queries, count(e.Lists, "list"), map[bool]string{true: ", half " + e.Half.String()}[e.Half != score.All])
	for _, level := range e.Indistinct {
		prose(w, level, 0, 2)
	}
	levels := e.Levels()
	for i := range e.Related {
		relatedScores(w, e, &e.Related[i], levels)
	}
	baselineTable(w, e, levels)
	fmt.Fprintf(w, "\nclusters of the run, made of pairs with similarity %g or more\n", e.Threshold)
	clusterScores(w, &e.Clusters, levels)
	treeTable(w, e, levels)
	if len(e.Curve) > 0 {
		thresholdTable(w, e, levels)
	}
	explainFigures(w, e)
}

// cell formats a figure with its interval over lists, or over queries if there is only one list.
func cell(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	interval := f.Interval()
	if interval == nil {
		return fmt.Sprintf("%.3f", f.Value)
	}
	return fmt.Sprintf("%.3f [%.3f %.3f]", f.Value, interval.Low, interval.High)
}

func bare(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3f", f.Value)
}

// levelRow is a measure with its figure at each level.
type levelRow struct {
	name string
	of   func(k int) string
}

// levelsAbreast is the number of levels printed side by side. With intervals they fill 80 columns.
const levelsAbreast = 3

// levelTable prints figures with a column for each level, three levels side by side.
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

func relatedScores(w io.Writer, e *eval.Evaluation, s *score.RankingScores, levels int) {
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
		fmt.Fprintf(w, "  %-17s %-19s %-19s %d\n", beforeRegion[g.Region], cell(g.Gamma), percent(g.Ordered), g.Sources)
	}
	inLinksTable(w, s, levels)
}

// beforeRegion holds the names of the rows of gamma.
var beforeRegion = map[string]string{"sibling": "before siblings", "cousin": "before cousins", "unrelated": "before unrelated"}

// percent formats a share that may be small.
func percent(f score.Figure) string {
	if !f.Defined() {
		return "-"
	}
	return fmt.Sprintf("%.3g %%", 100*f.Value)
}

// inLinksTable prints the figures by the number of pages that link to a query. Their intervals are only in the other
// formats.
func inLinksTable(w io.Writer, s *score.RankingScores, levels int) {
	if len(s.InLinks) == 0 {
		return
	}
	fmt.Fprintf(w, "  %-17s %8s  %8s  of all queries: same category\n", "pages that link", "queries", "coverage")
	head := fmt.Sprintf("  %-17s %8s  %8s", "to the query", "", "")
	for k := range levels {
		head += fmt.Sprintf("  %7s", fmt.Sprint("level ", k+1))
	}
	fmt.Fprintln(w, head)
	for _, b := range s.InLinks {
		row := fmt.Sprintf("  %-17s %8d  %8s", b.Name, b.Scores.Queries, bare(b.Scores.Coverage))
		for _, l := range b.Scores.Levels[:levels] {
			row += fmt.Sprintf("  %7s", bare(l.Hit))
		}
		fmt.Fprintln(w, row)
	}
}

func clusterScores(w io.Writer, s *score.ClusterScores, levels int) {
	fmt.Fprintf(w, "  coverage %s: share of the targets in a cluster of two\n  or more documents\n", cell(s.Coverage))
	fmt.Fprintf(w, "  %s in %s; the largest holds %s\n", count(s.Targets-s.Unknown, "target"), count(s.Clusters, "cluster"), count(s.Largest, "target"))
	fmt.Fprintf(w, "  %s without another target in the cluster, %d of them in a cluster\n  of one document\n", count(s.Alone, "target"), s.Singletons)
	of := func(f func(l *score.ClusterLevel) score.Figure) func(k int) string {
		return func(k int) string { return cell(f(&s.Levels[k])) }
	}
	chance := func(f func(l *score.ClusterLevel) score.Figure) levelRow {
		return levelRow{"  by chance", func(k int) string { return bare(f(&s.Levels[k])) }}
	}
	levelTable(w, "", levels, []levelRow{
		{"B-cubed precision", of(func(l *score.ClusterLevel) score.Figure { return l.BCubed.Precision })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.BCubed.ChancePrecision }),
		{"B-cubed recall", of(func(l *score.ClusterLevel) score.Figure { return l.BCubed.Recall })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.BCubed.ChanceRecall }),
		{"B-cubed F", of(func(l *score.ClusterLevel) score.Figure { return l.BCubed.F })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.BCubed.ChanceF }),
		{"pair precision", of(func(l *score.ClusterLevel) score.Figure { return l.Pairs.Precision })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.Pairs.ChancePrecision }),
		{"pair recall", of(func(l *score.ClusterLevel) score.Figure { return l.Pairs.Recall })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.Pairs.ChanceRecall }),
		{"pair F", of(func(l *score.ClusterLevel) score.Figure { return l.Pairs.F })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.Pairs.ChanceF }),
		{"V-measure", of(func(l *score.ClusterLevel) score.Figure { return l.V })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.ChanceV }),
		{"purity", of(func(l *score.ClusterLevel) score.Figure { return l.Purity })},
		chance(func(l *score.ClusterLevel) score.Figure { return l.ChancePurity }),
		{"adjusted Rand", of(func(l *score.ClusterLevel) score.Figure { return l.AdjustedRand })},
		{"adjusted MI", of(func(l *score.ClusterLevel) score.Figure { return l.AdjustedMI })},
	})
}

// thresholdTable prints, for each order and threshold of CENTER, the clusters and their B-cubed figures, with a line for
// each level. It marks the best F of a level.
func thresholdTable(w io.Writer, e *eval.Evaluation, levels int) {
	fmt.Fprintln(w, "\nclusters by threshold of CENTER: B-cubed figures (* the best F of a level)")
	fmt.Fprintf(w, "  %9s %8s %8s %7s %5s %9s %6s %6s %9s\n", "threshold", "clusters", "coverage", "largest", "level", "precision", "recall", "F", "by chance")
	best := make([]int, levels)
	for k := range best {
		best[k] = eval.Best(e.Curve, k+1)
	}
	for i, p := range e.Curve {
		if p.Order != "" && (i == 0 || e.Curve[i-1].Order != p.Order) {
			fmt.Fprintf(w, " order %s\n", p.Order)
		}
		head := fmt.Sprintf("  %9g %8d %8s %7d", p.Threshold, p.Scores.Clusters, bare(p.Scores.Coverage), p.Scores.Largest)
		for k, l := range p.Scores.Levels[:levels] {
			star := " "
			if best[k] == i {
				star = "*"
			}
			fmt.Fprintf(w, "%s %5d %9s %6s %5s%s %9s\n", head, k+1, bare(l.BCubed.Precision), bare(l.BCubed.Recall), bare(l.BCubed.F), star, bare(l.BCubed.ChanceF))
			head = strings.Repeat(" ", len(head))
		}
	}
}

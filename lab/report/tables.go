package report

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/lab/chart"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
)

// table is a table of the report. Its rows are in groups; the name of a group, if any, is a heading above its rows.
type table struct {
	Caption string
	Columns []string
	Groups  []rowGroup
}

type rowGroup struct {
	Name string
	Rows []tableRow
}

// tableRow is a heading, a note below it, and cells.
type tableRow struct {
	Head, Note string
	Cells      []tableCell
}

// tableCell is a figure or a number with its interval, or text.
type tableCell struct {
	Text, Interval string
	Class          string // "number" for a figure, "count" for a whole number, which is right-aligned
}

// listTable is a table without groups.
func listTable(caption string, columns []string, rows []tableRow) table {
	return table{caption, columns, []rowGroup{{Rows: rows}}}
}

// Grouped reports whether the groups have names.
func (t table) Grouped() bool {
	return slices.ContainsFunc(t.Groups, func(g rowGroup) bool { return g.Name != "" })
}

func textCell(s string) tableCell { return tableCell{Text: s} }

func numberCell(n int) tableCell { return tableCell{Text: whole(n), Class: "count"} }

// figureCell formats a figure with its interval over lists, or over queries if there is only one list.
func figureCell(f score.Figure) tableCell {
	c := bareCell(f)
	if i := f.Interval(); i != nil && f.Defined() {
		c.Interval = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
	}
	return c
}

func bareCell(f score.Figure) tableCell {
	if !f.Defined() {
		return tableCell{Text: "–", Class: "number"}
	}
	return tableCell{Text: fmt.Sprintf("%.3f", f.Value), Class: "number"}
}

// whole formats a number with thin spaces between groups of three digits.
func whole(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u2009" + s[i:]
	}
	return s
}

// at returns a figure as a point. A percentile interval need not contain the figure, but the drawn interval does.
func at(x float64, f score.Figure) chart.Point {
	p := chart.Point{X: x, Y: f.Value, Low: f.Value, High: f.Value}
	if i := f.Interval(); i != nil {
		p.Low, p.High = min(p.Low, i.Low), max(p.High, i.High)
	}
	return p
}

// relatedTable shows the figures of the run's ranking: over all pairs and, if measured, without co-linked pairs.
func relatedTable(e *evaluate.Evaluation) table {
	t := table{Caption: "Related pages against " + e.Gold, Columns: []string{"Measure", "Level"}}
	for _, s := range e.Related {
		t.Columns = append(t.Columns, pairsName(&s), "Chance")
	}
	row := func(head string, of func(s *score.RankingScores) (f, chance score.Figure)) tableRow {
		r := tableRow{Head: head}
		for i := range e.Related {
			f, chance := of(&e.Related[i])
			r.Cells = append(r.Cells, figureCell(f), bareCell(chance))
		}
		return r
	}
	t.Groups = append(t.Groups, rowGroup{"Coverage", []tableRow{row("any", func(s *score.RankingScores) (score.Figure, score.Figure) { return s.Coverage, score.Figure{} })}})
	for _, m := range []struct {
		name string
		of   func(l score.RankingLevel) score.Figure
	}{
		{"Nearest in the same category, of all queries", func(l score.RankingLevel) score.Figure { return l.Hit }},
		{"Nearest in the same category, of those with a neighbour", func(l score.RankingLevel) score.Figure { return l.Agree }},
		{"Precision of the first ten", func(l score.RankingLevel) score.Figure { return l.Precision10 }},
	} {
		g := rowGroup{Name: m.name}
		for k := range e.Levels() {
			g.Rows = append(g.Rows, row(fmt.Sprint(k+1), func(s *score.RankingScores) (score.Figure, score.Figure) {
				return m.of(s.Levels[k]), s.Levels[k].Chance
			}))
		}
		t.Groups = append(t.Groups, g)
	}
	g := rowGroup{Name: fmt.Sprintf("Gamma, depth %d", e.Related[0].Depth)}
	for i, region := range e.Related[0].Gamma {
		g.Rows = append(g.Rows, row(region.Region, func(s *score.RankingScores) (f, chance score.Figure) {
			f = s.Gamma[i].Gamma
			return f, score.Figure{N: min(1, f.N)} // 0 by chance
		}))
	}
	if len(g.Rows) > 0 {
		t.Groups = append(t.Groups, g)
	}
	return t
}

func pairsName(s *score.RankingScores) string {
	if s.CoLinked != "kept" {
		return "No page links to both"
	}
	return "All pairs"
}

// waysTable compares the run with the baselines and with chance. i is the index in Related.
func waysTable(e *evaluate.Evaluation, i int) table {
	t := table{Caption: fmt.Sprintf("Ways to find related pages, %s: %s", e.Gold, pairsName(&e.Related[i])), Columns: []string{"Method", "Candidates", "Coverage"}}
	for k := range e.Levels() {
		t.Columns = append(t.Columns, fmt.Sprintf("Same level-%d category", k+1))
	}
	var rows []tableRow
	add := func(name, note, candidates string, s *score.RankingScores) {
		r := tableRow{Head: name, Note: note, Cells: []tableCell{textCell(candidates), figureCell(s.Coverage)}}
		for k := range e.Levels() {
			r.Cells = append(r.Cells, figureCell(s.Levels[k].Hit))
		}
		rows = append(rows, r)
	}
	add("related", "what lshclust related answers", evaluate.AllDocuments, &e.Related[i])
	for _, b := range e.Baselines {
		if i < len(b.Related) {
			add(b.Name, b.About, b.Candidates, &b.Related[i])
		}
	}
	chance := tableRow{Head: "Chance", Cells: []tableCell{textCell(evaluate.TargetsAlone), bareCell(score.Figure{})}}
	for k := range e.Levels() {
		chance.Cells = append(chance.Cells, bareCell(e.Related[i].Levels[k].Chance))
	}
	t.Groups = []rowGroup{{Rows: append(rows, chance)}}
	return t
}

// clusterTable shows the figures of the run's clusters.
func clusterTable(e *evaluate.Evaluation) table {
	t := table{
		Caption: fmt.Sprintf("Clusters at threshold %g against %s", e.Threshold, e.Gold),
		Columns: []string{"Measure", "Level", "Clusters of the run", "Chance"},
	}
	add := func(name string, of func(l *score.ClusterLevel) (f, chance score.Figure)) {
		g := rowGroup{Name: name}
		for k := range e.Levels() {
			f, chance := of(&e.Clusters.Levels[k])
			g.Rows = append(g.Rows, tableRow{Head: fmt.Sprint(k + 1), Cells: []tableCell{figureCell(f), bareCell(chance)}})
		}
		t.Groups = append(t.Groups, g)
	}
	add("B-cubed precision", func(l *score.ClusterLevel) (f, chance score.Figure) {
		return l.BCubed.Precision, l.BCubed.ChancePrecision
	})
	add("B-cubed recall", func(l *score.ClusterLevel) (f, chance score.Figure) { return l.BCubed.Recall, l.BCubed.ChanceRecall })
	add("B-cubed F", func(l *score.ClusterLevel) (f, chance score.Figure) { return l.BCubed.F, l.BCubed.ChanceF })
	return t
}

// recallTable shows the pairs of the sample by similarity.
func (r *Report) recallTable() table {
	var rows []tableRow
	for _, b := range append(slices.Clip(r.Recall.Bins), r.Recall.Above) {
		rows = append(rows, tableRow{
			Head:  fmt.Sprintf("%g to %g", b.From, b.To),
			Cells: []tableCell{numberCell(b.Pairs), bareCell(b.Formula), figureCell(b.Keys), figureCell(b.Stored)},
		})
	}
	return listTable(fmt.Sprintf("Pairs of %s sampled documents by exact similarity", whole(r.Recall.Sampled)),
		[]string{"Similarity", "Pairs", "Predicted", "Observed", "Stored"}, rows)
}

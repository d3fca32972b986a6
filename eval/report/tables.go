package report

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/score"
)

// table is a table of the report. Its rows are in groups; a group with a name has it as a heading above its rows.
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

// Grouped reports whether the groups have names.
func (t table) Grouped() bool {
	return slices.ContainsFunc(t.Groups, func(g rowGroup) bool { return g.Name != "" })
}

// Counts reports whether column i holds whole numbers.
func (t table) Counts(i int) bool {
	i-- // the heading
	if t.Grouped() {
		i--
	}
	for _, g := range t.Groups {
		for _, r := range g.Rows {
			if i < 0 || i >= len(r.Cells) || r.Cells[i].Class != "count" {
				return false
			}
		}
	}
	return true
}

func textCell(s string) tableCell { return tableCell{Text: s} }

func numberCell(n int) tableCell { return tableCell{Text: whole(int64(n)), Class: "count"} }

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
func whole(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:] // U+2009
	}
	return s
}

// relatedTable holds the figures of the ranking of the run: over all pairs and, if measured, without the pairs that one
// page links to together.
func relatedTable(e *eval.Evaluation) table {
	t := table{Caption: "Related pages against " + e.Gold, Columns: []string{"Measure", "Level"}}
	for _, s := range e.Related {
		name := "All pairs"
		if s.CoLinked != "kept" {
			name = "No page links to both"
		}
		t.Columns = append(t.Columns, name, "Chance")
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
	for _, m := range levelMeasures {
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
			if f = s.Gamma[i].Gamma; f.Defined() {
				chance = score.Figure{N: 1}
			}
			return f, chance
		}))
	}
	if len(g.Rows) > 0 {
		t.Groups = append(t.Groups, g)
	}
	return t
}

var levelMeasures = []struct {
	name string
	of   func(l score.RankingLevel) score.Figure
}{
	{"Nearest in the same category, of all queries", func(l score.RankingLevel) score.Figure { return l.Hit }},
	{"Nearest in the same category, of those with a neighbour", func(l score.RankingLevel) score.Figure { return l.Agree }},
	{"Precision of the first ten", func(l score.RankingLevel) score.Figure { return l.Precision10 }},
}

// sameCategoryColumn returns the heading of the share of all queries whose nearest target agrees at a level.
func sameCategoryColumn(level int) string { return fmt.Sprintf("Same level-%d category", level) }

// relatedNote explains the first row of waysTable.
const relatedNote = "what lshclust related answers"

// waysTable compares the run with the baselines and with chance. i is the index in Related.
func waysTable(e *eval.Evaluation, i int) table {
	pairs := "all pairs"
	if e.Related[i].CoLinked != "kept" {
		pairs = "without pairs that one page links to together"
	}
	t := table{Caption: fmt.Sprintf("Ways to find related pages, %s, %s", e.Gold, pairs), Columns: []string{"Method", "Candidates", "Coverage"}}
	for k := range e.Levels() {
		t.Columns = append(t.Columns, sameCategoryColumn(k+1))
	}
	var rows []tableRow
	add := func(name, note, candidates string, s *score.RankingScores) {
		r := tableRow{Head: name, Note: note, Cells: []tableCell{textCell(candidates), figureCell(s.Coverage)}}
		for k := range e.Levels() {
			r.Cells = append(r.Cells, figureCell(s.Levels[k].Hit))
		}
		rows = append(rows, r)
	}
	add("related", relatedNote, eval.AllDocuments, &e.Related[i])
	for j := range e.Baselines {
		if b := &e.Baselines[j]; i < len(b.Related) {
			note := ""
			if i == 0 {
				note = b.About
			}
			add(b.Name, note, b.Candidates, &b.Related[i])
		}
	}
	chance := tableRow{Head: "Chance", Cells: []tableCell{textCell(eval.TargetsAlone), bareCell(score.Figure{})}}
	for k := range e.Levels() {
		chance.Cells = append(chance.Cells, bareCell(e.Related[i].Levels[k].Chance))
	}
	t.Groups = []rowGroup{{Rows: append(rows, chance)}}
	return t
}

// clusterTable holds the figures of the clusters of the run.
func clusterTable(e *eval.Evaluation) table {
	t := table{
		Caption: fmt.Sprintf("Clusters at threshold %g against %s", e.Threshold, e.Gold),
		Columns: []string{"Measure", "Level", "Clusters of the run", "Chance"},
	}
	zero := func(f score.Figure) score.Figure { return score.Figure{N: min(1, f.N)} }
	for _, m := range []struct {
		name string
		of   func(l *score.ClusterLevel) (f, chance score.Figure)
	}{
		{"B-cubed precision", func(l *score.ClusterLevel) (score.Figure, score.Figure) {
			return l.BCubed.Precision, l.BCubed.ChancePrecision
		}},
		{"B-cubed recall", func(l *score.ClusterLevel) (score.Figure, score.Figure) {
			return l.BCubed.Recall, l.BCubed.ChanceRecall
		}},
		{"B-cubed F", func(l *score.ClusterLevel) (score.Figure, score.Figure) { return l.BCubed.F, l.BCubed.ChanceF }},
		{"Pair precision", func(l *score.ClusterLevel) (score.Figure, score.Figure) {
			return l.Pairs.Precision, l.Pairs.ChancePrecision
		}},
		{"Pair recall", func(l *score.ClusterLevel) (score.Figure, score.Figure) { return l.Pairs.Recall, l.Pairs.ChanceRecall }},
		{"Adjusted Rand index", func(l *score.ClusterLevel) (score.Figure, score.Figure) { return l.AdjustedRand, zero(l.AdjustedRand) }},
		{"Adjusted mutual information", func(l *score.ClusterLevel) (score.Figure, score.Figure) { return l.AdjustedMI, zero(l.AdjustedMI) }},
		{"V-measure", func(l *score.ClusterLevel) (score.Figure, score.Figure) { return l.V, l.ChanceV }},
		{"Purity", func(l *score.ClusterLevel) (score.Figure, score.Figure) { return l.Purity, l.ChancePurity }},
	} {
		g := rowGroup{Name: m.name}
		for k := range e.Levels() {
			f, chance := m.of(&e.Clusters.Levels[k])
			g.Rows = append(g.Rows, tableRow{Head: fmt.Sprint(k + 1), Cells: []tableCell{figureCell(f), bareCell(chance)}})
		}
		t.Groups = append(t.Groups, g)
	}
	return t
}

// recallTable holds the pairs of the sample by similarity.
func (r *Report) recallTable() table {
	t := table{
		Caption: fmt.Sprintf("Pairs of %s sampled bags by exact similarity", whole(int64(r.Recall.Sampled))),
		Columns: []string{"Similarity", "Pairs", "Predicted", "Observed", "Formed", "Stored"},
	}
	var rows []tableRow
	for _, b := range append(slices.Clip(r.Recall.Bins), r.Recall.Above) {
		rows = append(rows, tableRow{
			Head:  fmt.Sprintf("%g to %g", b.From, b.To),
			Cells: []tableCell{numberCell(b.Pairs), bareCell(b.Formula), figureCell(b.Keys), bareCell(b.Formed), figureCell(b.Stored)},
		})
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

// viewsTable holds the coverage of each view and its share in the same category, on the URLs that all views know.
func viewsTable(v *eval.Views) table {
	t := table{Caption: fmt.Sprintf("Views on the %s URLs of %s that all know", whole(int64(v.Common)), v.Gold), Columns: []string{"View", "Coverage"}}
	levels := v.Scores[0].Levels
	for _, l := range levels {
		t.Columns = append(t.Columns, sameCategoryColumn(l.Level))
	}
	var rows []tableRow
	for _, s := range v.Scores {
		r := tableRow{Head: s.Ranking, Cells: []tableCell{figureCell(s.Coverage)}}
		for _, l := range s.Levels {
			r.Cells = append(r.Cells, figureCell(l.Hit))
		}
		rows = append(rows, r)
	}
	chance := tableRow{Head: "Chance", Cells: []tableCell{bareCell(score.Figure{})}}
	for _, l := range levels {
		chance.Cells = append(chance.Cells, bareCell(l.Chance))
	}
	differ := rowGroup{Name: ""}
	for _, d := range v.Differences {
		r := tableRow{Head: d.A + " less " + d.B}
		for _, name := range append([]string{"coverage"}, sameCategoryNames(len(levels))...) {
			i := slices.IndexFunc(d.Figures, func(n score.Named) bool { return n.Name == name })
			r.Cells = append(r.Cells, figureCell(d.Figures[i].Figure))
		}
		differ.Rows = append(differ.Rows, r)
	}
	t.Groups = []rowGroup{{Rows: append(rows, chance)}, differ}
	return t
}

func sameCategoryNames(levels int) (out []string) {
	for k := range levels {
		out = append(out, fmt.Sprint("same_category_", k+1))
	}
	return out
}

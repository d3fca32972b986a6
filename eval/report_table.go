package eval

import (
	"fmt"
	"slices"
)

// reportTable is a table of the report. Its rows are in groups; a group with a name has it as a header over its rows.
type reportTable struct {
	Caption string
	Columns []string
	Groups  []reportGroup
}

type reportGroup struct {
	Name string
	Rows []reportRow
}

// reportRow is a header, a remark under it, and cells.
type reportRow struct {
	Head, Note string
	Cells      []reportCell
}

// reportCell is a figure or a number with its interval, or text.
type reportCell struct {
	Text, Interval string
	Class          string // "number" for a figure, "count" for a whole number, which stands right
}

// Grouped tells whether the groups have names.
func (t reportTable) Grouped() bool {
	return slices.ContainsFunc(t.Groups, func(g reportGroup) bool { return g.Name != "" })
}

// Counts tells whether column i holds whole numbers.
func (t reportTable) Counts(i int) bool {
	i-- // the header
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

func textCell(s string) reportCell { return reportCell{Text: s} }

func numberCell(n int) reportCell { return reportCell{Text: whole(int64(n)), Class: "count"} }

// figureCell is a figure with its interval over lists, or over queries if there is one list.
func figureCell(f Figure) reportCell {
	c := bareCell(f)
	if i := f.interval(); i != nil && f.Defined() {
		c.Interval = fmt.Sprintf("%.3f to %.3f", i.Low, i.High)
	}
	return c
}

func bareCell(f Figure) reportCell {
	if !f.Defined() {
		return reportCell{Text: "–", Class: "number"}
	}
	return reportCell{Text: fmt.Sprintf("%.3f", f.Value), Class: "number"}
}

// interval is the one over lists, or over queries if there is one list.
func (f Figure) interval() *Interval {
	if f.Lists != nil {
		return f.Lists
	}
	return f.Queries
}

// whole is a number with its thousands set apart.
func whole(n int64) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + " " + s[i:] // U+2009
	}
	return s
}

// levels is how many levels any target of the gold has.
func (e *Evaluation) levels() (n int) {
	for n < len(e.Categories) && e.Categories[n] > 0 {
		n++
	}
	return n
}

// relatedTable has the figures of the ranking of the run: over all pairs and, if measured, without those that one page links
// to together.
func (e *Evaluation) relatedTable() reportTable {
	t := reportTable{Caption: "Related pages against " + e.Gold, Columns: []string{"Measure", "Level"}}
	for _, s := range e.Related {
		name := "All pairs"
		if s.CoLinked != "kept" {
			name = "No page links to both"
		}
		t.Columns = append(t.Columns, name, "Chance")
	}
	row := func(head string, of func(s *Scores) (f, chance Figure)) reportRow {
		r := reportRow{Head: head}
		for i := range e.Related {
			f, chance := of(&e.Related[i])
			r.Cells = append(r.Cells, figureCell(f), bareCell(chance))
		}
		return r
	}
	t.Groups = append(t.Groups, reportGroup{"Coverage", []reportRow{row("any", func(s *Scores) (Figure, Figure) { return s.Coverage, Figure{} })}})
	for _, m := range levelMeasures {
		g := reportGroup{Name: m.name}
		for k := range e.levels() {
			g.Rows = append(g.Rows, row(fmt.Sprint(k+1), func(s *Scores) (Figure, Figure) { return m.of(s.Levels[k]), s.Levels[k].Chance }))
		}
		t.Groups = append(t.Groups, g)
	}
	g := reportGroup{Name: fmt.Sprintf("Gamma, depth %d", e.Related[0].Depth)}
	for i, region := range e.Related[0].Gamma {
		g.Rows = append(g.Rows, row(region.Region, func(s *Scores) (f, chance Figure) {
			if f = s.Gamma[i].Gamma; f.Defined() {
				chance = Figure{N: 1}
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
	of   func(l LevelScores) Figure
}{
	{"Nearest in the same category, of all queries", func(l LevelScores) Figure { return l.Hit }},
	{"Nearest in the same category, of those with a neighbour", func(l LevelScores) Figure { return l.Agree }},
	{"Precision of the first ten", func(l LevelScores) Figure { return l.Precision10 }},
}

// sameCategoryColumn is the head of a column with the share of all queries whose nearest target agrees at a level.
func sameCategoryColumn(level int) string { return fmt.Sprintf("Same level-%d category", level) }

// waysTable compares the run with the baselines and with chance; i is the place in Related.
func (e *Evaluation) waysTable(i int) reportTable {
	pairs := "all pairs"
	if e.Related[i].CoLinked != "kept" {
		pairs = "without pairs that one page links to together"
	}
	t := reportTable{Caption: fmt.Sprintf("Ways to find related pages, %s, %s", e.Gold, pairs), Columns: []string{"Way", "Candidates", "Coverage"}}
	for k := range e.levels() {
		t.Columns = append(t.Columns, sameCategoryColumn(k+1))
	}
	var rows []reportRow
	add := func(name, note, candidates string, s *Scores) {
		r := reportRow{Head: name, Note: note, Cells: []reportCell{textCell(candidates), figureCell(s.Coverage)}}
		for k := range e.levels() {
			r.Cells = append(r.Cells, figureCell(s.Levels[k].Hit))
		}
		rows = append(rows, r)
	}
	add("This run", "the neighbours that it stored", AllDocuments, &e.Related[i])
	for j := range e.Baselines {
		if b := &e.Baselines[j]; i < len(b.Related) {
			note := ""
			if i == 0 {
				note = b.About
			}
			add(b.Name, note, b.Candidates, &b.Related[i])
		}
	}
	chance := reportRow{Head: "Chance", Cells: []reportCell{textCell(TargetsAlone), bareCell(Figure{})}}
	for k := range e.levels() {
		chance.Cells = append(chance.Cells, bareCell(e.Related[i].Levels[k].Chance))
	}
	t.Groups = []reportGroup{{Rows: append(rows, chance)}}
	return t
}

// clusterTable has the figures of the clusters of the run.
func (e *Evaluation) clusterTable() reportTable {
	t := reportTable{
		Caption: fmt.Sprintf("Clusters at threshold %g against %s", e.Threshold, e.Gold),
		Columns: []string{"Measure", "Level", "Clusters of the run", "Chance"},
	}
	zero := func(f Figure) Figure { return Figure{N: min(1, f.N)} }
	for _, m := range []struct {
		name string
		of   func(l *ClusterLevelScore) (f, chance Figure)
	}{
		{"B-cubed precision", func(l *ClusterLevelScore) (Figure, Figure) { return l.BCubed.Precision, l.BCubed.ChancePrecision }},
		{"B-cubed recall", func(l *ClusterLevelScore) (Figure, Figure) { return l.BCubed.Recall, l.BCubed.ChanceRecall }},
		{"B-cubed F", func(l *ClusterLevelScore) (Figure, Figure) { return l.BCubed.F, l.BCubed.ChanceF }},
		{"Pair precision", func(l *ClusterLevelScore) (Figure, Figure) { return l.Pairs.Precision, l.Pairs.ChancePrecision }},
		{"Pair recall", func(l *ClusterLevelScore) (Figure, Figure) { return l.Pairs.Recall, l.Pairs.ChanceRecall }},
		{"Adjusted Rand index", func(l *ClusterLevelScore) (Figure, Figure) { return l.AdjustedRand, zero(l.AdjustedRand) }},
		{"Adjusted mutual information", func(l *ClusterLevelScore) (Figure, Figure) { return l.AdjustedMI, zero(l.AdjustedMI) }},
		{"V-measure", func(l *ClusterLevelScore) (Figure, Figure) { return l.V, l.ChanceV }},
		{"Purity", func(l *ClusterLevelScore) (Figure, Figure) { return l.Purity, l.ChancePurity }},
	} {
		g := reportGroup{Name: m.name}
		for k := range e.levels() {
			f, chance := m.of(&e.Clusters.Levels[k])
			g.Rows = append(g.Rows, reportRow{Head: fmt.Sprint(k + 1), Cells: []reportCell{figureCell(f), bareCell(chance)}})
		}
		t.Groups = append(t.Groups, g)
	}
	return t
}

// recallTable has the pairs of the sample by similarity.
func (r *Report) recallTable() reportTable {
	t := reportTable{
		Caption: fmt.Sprintf("Pairs of %s sampled bags by exact similarity", whole(int64(r.Recall.Sampled))),
		Columns: []string{"Similarity", "Pairs", "Predicted", "Observed", "Formed", "Stored"},
	}
	var rows []reportRow
	for _, b := range append(slices.Clip(r.Recall.Bins), r.Recall.Above) {
		rows = append(rows, reportRow{
			Head:  fmt.Sprintf("%g to %g", b.From, b.To),
			Cells: []reportCell{numberCell(b.Pairs), bareCell(b.Formula), figureCell(b.Keys), bareCell(b.Formed), figureCell(b.Stored)},
		})
	}
	t.Groups = []reportGroup{{Rows: rows}}
	return t
}

// viewsTable has coverage and the share in the same category of each view on the URLs that all know.
func (v *Views) viewsTable() reportTable {
	t := reportTable{Caption: fmt.Sprintf("Views on the %s URLs of %s that all know", whole(int64(v.Common)), v.Gold), Columns: []string{"View", "Coverage"}}
	levels := v.Scores[0].Levels
	for _, l := range levels {
		t.Columns = append(t.Columns, sameCategoryColumn(l.Level))
	}
	var rows []reportRow
	for _, s := range v.Scores {
		r := reportRow{Head: s.Ranking, Cells: []reportCell{figureCell(s.Coverage)}}
		for _, l := range s.Levels {
			r.Cells = append(r.Cells, figureCell(l.Hit))
		}
		rows = append(rows, r)
	}
	chance := reportRow{Head: "Chance", Cells: []reportCell{bareCell(Figure{})}}
	for _, l := range levels {
		chance.Cells = append(chance.Cells, bareCell(l.Chance))
	}
	differ := reportGroup{Name: ""}
	for _, d := range v.Differences {
		r := reportRow{Head: d.A + " less " + d.B}
		for _, name := range append([]string{"coverage"}, sameCategoryNames(len(levels))...) {
			i := slices.IndexFunc(d.Figures, func(n Named) bool { return n.Name == name })
			r.Cells = append(r.Cells, figureCell(d.Figures[i].Figure))
		}
		differ.Rows = append(differ.Rows, r)
	}
	t.Groups = []reportGroup{{Rows: append(rows, chance)}, differ}
	return t
}

func sameCategoryNames(levels int) (out []string) {
	for k := range levels {
		out = append(out, fmt.Sprint("same_category_", k+1))
	}
	return out
}

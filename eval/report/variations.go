package report

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/chart"
)

// Variations holds the scores of settings of the bags against one gold, as eval settings --format json writes them: the
// share of queries whose nearest target by exact similarity is in the same category.
type Variations struct {
	Gold string `json:"gold"`
	Base struct {
		Window int `json:"window"`
	} `json:"base"`
	Rows []VariedRow `json:"rows"` // the base first
}

// VariedRow is one variation.
type VariedRow struct {
	Name    string `json:"name"`
	Changed []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"changed"`
	All   *VariedScores `json:"all"`
	Apart *VariedScores `json:"apart"` // nil if co-linked pairs are unknown
}

// VariedScores are the figures of one variation.
type VariedScores struct {
	Coverage score.Figure   `json:"coverage"`
	Hits     []score.Figure `json:"same_category"` // of each level
}

// ErrVariations is the error for a file that is not the output of eval settings.
var ErrVariations = errors.New("this is not the JSON of lshclust eval settings")

// ReadVariations reads the JSON of eval settings, a list with an element for each gold.
func ReadVariations(path string) ([]Variations, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var all []Variations
	if err := json.Unmarshal(b, &all); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", path, ErrVariations, err)
	}
	for _, v := range all {
		for _, r := range v.Rows {
			if r.All == nil || len(r.All.Hits) == 0 {
				return nil, fmt.Errorf("%s: %w: row %q has no figures \"same_category\"", path, ErrVariations, r.Name)
			}
		}
		if len(v.Rows) == 0 {
			return nil, fmt.Errorf("%s: %w: no rows for %q", path, ErrVariations, v.Gold)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s: %w: no gold", path, ErrVariations)
	}
	return all, nil
}

// width returns the window of a row in which no other setting is changed.
func (v Variations) width(r VariedRow) (int, bool) {
	switch {
	case len(r.Changed) == 0:
		return v.Base.Window, v.Base.Window > 0
	case len(r.Changed) > 1 || r.Changed[0].Name != "window":
		return 0, false
	}
	w, err := strconv.Atoi(r.Changed[0].Value)
	return w, err == nil
}

// widthChart shows the share in the same category at each level by the width of the window. It is nil if there are
// fewer than two widths.
func (v Variations) widthChart() chart.Figure {
	byWidth := map[int]VariedRow{}
	for _, r := range v.Rows {
		if w, ok := v.width(r); ok {
			byWidth[w] = r
		}
	}
	if len(byWidth) < 2 {
		return nil
	}
	l := chart.Lines{Frame: chart.Frame{
		Title: "Nearest target in the same category, by width of the window, " + v.Gold,
		Description: fmt.Sprintf("Share of all queries whose nearest target by exact similarity is in the same category, by the number of words on each side of a link, over all pairs, with 95 %% intervals. All other settings are those of the base, whose window has %d words.",
			v.Base.Window),
		X: chart.Axis{Label: "words on each side"}, Y: shareAxis,
	}}
	for w, r := range byWidth {
		for k, f := range r.All.Hits {
			for len(l.Series) <= k {
				l.Series = append(l.Series, chart.Series{Name: fmt.Sprintf("level %d", len(l.Series)+1), Spread: chart.Band, Dots: true})
			}
			if f.Defined() {
				l.Series[k].Points = append(l.Series[k].Points, at(float64(w), f))
			}
		}
	}
	n := 0
	for _, s := range l.Series {
		slices.SortFunc(s.Points, func(a, b chart.Point) int { return cmp.Compare(a.X, b.X) })
		n += len(s.Points)
	}
	if n == 0 {
		return nil
	}
	return l
}

// table lists all variations.
func (v Variations) table() table {
	t := table{Caption: "Settings of the bags against " + v.Gold + ", all pairs", Columns: []string{"Setting", "Coverage"}}
	levels := 0
	for _, r := range v.Rows {
		levels = max(levels, len(r.All.Hits))
	}
	for k := range levels {
		t.Columns = append(t.Columns, sameCategoryColumn(k+1))
	}
	var rows []tableRow
	for _, r := range v.Rows {
		row := tableRow{Head: r.Name, Cells: []tableCell{figureCell(r.All.Coverage)}}
		for k := range levels {
			f := score.Figure{}
			if k < len(r.All.Hits) {
				f = r.All.Hits[k]
			}
			row.Cells = append(row.Cells, figureCell(f))
		}
		rows = append(rows, row)
	}
	t.Groups = []rowGroup{{Rows: rows}}
	return t
}

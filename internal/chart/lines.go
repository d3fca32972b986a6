package chart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Lines are series over a common axis of numbers.
type Lines struct {
	Frame
	Series []Series
	Marks  []Mark
}

// Mark is a named vertical line: a floor, a threshold.
type Mark struct {
	Name string
	X    float64
}

// Series is points in ascending order of X, no two at the same, joined or not.
type Series struct {
	Name    string
	Points  []Point
	Spread  Spread
	Dots    bool // marks at the points
	NoLine  bool // dots alone
	Dashed  bool
	Unnamed bool // left out of the legend
}

// check returns an error if the figure cannot be drawn.
func (l Lines) check() error {
	n := 0
	for _, s := range l.Series {
		for i, p := range s.Points {
			if err := cmp.Or(finite(s.Name, l.X.Log, p.X), finite(s.Name, l.Y.Log, p.Y)); err != nil {
				return err
			}
			if i > 0 && p.X <= s.Points[i-1].X {
				return fmt.Errorf("chart: series %q goes from %v to %v", s.Name, s.Points[i-1].X, p.X)
			}
			if s.Spread == None {
				continue
			}
			if err := finiteInterval(s.Name, l.Y.Log, p); err != nil {
				return err
			}
		}
		n += len(s.Points)
	}
	for _, m := range l.Marks {
		if err := finite(m.Name, l.X.Log, m.X); err != nil {
			return err
		}
	}
	if n == 0 {
		return fmt.Errorf("chart: %q: %w", l.Title, errEmpty)
	}
	return nil
}

// SVG draws the figure.
func (l Lines) SVG() ([]byte, error) {
	if err := l.check(); err != nil {
		return nil, err
	}
	p := newPicture(l.Frame)
	for i, s := range l.Series {
		if len(s.Points) > 0 {
			p.series(i, s)
		}
	}
	for i, m := range l.Marks {
		p.mark(len(l.Series)+i, m)
	}
	return p.svg()
}

// mark adds a vertical line from the lowest to the highest number.
func (p *picture) mark(i int, m Mark) {
	line := &plotter.Line{XYs: plotter.XYs{{X: m.X, Y: p.Y.Min}, {X: m.X, Y: p.Y.Max}}, LineStyle: stroke(i)}
	line.Width, line.Dashes = 1, []vg.Length{5, 3}
	p.Add(line)
	p.name(m.Name, line)
}

// series adds what is drawn of a series: band, line, bars, dots, from back to front.
func (p *picture) series(i int, s Series) {
	at := make(plotter.XYs, len(s.Points))
	for j, x := range s.Points {
		at[j] = plotter.XY{X: x.X, Y: x.Y}
	}
	var thumbs []plot.Thumbnailer
	if s.Spread == Band {
		b := band(s.Points)
		b.Color, b.LineStyle.Width = softColour(i), 0
		p.Add(b)
		thumbs = append(thumbs, b)
	}
	if !s.NoLine {
		line := &plotter.Line{XYs: at, LineStyle: stroke(i)}
		if s.Dashed {
			line.Dashes = []vg.Length{5, 3}
		}
		p.Add(line)
		thumbs = append(thumbs, line)
	}
	if s.Spread == ErrorBars {
		p.Add(bars(at, s.Points, lineColour(i)))
	}
	if s.Dots || s.NoLine {
		dots := &plotter.Scatter{XYs: at, GlyphStyle: draw.GlyphStyle{Color: lineColour(i), Radius: 2.6, Shape: glyph(i)}}
		p.Add(dots)
		thumbs = append(thumbs, dots)
	}
	if !s.Unnamed {
		p.name(s.Name, thumbs...)
	}
}

// band is the area between the upper ends of the intervals and the lower ends.
func band(points []Point) *plotter.Polygon {
	var edge plotter.XYs
	for _, x := range points {
		edge = append(edge, plotter.XY{X: x.X, Y: x.High})
	}
	for _, x := range slices.Backward(points) {
		edge = append(edge, plotter.XY{X: x.X, Y: x.Low})
	}
	return &plotter.Polygon{XYs: []plotter.XYs{edge}}
}

// Table lists the points: a row for each X, the columns of a series left empty where it has no point.
func (l Lines) Table() Table {
	t := Table{Caption: l.Title, Columns: []string{l.X.Label}}
	rows := map[float64][]any{}
	for _, s := range l.Series {
		for _, p := range s.Points {
			row := rows[p.X]
			if row == nil {
				row = []any{p.X}
			}
			rows[p.X] = append(filled(row, len(t.Columns)), spreadCells(p, s.Spread)...)
		}
		t.Columns = append(t.Columns, spreadColumns(s.Name, s.Spread)...)
	}
	for _, x := range slices.Sorted(maps.Keys(rows)) {
		t.Rows = append(t.Rows, filled(rows[x], len(t.Columns)))
	}
	return t
}

// filled is a row with empty cells up to n.
func filled(row []any, n int) []any { return append(row, make([]any, n-len(row))...) }

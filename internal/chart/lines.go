package chart

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Lines shows series over a common axis of numbers.
type Lines struct {
	Frame
	Series []Series
	Marks  []Mark
}

// Mark is a named vertical line, such as a floor or a threshold.
type Mark struct {
	Name string
	X    float64
}

// Series holds points in strictly ascending order of X, which are joined or not.
type Series struct {
	Name    string
	Points  []Point
	Spread  Spread
	Dots    bool // mark the points
	NoLine  bool // only mark the points
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
	var x, y span
	var legend []entry
	for i, s := range l.Series {
		for _, at := range s.Points {
			x.add(at.X)
			y.add(at.Y)
			if s.Spread != None {
				y.add(at.Low, at.High)
			}
		}
		if len(s.Points) > 0 && !s.Unnamed {
			legend = append(legend, entry{s.Name, func(p *plot, left dot) { p.sample(i, s, left) }})
		}
	}
	for i, m := range l.Marks {
		x.add(m.X)
		class := of(classLine, len(l.Series)+i)
		legend = append(legend, entry{m.Name, func(p *plot, left dot) { p.line(class, left.x, left.y, left.x+swatch, left.y, true) }})
	}
	p := newPlot(l.Frame, x.scale(l.X, false), y.scale(l.Y, true), legend, nil)
	for i, m := range l.Marks {
		at := p.x.at(m.X)
		p.line(of(classLine, len(l.Series)+i), at, p.y.from, at, p.y.to, true)
	}
	for i, s := range l.Series {
		if len(s.Points) > 0 {
			p.series(i, s)
		}
	}
	return p.done(), nil
}

// sample draws the look of a series into its swatch.
func (p *plot) sample(i int, s Series, left dot) {
	if s.Spread == Band {
		p.rect(of(classArea, i), left.x, left.y-6, swatch, 12, "")
	}
	if !s.NoLine {
		p.line(of(classLine, i), left.x, left.y, left.x+swatch, left.y, s.Dashed)
	}
	if s.Dots || s.NoLine {
		p.glyph(i, dot{left.x + swatch/2, left.y})
	}
}

// series draws a series from back to front: band, line, error bars, dots. An invisible circle at every point shows its
// number under the pointer.
func (p *plot) series(i int, s Series) {
	var line, band []dot
	for _, x := range s.Points {
		line, band = append(line, p.place(x.X, x.Y)), append(band, p.place(x.X, x.High))
	}
	if s.Spread == Band {
		for _, x := range slices.Backward(s.Points) {
			band = append(band, p.place(x.X, x.Low))
		}
		p.polygon(of(classArea, i), band)
	}
	if !s.NoLine {
		p.polyline(of(classLine, i), line, s.Dashed)
	}
	for j, x := range s.Points {
		if s.Spread == ErrorBars {
			p.whisker(of(classLine, i), line[j].x, x)
		}
		if s.Dots || s.NoLine {
			p.glyph(i, line[j])
		}
		p.circle(classHit, line[j], 7, fmt.Sprintf("%s: %s %s, %s", s.Name, p.frame.X.Label, number(x.X), valueText(x, s.Spread)))
	}
}

// valueText formats a value with its interval.
func valueText(p Point, s Spread) string {
	if s == None {
		return number(p.Y)
	}
	return fmt.Sprintf("%s (%s to %s)", number(p.Y), number(p.Low), number(p.High))
}

// Table lists the points, with a row for each X. The columns of a series without a point there are empty.
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

// filled extends a row to n cells with empty ones.
func filled(row []any, n int) []any { return append(row, make([]any, n-len(row))...) }

package chart

import (
	"fmt"
	"maps"
	"slices"
)

// Lines shows series over a common axis of numbers.
type Lines struct {
	Title       string
	Description string // one or two sentences that say what the picture shows, for screen readers and below the picture
	X, Y        Axis
	Series      []Series
	Marks       []Mark
}

// Mark is a named vertical line, such as a floor or a threshold.
type Mark struct {
	Name string
	X    float64
}

// Series holds points in strictly ascending order of X: a line or, with intervals, dots with error bars.
type Series struct {
	Name      string
	Points    []Point
	Intervals bool
}

// check returns an error if the figure cannot be drawn.
func (l Lines) check() error {
	n := 0
	for _, s := range l.Series {
		for i, p := range s.Points {
			if err := finite(s.Name, p.X, p.Y, p.Low, p.High); err != nil {
				return err
			}
			if i > 0 && p.X <= s.Points[i-1].X {
				return fmt.Errorf("chart: series %q goes from %v to %v", s.Name, s.Points[i-1].X, p.X)
			}
			if s.Intervals && (p.Low > p.Y || p.High < p.Y) {
				return fmt.Errorf("chart: series %q holds %v with the interval %v to %v", s.Name, p.Y, p.Low, p.High)
			}
		}
		n += len(s.Points)
	}
	for _, m := range l.Marks {
		if err := finite(m.Name, m.X); err != nil {
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
			if s.Intervals {
				y.add(at.Low, at.High)
			}
		}
		if len(s.Points) > 0 {
			legend = append(legend, entry{s.Name, func(p *plot, left dot) { p.sample(i, s, left) }})
		}
	}
	for i, m := range l.Marks {
		x.add(m.X)
		class := of(classLine, len(l.Series)+i)
		legend = append(legend, entry{m.Name, func(p *plot, left dot) { p.line(class, left.x, left.y, left.x+swatch, left.y, true) }})
	}
	p := newPlot(l, x.scale(l.X, false), y.scale(l.Y, true), legend)
	for i, m := range l.Marks {
		at := p.x.at(m.X)
		p.line(of(classLine, len(l.Series)+i), at, p.y.from, at, p.y.to, true)
	}
	for i, s := range l.Series {
		if len(s.Points) > 0 {
			p.series(i, s)
		}
	}
	return p.svg(l, plotWidth, p.height), nil
}

// sample draws the look of a series into its swatch.
func (p *plot) sample(i int, s Series, left dot) {
	if s.Intervals {
		p.glyph(i, dot{left.x + swatch/2, left.y})
	} else {
		p.line(of(classLine, i), left.x, left.y, left.x+swatch, left.y, false)
	}
}

// series draws a series. An invisible circle at every point shows its number under the pointer.
func (p *plot) series(i int, s Series) {
	var line []dot
	for _, x := range s.Points {
		line = append(line, p.place(x.X, x.Y))
	}
	if !s.Intervals {
		p.polyline(of(classLine, i), line)
	}
	for j, x := range s.Points {
		value := number(x.Y)
		if s.Intervals {
			value += fmt.Sprintf(" (%s to %s)", number(x.Low), number(x.High))
			p.whisker(of(classLine, i), line[j].x, x)
			p.glyph(i, line[j])
		}
		p.circle(classHit, line[j], 7, fmt.Sprintf("%s: %s %s, %s", s.Name, p.of.X.Label, number(x.X), value))
	}
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
			row = append(filled(row, len(t.Columns)), p.Y)
			if s.Intervals {
				row = append(row, p.Low, p.High)
			}
			rows[p.X] = row
		}
		t.Columns = append(t.Columns, s.Name)
		if s.Intervals {
			t.Columns = append(t.Columns, s.Name+", low", s.Name+", high")
		}
	}
	for _, x := range slices.Sorted(maps.Keys(rows)) {
		t.Rows = append(t.Rows, filled(rows[x], len(t.Columns)))
	}
	return t
}

// filled extends a row to n cells with empty ones.
func filled(row []any, n int) []any { return append(row, make([]any, n-len(row))...) }

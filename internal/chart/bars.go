package chart

import (
	"fmt"
	"math"
)

// Bars shows values of named groups with their intervals. The series are side by side.
type Bars struct {
	Frame  // of X only the label is used; the axis of values is linear and includes 0
	Groups []string
	Series []Values
}

// Values holds the values of one series, one for each group. The X of a value is ignored.
type Values struct {
	Name   string
	Spread Spread // None or ErrorBars
	Values []Point
}

// barsWidth is the share of the room of a group that its bars fill.
const barsWidth = 0.8

func (b Bars) check() error {
	if len(b.Groups) == 0 || len(b.Series) == 0 {
		return fmt.Errorf("chart: %q: %w", b.Title, errEmpty)
	}
	if b.Y.Log {
		return fmt.Errorf("chart: %q: bars have no logarithmic axis: it has no 0 to stand on", b.Title)
	}
	for _, s := range b.Series {
		if len(s.Values) != len(b.Groups) {
			return fmt.Errorf("chart: series %q has %d values for %d groups", s.Name, len(s.Values), len(b.Groups))
		}
		for _, v := range s.Values {
			if s.Spread == None {
				v.Low, v.High = v.Y, v.Y
			}
			if err := finiteInterval(s.Name, false, v); err != nil {
				return err
			}
		}
	}
	return nil
}

// SVG draws the figure.
func (b Bars) SVG() ([]byte, error) {
	if err := b.check(); err != nil {
		return nil, err
	}
	var y span
	var legend []entry
	y.add(0)
	for i, s := range b.Series {
		for _, v := range s.Values {
			y.add(v.Y)
			if s.Spread != None {
				y.add(v.Low, v.High)
			}
		}
		legend = append(legend, entry{s.Name, func(p *plot, left dot) { p.box(i, left) }})
	}
	x := scale{min: -0.5, max: float64(len(b.Groups)) - 0.5}
	groups := make([]tick, len(b.Groups))
	for i, g := range b.Groups {
		groups[i] = tick{float64(i), g}
	}
	p := newPlot(b.Frame, x, y.scale(b.Y, true), legend, groups)
	for i, s := range b.Series {
		p.columns(i, len(b.Series), s, b.Groups)
	}
	return p.done(), nil
}

// column draws one bar.
func (p *plot) column(i int, x, y, width, height float64, hover string) {
	p.rect(of(classArea, i), x, y, width, height, hover)
	p.polyline(of(classLine, i), []dot{{x, y + height}, {x, y}, {x + width, y}, {x + width, y + height}}, false)
}

// columns draws the bars of series i of n.
func (p *plot) columns(i, n int, s Values, groups []string) {
	room := barsWidth / float64(n)
	for g, v := range s.Values {
		left := float64(g) - barsWidth/2 + room*float64(i)
		from, to := p.place(left, 0), p.place(left+room*0.9, v.Y)
		p.column(i, from.x, min(from.y, to.y), to.x-from.x, math.Abs(to.y-from.y), fmt.Sprintf("%s: %s, %s", s.Name, groups[g], valueText(v, s.Spread)))
		if s.Spread != None {
			p.whisker(classBar, (from.x+to.x)/2, v)
		}
	}
}

// Table lists the groups.
func (b Bars) Table() Table {
	t := Table{Caption: b.Title, Columns: []string{b.X.Label}}
	for _, s := range b.Series {
		t.Columns = append(t.Columns, spreadColumns(s.Name, s.Spread)...)
	}
	for i, g := range b.Groups {
		row := []any{g}
		for _, s := range b.Series {
			row = append(row, spreadCells(s.Values[i], s.Spread)...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

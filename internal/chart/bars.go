package chart

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Bars are values of named groups, side by side for each series, with their intervals.
type Bars struct {
	Frame  // X holds the label of the groups alone; the axis of values is linear and holds 0
	Groups []string
	Series []Values
}

// Values is the values of one series, a group each. X of a value is not looked at.
type Values struct {
	Name   string
	Spread Spread // None or ErrorBars
	Values []Point
}

// barsWidth is the share of a group's room that its bars take.
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
	b.X.Log, b.X.Min, b.X.Max = false, -0.5, float64(len(b.Groups))-0.5
	p := newPicture(b.Frame)
	ticks := plot.ConstantTicks{}
	for i, g := range b.Groups {
		ticks = append(ticks, plot.Tick{Value: float64(i), Label: clean(g)})
	}
	p.X.Tick.Marker, p.X.Tick.LineStyle.Width, p.grid.Vertical.Color = ticks, 0, nil
	for i, s := range b.Series {
		p.values(i, len(b.Series), s)
	}
	return p.svg()
}

// values adds the bars of series i of n.
func (p *picture) values(i, n int, s Values) {
	wide := barsWidth / float64(n)
	boxes := &plotter.Polygon{Color: softColour(i), LineStyle: stroke(i)}
	at := make(plotter.XYs, len(s.Values))
	for g, v := range s.Values {
		left := float64(g) - barsWidth/2 + wide*float64(i)
		right := left + wide*0.9
		boxes.XYs = append(boxes.XYs, plotter.XYs{{X: left, Y: 0}, {X: left, Y: v.Y}, {X: right, Y: v.Y}, {X: right, Y: 0}})
		at[g] = plotter.XY{X: (left + right) / 2, Y: v.Y}
	}
	p.Add(boxes)
	if s.Spread != None {
		p.Add(bars(at, s.Values, ink))
	}
	p.name(s.Name, boxes)
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

// Package chart draws a figure as SVG within HTML: without scripts, fonts or other files, with colours for light and
// dark screens, and with a title and a description for people who cannot see it. [Lines] holds the numbers and their
// meaning; [HTML] shows the picture, with the number under the pointer as hover text, and a table of the same
// numbers.
//
// All numbers must be finite. Other numbers cause an error that names the series, never a gap in the picture. The
// same figure always yields the same bytes.
package chart

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Lines shows series over a common axis of numbers.
type Lines struct {
	Title       string
	Description string // one or two sentences that describe the picture, for screen readers and below the picture
	X, Y        Axis
	Series      []Series
	Marks       []Mark
}

// Axis is one of the two axes.
type Axis struct {
	Label string
	Max   float64 // always shown, unless it is 0
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

// Point is a value with its interval. Low and High are used only in a series with intervals.
type Point struct{ X, Y, Low, High float64 }

// errEmpty is the error for a figure without numbers.
var errEmpty = errors.New("nothing to draw")

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

// finite returns an error if a number of a series cannot be drawn.
func finite(series string, values ...float64) error {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("chart: series %q holds %v", series, v)
		}
	}
	return nil
}

// Table is the numbers of a figure. A cell is a float64, or nil if there is no value. All rows have the length of
// Columns.
type Table struct {
	Caption string
	Columns []string
	Rows    [][]any
}

// Table lists the points, with a row for each X. A cell is empty if its series has no point there.
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

// filled extends a row with empty cells to n cells.
func filled(row []any, n int) []any { return append(row, make([]any, n-len(row))...) }

// Package chart draws figures as SVG that stands alone: no script, no font, no file from elsewhere, colours for light and
// dark, a title and a description for those who do not see it. Lines, Histogram, Bars and Plane hold the numbers and what
// they mean; SVG draws them, with the number under the pointer as hover text, and Table lists the same numbers.
//
// The one rule: all numbers are finite, and above 0 on a logarithmic axis (counts of a histogram may be 0). Anything else
// is an error that names the series, never a hole in the picture.
//
// The same figure gives the same bytes.
package chart

import (
	"errors"
	"fmt"
	"math"
)

// Figure is a picture and its table.
type Figure interface {
	SVG() ([]byte, error)
	Table() Table
}

// Frame is what all figures have.
type Frame struct {
	Title       string
	Description string // a sentence or two that say what the picture shows, for the screen reader and under the picture
	X, Y        Axis
}

// Axis is one of the two axes.
type Axis struct {
	Label    string
	Min, Max float64 // the range at least shown; both 0 leave it to the numbers
	Log      bool
}

// Spread is how the intervals of a series are drawn.
type Spread int

// A series has no intervals, or a bar at each point, or a band along its line.
const (
	None Spread = iota
	ErrorBars
	Band
)

// Point is a value with its interval. Low and High count only in a series with a Spread.
type Point struct{ X, Y, Low, High float64 }

// errEmpty is the error of a figure without numbers.
var errEmpty = errors.New("nothing to draw")

// finite returns an error if a number of a series cannot be drawn on an axis.
func finite(series string, log bool, values ...float64) error {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("chart: series %q holds %v", series, v)
		}
		if log && v <= 0 {
			return fmt.Errorf("chart: series %q holds %v, and the axis is logarithmic", series, v)
		}
	}
	return nil
}

// finiteInterval holds the interval of a value to be one: low, value, high ascending.
func finiteInterval(series string, log bool, p Point) error {
	if err := finite(series, log, p.Y, p.Low, p.High); err != nil {
		return err
	}
	if p.Low > p.Y || p.High < p.Y {
		return fmt.Errorf("chart: series %q holds %v with the interval %v to %v", series, p.Y, p.Low, p.High)
	}
	return nil
}

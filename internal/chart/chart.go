// Package chart draws figures as standalone SVG: without scripts, fonts or other files, with colours for light and dark
// screens, and with a title and a description for people who cannot see it. [Lines], [Histogram], [Bars] and [Plane]
// hold the numbers and their meaning. SVG draws them, with the number under the pointer as hover text; Table lists the
// same numbers.
//
// The one rule: all numbers are finite, and above 0 on a logarithmic axis (counts of a histogram may be 0). Anything
// else is an error that names the series, never a gap in the picture.
//
// The same figure always gives the same bytes.
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

// Frame is the part that all figures have in common.
type Frame struct {
	Title       string
	Description string // one or two sentences that say what the picture shows, for screen readers and below the picture
	X, Y        Axis
}

// Axis is one of the two axes.
type Axis struct {
	Label    string
	Min, Max float64 // a range that is always shown; if both are 0, the numbers decide
	Log      bool
}

// Spread is a way to draw the intervals of a series.
type Spread int

// A series has no intervals, a bar at each point, or a band along its line.
const (
	None Spread = iota
	ErrorBars
	Band
)

// Point is a value with its interval. Low and High are only used in a series with a Spread.
type Point struct{ X, Y, Low, High float64 }

// errEmpty is the error for a figure without numbers.
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

// finiteInterval returns an error if low, value and high of an interval cannot be drawn or are not in ascending order.
func finiteInterval(series string, log bool, p Point) error {
	if err := finite(series, log, p.Y, p.Low, p.High); err != nil {
		return err
	}
	if p.Low > p.Y || p.High < p.Y {
		return fmt.Errorf("chart: series %q holds %v with the interval %v to %v", series, p.Y, p.Low, p.High)
	}
	return nil
}

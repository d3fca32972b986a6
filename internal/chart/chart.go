// Package chart draws a figure as standalone SVG: without scripts, fonts or other files, with colours for light and dark
// screens, and with a title and a description for people who cannot see it. [Lines] holds the numbers and their meaning;
// [HTML] shows the picture, with the number under the pointer as hover text, and a table of the same numbers.
//
// All numbers must be finite. Anything else is an error that names the series, never a gap in the picture. The same figure
// always gives the same bytes.
package chart

import (
	"errors"
	"fmt"
	"math"
)

// Axis is one of the two axes.
type Axis struct {
	Label string
	Max   float64 // that is always shown, unless it is 0
}

// Point is a value with its interval. Low and High are only used in a series with intervals.
type Point struct{ X, Y, Low, High float64 }

// errEmpty is the error for a figure without numbers.
var errEmpty = errors.New("nothing to draw")

// finite returns an error if a number of a series cannot be drawn.
func finite(series string, values ...float64) error {
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Errorf("chart: series %q holds %v", series, v)
		}
	}
	return nil
}

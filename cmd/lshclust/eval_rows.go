package main

import "github.com/lshclust/lshclust/eval/score"

// figureColumns are the last columns of rows that hold one figure, in every format. low and high are the ends of the 95
// % interval that resamples queries; list_low and list_high are those of the interval that resamples whole lists.
var figureColumns = []string{"figure", "value", "n", "low", "high", "list_low", "list_high"}

// figureCells returns the values for figureColumns. Undefined values are empty, and null in JSON.
func figureCells(n score.Named) []any {
	return append([]any{n.Name, number(n.Figure), n.Figure.N}, intervalCells(n.Figure)...)
}

// intervalCells returns the values for the last four of figureColumns.
func intervalCells(f score.Figure) []any {
	cells := make([]any, 4)
	if !f.Defined() {
		return cells
	}
	for i, interval := range []*score.Interval{f.Queries, f.Lists} {
		if interval != nil {
			cells[2*i], cells[2*i+1] = interval.Low, interval.High
		}
	}
	return cells
}

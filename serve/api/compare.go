package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// mostCorner is the number of pairs kept for each corner.
const mostCorner = 100

// Compared compares both views of the run. That reads all stored pairs and continues in the background if the context
// ends first; the next call returns the result.
func (r *Run) Compared(ctx context.Context) (*query.Comparison, error) {
	return Kept(ctx, r, nil, "compare", "The two views of the run are being compared, which takes a while for a large run, and once.",
		func(ctx context.Context) (*query.Comparison, error) {
			o := r.CompareDefaults()
			o.Top = mostCorner
			return r.Compare(ctx, o)
		})
}

func compareOperation() *Operation {
	return &Operation{
		ID: "compare", Path: "/v1/compare", Summary: "Where the two views disagree",
		Description: "Compares every pair that either view stored by both figures, and lists the clearest pairs of four corners: same text but different links (mirrors), same links but different text (successors, rivals), both the same, and neither. With x or y it lists pairs of one cell of the histogram instead. The first question to a large run is answered with 503 while the comparison is being made.",
		Params: append([]Param{
			{Name: "corner", Doc: "corner whose pairs are listed; all if it is missing", Kind: Text, Enum: cornerNames(), Most: 20},
			{Name: "x", Doc: "column of a cell of the histogram, whose pairs are listed instead of corners; 0 if only y is given", Kind: Whole, Least: 0, Most: query.CompareBins},
			{Name: "y", Doc: "row of the cell; 0 if only x is given", Kind: Whole, Least: 0, Most: query.CompareBins},
		}, listParams("20")...),
		Answer: &answer.CompareAnswer{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			x, err := q.Run.Compared(ctx)
			if err != nil {
				return nil, err
			}
			return answer.Compare(q.Run.Run, x, CompareOptions(q.Args, q.window(0))), nil
		},
	}
}

// CompareOptions returns the options for the pairs that the parameters corner, x and y ask for.
func CompareOptions(a Args, w answer.Window) answer.CompareOptions {
	o := answer.CompareOptions{Window: w, Corner: a.Text("corner")}
	if a.Has("x") || a.Has("y") {
		o.Cell = &[2]int{a.Int("x"), a.Int("y")}
	}
	return o
}

func cornerNames() (names []string) {
	for _, c := range query.Corners {
		names = append(names, string(c))
	}
	return names
}

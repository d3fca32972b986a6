package ask

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/ask/views"
	"github.com/lshclust/lshclust/internal/runs"
)

// CompareAnswer shows where the two views of a run agree and where they differ.
type CompareAnswer struct {
	*Comparison
	Histogram [][]uint64     `json:"histogram" doc:"pairs by similarity of the links, from 0 on, and then by resemblance of the texts; bin 0 is for 0"`
	Cell      *CompareCell   `json:"cell,omitempty" doc:"whose pairs are listed, if the question is about one"`
	Items     []ComparedPair `json:"items" doc:"clearest pairs of the corners, one from each cluster; or pairs of the cell, pages with the most links first"`
	Portion
}

// CompareCell is a cell of the histogram.
type CompareCell struct {
	X     int     `json:"x" doc:"column, by similarity of the links; 0 is for 0"`
	Y     int     `json:"y" doc:"row, by resemblance of the texts; 0 is for 0"`
	FromX float64 `json:"from_similarity"`
	ToX   float64 `json:"to_similarity"`
	FromY float64 `json:"from_resemblance"`
	ToY   float64 `json:"to_resemblance"`
	Pairs int     `json:"pairs" doc:"that were compared"`
}

// Compare asks where the two views of a run disagree. It lists pairs of all corners, of one, or of a cell of the
// histogram.
type Compare struct {
	Corner Corner `value:"CORNER" doc:"corner whose pairs are listed; all if it is missing"`
	X      *int   `most:"10" value:"COLUMN" doc:"column of a cell of the histogram, whose pairs are listed instead of corners; 0 if only y is given"`
	Y      *int   `most:"10" value:"ROW" doc:"row of the cell; 0 if only x is given"`
	Window `limit:"20"`
}

// mostCorner is the number of pairs kept for each corner.
const mostCorner = 100

// Ask answers the question. The pairs are compared once.
func (o Compare) Ask(ctx context.Context, r *Run) (*CompareAnswer, error) {
	x, err := Compared(ctx, r)
	if err != nil {
		return nil, err
	}
	return o.Of(r, x), nil
}

// Compared compares both views of a run once. That reads all stored pairs.
func Compared(ctx context.Context, r *Run) (*Comparison, error) {
	return runs.Result(ctx, r, nil, "compare", "The two views of the run are being compared, which takes a while for a large run, and once.",
		func(ctx context.Context) (*Comparison, error) {
			bounds := views.CompareDefaults(r)
			bounds.Top = mostCorner
			return views.Compare(ctx, r, bounds)
		})
}

// HasCell reports whether the question is about a cell of the histogram.
func (o *Compare) HasCell() bool { return o.X != nil || o.Y != nil }

// Of returns an answer with some pairs of x, the result of [views.Compare].
func (o Compare) Of(r *Run, x *Comparison) *CompareAnswer {
	out := &CompareAnswer{Comparison: x, Histogram: x.Histogram.Counts}
	var pairs []ComparedPair
	if o.HasCell() {
		column, row := *cmp.Or(o.X, new(int)), *cmp.Or(o.Y, new(int))
		out.Cell, pairs = newCompareCell(x.Histogram, column, row), x.Cell(column, row)
	} else {
		for _, c := range x.Corners {
			if o.Corner == "" || o.Corner == c.Corner {
				pairs = append(pairs, c.Most()...)
			}
		}
	}
	out.Items = Cut(&out.Portion, pairs, o.Window)
	for i := range out.Items {
		p := &out.Items[i]
		p.Pair, p.Shared = runs.PairOf(runs.RefOf(r, p.A), runs.RefOf(r, p.B)), topics.Shared(r, p.A, p.B, p.By, mostShared)
	}
	return out
}

// EachCompared compares the two views of a run and calls put with an answer with one item for every pair.
func EachCompared(ctx context.Context, r *Run, o views.CompareOptions, put func(*CompareAnswer) error) error {
	o.Top, o.Each = 0, func(p ComparedPair) error {
		p.Pair = runs.PairOf(runs.RefOf(r, p.A), runs.RefOf(r, p.B))
		return put(&CompareAnswer{Items: []ComparedPair{p}})
	}
	_, err := views.Compare(ctx, r, o)
	return err
}

func newCompareCell(h *views.Histogram, x, y int) *CompareCell {
	to := func(bin int) float64 {
		if bin == 0 {
			return 0
		}
		return h.From(bin + 1)
	}
	return &CompareCell{x, y, h.From(x), to(x), h.From(y), to(y), int(h.Counts[x][y])}
}

package answer

import (
	"context"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/compare"
)

// CompareAnswer shows where the two views of a run agree and where they differ.
type CompareAnswer struct {
	*query.Comparison
	Histogram [][]uint64           `json:"histogram" doc:"pairs by similarity of the links, from 0 on, and then by resemblance of the texts; bin 0 is for 0"`
	Cell      *CompareCell         `json:"cell,omitempty" doc:"whose pairs are listed, if the question is about one"`
	Items     []query.ComparedPair `json:"items" doc:"clearest pairs of the corners, one from each cluster; or pairs of the cell, pages with the most links first"`
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

// CompareOptions choose the pairs to list: those of a cell of the histogram, of a corner, or of all corners.
type CompareOptions struct {
	Window
	Corner string
	Cell   *[2]int // indexes by similarity of the links and by resemblance of the texts
}

// Compare returns an answer with some pairs of x, the result of [query.Run.Compare].
func Compare(r *query.Run, x *query.Comparison, o CompareOptions) *CompareAnswer {
	out := &CompareAnswer{Comparison: x, Histogram: x.Histogram.Counts}
	var pairs []query.ComparedPair
	if o.Cell != nil {
		out.Cell = newCompareCell(x.Histogram, o.Cell[0], o.Cell[1])
		pairs = x.Cell(o.Cell[0], o.Cell[1])
	} else {
		for _, c := range x.Corners {
			if o.Corner == "" || o.Corner == string(c.Corner) {
				pairs = append(pairs, c.Most()...)
			}
		}
	}
	out.Items = Cut(&out.Portion, pairs, o.Window)
	for i := range out.Items {
		p := &out.Items[i]
		p.NameA, p.NameB, p.Shared = r.NameOf(p.A), r.NameOf(p.B), r.Shared(p.A, p.B, p.By, mostShared)
	}
	return out
}

// EachCompared compares the two views of a run and calls put with an answer with one item for every pair.
func EachCompared(ctx context.Context, r *query.Run, o query.CompareOptions, put func(*CompareAnswer) error) error {
	o.Top, o.Each = 0, func(p query.ComparedPair) error {
		p.NameA, p.NameB = r.NameOf(p.A), r.NameOf(p.B)
		return put(&CompareAnswer{Items: []query.ComparedPair{p}})
	}
	_, err := r.Compare(ctx, o)
	return err
}

func newCompareCell(h *compare.Histogram, x, y int) *CompareCell {
	to := func(bin int) float64 {
		if bin == 0 {
			return 0
		}
		return h.From(bin + 1)
	}
	return &CompareCell{x, y, h.From(x), to(x), h.From(y), to(y), int(h.Counts[x][y])}
}

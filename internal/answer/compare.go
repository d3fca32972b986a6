package answer

import (
	"context"

	"github.com/lshclust/lshclust/internal/query"
)

// CompareAnswer tells where the two views of a run agree and where they do not.
type CompareAnswer struct {
	*query.Comparison
	Histogram [][]uint64    `json:"histogram" doc:"pairs by similarity of the links, from 0 on, and then by resemblance of the texts; bin 0 is for 0"`
	Cell      *CompareCell  `json:"cell,omitempty" doc:"whose pairs are listed, if the question is about one"`
	Items     []CompareItem `json:"items" doc:"clearest pairs of the corners, one from each cluster; or pairs of the cell, those of the pages with most links first"`
	Portion
}

// CompareItem is a pair of pages with its similarity in either view.
type CompareItem struct {
	query.ComparedPair
	NameA         string   `json:"name_a" doc:"title or, without one, the most common text of the links to it"`
	NameB         string   `json:"name_b"`
	ContainmentAB *float64 `json:"containment_ab,omitempty" doc:"share of the shingles of the first page that the second has; missing if sketches do not tell it" least:"0" most:"1"`
	ContainmentBA *float64 `json:"containment_ba,omitempty" doc:"the other way round" least:"0" most:"1"`
}

// CompareOptions say which pairs an answer lists: those of a cell of the histogram, of a corner, or of all corners.
type CompareOptions struct {
	Window
	Corner string
	Cell   *[2]int // by similarity of the links and by resemblance of the texts
}

// Compared is both views of a run, compared.
type Compared struct {
	*query.Comparison
	run   *query.Run
	cells cells
}

// Compare compares the two views of a run. Answers are made from the result.
func Compare(ctx context.Context, r *query.Run, o query.CompareOptions) (*Compared, error) {
	c := &Compared{run: r}
	o.Each = func(p query.ComparedPair) error {
		c.cells.offer(p)
		return nil
	}
	var err error
	c.Comparison, err = r.Compare(ctx, o)
	return c, err
}

// EachCompared compares the two views of a run, and calls put with an answer that has one item, for every pair.
func EachCompared(ctx context.Context, r *query.Run, o query.CompareOptions, put func(*CompareAnswer) error) error {
	o.Top, o.Each = 0, func(p query.ComparedPair) error { return put(&CompareAnswer{Items: []CompareItem{compareItem(r, p)}}) }
	_, err := r.Compare(ctx, o)
	return err
}

// Answer returns the answer with some of the pairs.
func (c *Compared) Answer(o CompareOptions) *CompareAnswer {
	out := &CompareAnswer{Comparison: c.Comparison, Histogram: c.Histogram.Counts, Items: []CompareItem{}}
	var pairs []query.ComparedPair
	if o.Cell != nil {
		out.Cell = newCompareCell(c.Histogram, o.Cell[0], o.Cell[1])
		pairs = c.cells[o.Cell[0]][o.Cell[1]]
	} else {
		for _, corner := range c.Corners {
			if o.Corner == "" || o.Corner == corner.Corner.String() {
				pairs = append(pairs, corner.Most...)
			}
		}
	}
	for _, p := range Cut(&out.Portion, pairs, o.Window) {
		p.Shared = c.run.Shared(p.A, p.B, mostShared)
		out.Items = append(out.Items, compareItem(c.run, p))
	}
	return out
}

func compareItem(r *query.Run, p query.ComparedPair) CompareItem {
	item := CompareItem{ComparedPair: p, NameA: Name(r, p.A), NameB: Name(r, p.B)}
	if r.NeedContainment() == nil {
		item.ContainmentAB, item.ContainmentBA = &p.ContainmentAB, &p.ContainmentBA
	}
	return item
}

package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/compare"
)

// Comparison tells where the two views agree and where they do not.
type Comparison struct {
	Documents int            `json:"documents" doc:"in both views"`
	NoBag     int            `json:"no_bag" doc:"crawled pages that the topical view lacks"`
	NoPage    int            `json:"no_page" doc:"documents that the syntactic view lacks"`
	Compared  int            `json:"compared" doc:"pairs, stored by either view"`
	Topical   int            `json:"topical_pairs" doc:"of these, stored by the topical view"`
	Syntactic int            `json:"syntactic_pairs" doc:"of these, stored by the syntactic view"`
	Both      int            `json:"both_pairs" doc:"of these, stored by both"`
	Agreement Agreement      `json:"agreement" doc:"of the clusters"`
	Histogram [][]uint64     `json:"histogram" doc:"pairs by similarity of the links, from 0 on, and then by resemblance of the texts; bin 0 is for 0"`
	Bounds    Bounds         `json:"bounds" doc:"of the corners"`
	Corners   []CornerCount  `json:"corners"`
	Cell      *Cell          `json:"cell,omitempty" doc:"whose pairs are listed, if the question is about one"`
	Pairs     []ComparedPair `json:"pairs" doc:"clearest pairs of the corners, one from each cluster; or pairs of the cell, those of the pages with most links first"`
	answer.Portion
}

// Rows implements List.
func (c *Comparison) Rows() any { return c.Pairs }

// Agreement measures the agreement of two clusterings.
type Agreement struct {
	AdjustedRand float64 `json:"adjusted_rand" doc:"1: the same clusters, 0: agreement as by chance"`
	Precision    float64 `json:"precision" doc:"how much of a topical cluster has the same text"`
	Recall       float64 `json:"recall" doc:"how much of a syntactic cluster has similar links"`
	F1           float64 `json:"f1"`
}

// Bounds are the bounds of the corners.
type Bounds struct {
	SameText   float64 `json:"same_text"`
	OtherText  float64 `json:"other_text"`
	SameLinks  float64 `json:"same_links"`
	OtherLinks float64 `json:"other_links"`
}

// CornerCount counts the pairs of a corner.
type CornerCount struct {
	Corner string `json:"corner" enum:"same-text,same-links,both,neither"`
	Count  int    `json:"count"`
}

// ComparedPair is a pair of pages with its similarity in either view.
type ComparedPair struct {
	Corner      string   `json:"corner,omitempty" enum:"same-text,same-links,both,neither" doc:"missing for a pair in no corner"`
	A           string   `json:"url_a"`
	B           string   `json:"url_b"`
	TitleA      string   `json:"title_a"`
	TitleB      string   `json:"title_b"`
	Similarity  float64  `json:"similarity" doc:"of the links" least:"0" most:"1"`
	Resemblance float64  `json:"resemblance" doc:"of the texts" least:"0" most:"1"`
	AInB        float64  `json:"containment_ab" least:"0" most:"1"`
	BInA        float64  `json:"containment_ba" least:"0" most:"1"`
	Shared      []string `json:"shared" doc:"words of the links to both"`
}

// mostCorner is the number of pairs that are kept of a corner.
const mostCorner = 100

// compared is the comparison of a run, with pairs of each cell of the histogram.
type compared struct {
	*query.Comparison
	cells *cells
}

// compared returns the comparison of the run. It takes as long as comparing all stored pairs, so it goes on in the
// background if the context ends before, and the next question finds it.
func (r *Run) compared(ctx context.Context) (compared, error) {
	return Kept(ctx, r, "compare", "The two views of the run are being compared, which takes a while for a large run, and once.",
		func(ctx context.Context) (c compared, err error) {
			c.cells = newCells()
			o := r.CompareDefaults()
			o.Top, o.Bins = mostCorner, compareBins
			o.Each = func(p query.ComparedPair) error {
				c.cells.offer(p)
				return nil
			}
			c.Comparison, err = r.Compare(ctx, o)
			return c, err
		})
}

func compareOperation() *Operation {
	return &Operation{
		ID: "compare", Path: "/v1/compare", Summary: "Where the two views disagree",
		Description: "Compares every pair that either view stored by both figures, and lists the clearest pairs of four corners: same text but different links (mirrors), same links but different text (successors, rivals), both the same, and neither. With x or y it lists pairs of one cell of the histogram instead. The first question to a large run is answered with 503 while the comparison is being made.",
		Params: append([]Param{
			{Name: "corner", Doc: "corner whose pairs are listed; all if it is missing", Kind: Text, Enum: cornerNames(), Most: 20},
			{Name: "x", Doc: "column of a cell of the histogram, whose pairs are listed instead of corners; 0 if only y is given", Kind: Whole, Least: 0, Most: compareBins},
			{Name: "y", Doc: "row of the cell; 0 if only x is given", Kind: Whole, Least: 0, Most: compareBins},
		}, listParams("20")...),
		Answer: &Comparison{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			for _, view := range []string{"topical", "syntactic"} {
				if err := q.Run.Need(view); err != nil {
					return nil, err
				}
			}
			x, err := q.Run.compared(ctx)
			if err != nil {
				return nil, err
			}
			return q.comparison(x), nil
		},
	}
}

func cornerNames() (names []string) {
	for _, c := range query.Corners {
		names = append(names, c.String())
	}
	return names
}

func (q *Question) comparison(x compared) *Comparison {
	cell := q.cell(x.Comparison)
	out := &Comparison{
		Documents: x.Documents, NoBag: x.NoBag, NoPage: x.NoPage, Compared: int(x.Pairs), Topical: int(x.Topical), Syntactic: int(x.Syntactic), Both: int(x.Both),
		Agreement: agreement(x.Agreement), Histogram: x.Histogram.Counts, Cell: cell, Pairs: []ComparedPair{},
		Bounds: Bounds{x.Options.SameText, x.Options.OtherText, x.Options.SameLinks, x.Options.OtherLinks},
	}
	var pairs []query.ComparedPair
	for _, c := range x.Corners {
		out.Corners = append(out.Corners, CornerCount{c.Corner.String(), int(c.Count)})
		if wanted := q.Args.Text("corner"); cell == nil && (wanted == "" || wanted == c.Corner.String()) {
			pairs = append(pairs, c.Most...)
		}
	}
	if cell != nil {
		pairs = x.cells.kept[cell.X][cell.Y]
	}
	for _, p := range answer.Cut(&out.Portion, pairs, q.window(len(pairs))) {
		if cell != nil { // the pairs of the corners have their words
			p.Shared = q.Run.Shared(p.A, p.B, mostShared)
		}
		out.Pairs = append(out.Pairs, ComparedPair{
			Corner: p.Corner.String(), A: p.URLA, B: p.URLB, TitleA: q.Run.Document(p.A).Title, TitleB: q.Run.Document(p.B).Title, Similarity: p.Similarity, Resemblance: p.Resemblance,
			AInB: p.ContainmentAB, BInA: p.ContainmentBA, Shared: list(p.Shared),
		})
	}
	return out
}

func agreement(a compare.Agreement) Agreement {
	return Agreement{a.AdjustedRand, a.Precision, a.Recall, a.F1}
}

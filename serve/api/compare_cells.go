package api

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/compare"
)

// mostCell is the number of pairs that are kept of a cell of the histogram.
const mostCell = 20

// compareBins is the number of bins above 0 of the histogram, on each axis.
const compareBins = 10

// cells keeps pairs of each cell of a histogram: those of the pages that most other pages link to. A page is the first
// of one pair only.
type cells struct {
	bins *compare.Histogram // of which only the borders are used
	kept [compareBins + 1][compareBins + 1][]query.ComparedPair
}

func newCells() *cells { return &cells{bins: compare.NewHistogram(compareBins)} }

func (c *cells) offer(p query.ComparedPair) {
	if p.TooShort {
		return
	}
	kept := &c.kept[c.bins.Bin(p.Similarity)][c.bins.Bin(p.Resemblance)]
	if n := len(*kept); n == mostCell && byLinks(p, (*kept)[n-1]) >= 0 {
		return
	}
	if i := slices.IndexFunc(*kept, func(k query.ComparedPair) bool { return k.A == p.A }); i >= 0 {
		if byLinks(p, (*kept)[i]) >= 0 {
			return
		}
		*kept = slices.Delete(*kept, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(*kept, p, byLinks)
	*kept = slices.Insert(*kept, at, p)
	*kept = (*kept)[:min(len(*kept), mostCell)]
}

// byLinks orders pairs by the number of links to the page that has fewer, ties by ids.
func byLinks(a, b query.ComparedPair) int {
	return cmp.Or(cmp.Compare(min(b.InLinksA, b.InLinksB), min(a.InLinksA, a.InLinksB)), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
}

// Cell is a cell of the histogram.
type Cell struct {
	X     int     `json:"x" doc:"column, by similarity of the links; 0 is for 0"`
	Y     int     `json:"y" doc:"row, by resemblance of the texts; 0 is for 0"`
	FromX float64 `json:"from_similarity"`
	ToX   float64 `json:"to_similarity"`
	FromY float64 `json:"from_resemblance"`
	ToY   float64 `json:"to_resemblance"`
	Pairs int     `json:"pairs" doc:"that were compared"`
}

// cell returns the cell that a question is about, or nil. A number that is missing is 0.
func (q *Question) cell(x *query.Comparison) *Cell {
	if !q.Args.Has("x") && !q.Args.Has("y") {
		return nil
	}
	h, c := x.Histogram, &Cell{X: q.Args.Int("x"), Y: q.Args.Int("y")}
	c.FromX, c.ToX = borders(h, c.X)
	c.FromY, c.ToY = borders(h, c.Y)
	c.Pairs = int(h.Counts[c.X][c.Y])
	return c
}

func borders(h *compare.Histogram, bin int) (from, to float64) {
	if bin == 0 {
		return 0, 0
	}
	return h.From(bin), h.From(bin + 1)
}

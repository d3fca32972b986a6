package answer

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/compare"
)

// mostCell is the number of pairs that are kept of a cell of the histogram.
const mostCell = 20

// cells keeps pairs of each cell of a histogram: those of the pages that most other pages link to. A page is the first
// of one pair only.
type cells [query.CompareBins + 1][query.CompareBins + 1][]query.ComparedPair

func (c *cells) offer(p query.ComparedPair) {
	if p.TooShort {
		return
	}
	borders := compare.Histogram{Bins: query.CompareBins}
	kept := &c[borders.Bin(p.Similarity)][borders.Bin(p.Resemblance)]
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

func newCompareCell(h *compare.Histogram, x, y int) *CompareCell {
	to := func(bin int) float64 {
		if bin == 0 {
			return 0
		}
		return h.From(bin + 1)
	}
	return &CompareCell{x, y, h.From(x), to(x), h.From(y), to(y), int(h.Counts[x][y])}
}

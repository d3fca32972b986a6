package lsh

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/center"
)

// Nearest selects the edges of a graph of similar rows that are among the best edges of at least one of their two rows.
// A graph that keeps only these edges grows with the number of rows, however similar the rows are, and stays symmetric.
type Nearest struct {
	last []center.Edge // of the best neighbours of each row; behind all others if the row has fewer
}

// noRow is the number of no row.
const noRow = ^uint32(0)

// NewNearest finds the most best neighbours of each row.
func NewNearest(g center.Graph, most int) *Nearest {
	n := &Nearest{last: make([]center.Edge, g.Len())}
	var best []center.Edge
	for u := range n.last {
		n.last[u] = center.Edge{To: noRow, Similarity: -1}
		if edges := g.Neighbours(uint32(u)); len(edges) > most {
			best = append(best[:0], edges...)
			slices.SortFunc(best, nearer)
			n.last[u] = best[most-1]
		}
	}
	return n
}

// Has reports whether the edge e of row u is among the best of u, or back among the best of e.To.
func (n *Nearest) Has(u uint32, e center.Edge) bool {
	back := center.Edge{To: u, Similarity: e.Similarity}
	return nearer(e, n.last[u]) <= 0 || nearer(back, n.last[e.To]) <= 0
}

// nearer orders edges by similarity, the greatest first, then by row.
func nearer(a, b center.Edge) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.To, b.To))
}

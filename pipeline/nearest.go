package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/tables"
)

// writeNearest copies the pairs that are among the most best of at least one of their two nodes, and returns how many
// that are, both ways. So what is stored grows with the documents and not with how alike they are, and stays
// symmetric.
func writeNearest(ctx context.Context, all *tables.Pairs, path string, most int) (kept int64, err error) {
	w, err := tables.CreatePairs(path)
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	last := lastOfBest(all, most)
	for u := range uint32(all.Len()) {
		if u%4096 == 0 && ctx.Err() != nil {
			return kept, ctx.Err()
		}
		agreements := all.Agreements(u)
		for i, e := range all.Neighbours(u) {
			back := center.Edge{To: u, Similarity: e.Similarity}
			if nearer(e, last[u]) <= 0 || nearer(back, last[e.To]) <= 0 {
				w.Add(u, e.To, e.Similarity, agreements[i])
				kept++
			}
		}
	}
	return kept, w.Close(all.Len())
}

// lastOfBest is for each node the last of its best neighbours, or an edge behind all others if it has fewer.
func lastOfBest(all *tables.Pairs, most int) []center.Edge {
	last := make([]center.Edge, all.Len())
	var best []center.Edge
	for u := range last {
		last[u] = center.Edge{To: tables.None, Similarity: -1}
		if edges := all.Neighbours(uint32(u)); len(edges) > most {
			best = append(best[:0], edges...)
			slices.SortFunc(best, nearer)
			last[u] = best[most-1]
		}
	}
	return last
}

// nearer orders edges by similarity, the greatest first, then by node.
func nearer(a, b center.Edge) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.To, b.To))
}

package topics

import (
	"cmp"
	"context"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// Exact returns, for each of some documents, the top documents with the most similar bags, most similar first and
// ties in order of ids. The result is as if it compared each bag with all bags, but it reads the inverted lists of
// the run, which takes about a millisecond per document for 390,000 bags. Documents with the same bag have similarity
// 1. Documents without a common term are not neighbours.
//
// It compares the fields of the bags that by chooses. If wanted is not nil, a document other is a neighbour of id only if
// wanted(id, other) is true. Several goroutines may call it.
func Exact(ctx context.Context, r *runs.Run, ids []uint32, top int, by By, wanted func(id, other uint32) bool) ([][]Neighbour, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	out := make([][]Neighbour, len(ids))
	err := parallel.Each(ctx, len(ids), runtime.GOMAXPROCS(0), func(_, i int) error {
		id := ids[i]
		out[i] = exact(r, id, top, by, func(other uint32) bool { return wanted == nil || wanted(id, other) })
		return nil
	})
	return out, err
}

// exact returns the nearest documents of one document that are wanted.
func exact(r *runs.Run, id uint32, top int, by By, wanted func(other uint32) bool) (near []Neighbour) {
	node := r.Nodes.Of(id)
	if node == tables.None || top <= 0 {
		return nil
	}
	other := func(d uint32) bool { return d != id && wanted(d) }
	field := func(bag bags.Bag) bags.Bag { return OfField(r, bag, by) }
	hits := r.Nearest.Nearest(nil, field(bagOf(r, node)), inverted.Options{Top: top, Field: field, Wanted: func(node uint32) bool {
		return slices.ContainsFunc(r.Nodes.Members(node), other)
	}})
	for _, h := range hits {
		for _, d := range r.Nodes.Members(h.Node) {
			if other(d) {
				n := Neighbour{ID: d, Ref: runs.Ref{URL: r.Docs.URL(d)}, Similarity: float32(h.Similarity), Found: FoundExact}
				n.Together = Together(r, id, d)
				if h.Node == node {
					n.Found = FoundSameBag
				}
				near = append(near, n)
			}
		}
	}
	slices.SortFunc(near, func(a, b Neighbour) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.ID, b.ID))
	})
	return near[:min(top, len(near))]
}

package query

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"golang.org/x/sync/errgroup"
)

// Search returns the related documents of some documents as the index finds them, not only the nearest ones that the
// run has stored. A related document has a key in common, an agreement of at least Config.Floor and a similarity of at
// least Config.Similarity. The most similar come first, as from [Run.Related], at most top for each document. Search
// computes the keys of all documents again, which takes seconds for hundreds of thousands of documents, and hardly
// longer for many ids than for one.
func (r *Run) Search(ctx context.Context, ids []uint32, top int) ([][]Neighbour, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	nodes := r.nodesOf(ids)
	met, err := r.index.Candidates(ctx, r.sigs.All(), r.searching(), nodes)
	if err != nil {
		return nil, err
	}
	return r.lists(ctx, ids, nodes, met, top, everyone)
}

// searching returns the bounds with which the run searched its index.
func (r *Run) searching() lsh.Config {
	c := r.Config
	return lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach}
}

// lists ranks the candidates of the nodes of documents and keeps the documents that are wanted.
func (r *Run) lists(ctx context.Context, ids, nodes []uint32, met [][]uint32, top int, wanted func(id uint32) bool) ([][]Neighbour, error) {
	out := make([][]Neighbour, len(ids))
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.GOMAXPROCS(0) {
		g.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(ids) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				if at, ok := slices.BinarySearch(nodes, r.nodes.Of(ids[i])); ok {
					out[i] = r.list(ids[i], r.compared(nodes[at], met[at]), top, wanted, nil)
				}
			}
			return ctx.Err()
		})
	}
	return out, g.Wait()
}

// nodesOf returns the distinct nodes of documents, ascending. Documents without a node are left out.
func (r *Run) nodesOf(ids []uint32) []uint32 {
	var nodes []uint32
	for _, id := range ids {
		if n := r.nodes.Of(id); n != tables.None {
			nodes = append(nodes, n)
		}
	}
	slices.Sort(nodes)
	return slices.Compact(nodes)
}

// compared filters the candidates of a node and compares the rest exactly. It returns what the run would have stored
// without a bound on the number of neighbours.
func (r *Run) compared(node uint32, candidates []uint32) []ranked {
	least, mine, rows := lsh.Least(r.Config.Floor, r.Config.Signatures), r.bag(node), r.sigs.All()
	var near []ranked
	for _, other := range candidates {
		agreement := minhash.Agreement(rows.Row(int(node)), rows.Row(int(other)))
		if agreement < least {
			continue
		}
		if s := bags.Similarity(mine, r.bag(other)); s >= r.Config.Similarity {
			near = append(near, ranked{other, float32(s), uint8(agreement)})
		}
	}
	return near
}

// list appends the documents of the node of a document, then those of the nodes near it by similarity, as far as they
// are wanted.
func (r *Run) list(id uint32, near []ranked, top int, wanted func(id uint32) bool, out []Neighbour) []Neighbour {
	m := r.Config.Signatures
	slices.SortFunc(near, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(b.similarity, a.similarity), cmp.Compare(a.node, b.node))
	})
	put := func(n ranked) {
		for _, d := range r.nodes.Members(n.node) {
			if d != id && len(out) < top && wanted(d) {
				out = append(out, Neighbour{d, r.docs.URL(d), n.similarity, float32(n.agreement) / float32(m)})
			}
		}
	}
	put(ranked{r.nodes.Of(id), 1, uint8(m)})
	for i := 0; i < len(near) && len(out) < top; i++ {
		put(near[i])
	}
	return out
}

// Truncated reports whether a document may have more related documents than the run has stored.
func (r *Run) Truncated(id uint32) bool {
	if r.nodes == nil || r.Config.Neighbours == 0 {
		return false
	}
	node := r.nodes.Of(id)
	return node != tables.None && len(r.pairs.Neighbours(node)) >= r.Config.Neighbours
}

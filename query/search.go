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

// Search returns the related documents of some documents as the index finds them, however few of them the run has stored:
// those that have a key in common, agree in as many signatures as the floor asks for, and are as similar as the run asks
// for. The best come first, as from Related, at most top of each; what Related gives is among them. It makes the keys of
// all documents anew, which takes seconds for hundreds of thousands, and hardly longer for many documents than for one.
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

// searching are the bounds within which the run has searched its index.
func (r *Run) searching() lsh.Config {
	c := r.Config
	return lsh.Config{Floor: c.Floor, MaxBucket: c.MaxBucket, Reach: c.Reach}
}

// lists ranks what the nodes of documents have met, and keeps the documents that are wanted.
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

// nodesOf returns the nodes of documents that have one, ascending, each once.
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

// compared filters the candidates of a node and compares the rest exactly: what the run would have stored, were it not
// for the bound on neighbours.
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

// list ranks the nodes near a document's and lists their documents that are wanted, behind those with the same bag as the
// document itself.
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

// Cut tells whether the run may know more related documents than it has stored: it keeps the nearest of either side.
func (r *Run) Cut(id uint32) bool {
	if r.nodes == nil || r.Config.Neighbours == 0 {
		return false
	}
	node := r.nodes.Of(id)
	return node != tables.None && len(r.pairs.Neighbours(node)) >= r.Config.Neighbours
}

package query

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/expand"
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
					out[i] = r.list(nil, ids[i], r.compared(nodes[at], met[at]), FoundIndex, Lookup{Top: top}, wanted)
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
func (r *Run) compared(node uint32, candidates []uint32) []expand.Neighbour {
	least, mine := lsh.Least(r.Config.Floor, r.Config.Signatures), r.bag(node)
	var near []expand.Neighbour
	for _, other := range candidates {
		if r.agreement(node, other) < least {
			continue
		}
		if s := bags.Similarity(mine, r.bag(other)); s >= r.Config.Similarity {
			near = append(near, expand.Neighbour{Node: other, Similarity: float32(s)})
		}
	}
	return near
}

// agreement returns the number of equal signatures of two nodes.
func (r *Run) agreement(a, b uint32) int {
	return minhash.Agreement(r.sigs.Row(int(a)), r.sigs.Row(int(b)))
}

// list appends to out the documents of the node of a document, then those of the nodes near it by similarity, as far as
// the lookup and wanted ask for them. found is how the nodes were found that no round of expansion found.
func (r *Run) list(out []Neighbour, id uint32, near []expand.Neighbour, found Found, l Lookup, wanted func(id uint32) bool) []Neighbour {
	slices.SortFunc(near, expand.Nearer)
	node, pages, from := r.nodes.Of(id), r.sources.Of(id), len(out)
	put := func(n expand.Neighbour, found Found) {
		agreement := float32(-1)
		for _, d := range r.nodes.Members(n.Node) {
			if d == id || len(out)-from >= l.Top || !wanted(d) {
				continue
			}
			both := sets.Common(pages, r.sources.Of(d))
			if l.Apart && both > 0 {
				continue
			}
			if agreement < 0 {
				agreement = float32(r.agreement(node, n.Node)) / float32(r.Config.Signatures)
			}
			out = append(out, Neighbour{d, r.docs.URL(d), n.Similarity, agreement, found, both})
		}
	}
	put(expand.Neighbour{Node: node, Similarity: 1}, FoundSameBag)
	for i := 0; i < len(near) && len(out)-from < l.Top; i++ {
		switch n := near[i]; {
		case n.Round == 0:
			put(n, found)
		case n.Similarity >= float32(r.Config.Similarity):
			put(n, InRound(int(n.Round)))
		}
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

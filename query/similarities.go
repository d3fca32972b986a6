package query

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/config"
)

// Exact finds everything that is similar to a document by brute force, to measure the index of the run against. It
// holds an inverted index over the bags of the nodes, 6 bytes for each term of each bag, and adds up the smaller
// counts. Several goroutines may use it at once until the run is closed.
type Exact struct {
	run   *Run
	first []uint64 // of each term: its first entry in node and count
	node  []uint32
	count []uint16
	sum   []uint32 // of the bag of each node
	sums  sync.Pool
}

// Similar is a document or a node with its exact similarity to another one.
type Similar struct {
	ID         uint32
	Similarity float64
}

// Exact builds the inverted index.
func (r *Run) Exact(ctx context.Context) (*Exact, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	n := r.nodes.Len()
	x := &Exact{run: r, first: make([]uint64, r.terms.Len()+1), sum: make([]uint32, n)}
	x.sums.New = func() any { return &overlaps{of: make([]uint32, n)} }
	for node := range uint32(n) {
		b := r.bag(node)
		for _, t := range b.Terms {
			if int(t) >= r.terms.Len() {
				return nil, fmt.Errorf("the bag of node %d holds term %d of %d; lshclust check tells more", node, t, r.terms.Len())
			}
			x.first[t+1]++
		}
		x.sum[node] = uint32(b.Sum())
	}
	for t := range r.terms.Len() {
		x.first[t+1] += x.first[t]
	}
	return x, x.fill(ctx)
}

// fill adds the nodes to their terms.
func (x *Exact) fill(ctx context.Context) error {
	next := slices.Clone(x.first[:len(x.first)-1])
	x.node, x.count = make([]uint32, x.first[len(x.first)-1]), make([]uint16, x.first[len(x.first)-1])
	for node := range uint32(x.run.nodes.Len()) {
		if node%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b := x.run.bag(node)
		for i, t := range b.Terms {
			x.node[next[t]], x.count[next[t]] = node, b.Counts[i]
			next[t]++
		}
	}
	return nil
}

// overlaps holds, for one bag, the sum of the smaller counts with each node.
type overlaps struct {
	of    []uint32
	there []uint32 // nodes with a sum above 0
}

// Nodes appends to dst the other nodes whose similarity to a node is above 0 and at least the floor, ascending.
func (x *Exact) Nodes(dst []Similar, node uint32, floor float64) []Similar {
	o := x.sums.Get().(*overlaps)
	b := x.run.bag(node)
	for i, t := range b.Terms {
		mine := b.Counts[i]
		for at := x.first[t]; at < x.first[t+1]; at++ {
			other := x.node[at]
			if o.of[other] == 0 {
				o.there = append(o.there, other)
			}
			o.of[other] += uint32(min(mine, x.count[at]))
		}
	}
	if len(o.there) > len(o.of)/64 { // a scan is faster than sorting
		o.there = o.there[:0]
		for other, smaller := range o.of {
			if smaller > 0 {
				o.there = append(o.there, uint32(other))
			}
		}
	} else {
		slices.Sort(o.there)
	}
	for _, other := range o.there {
		smaller := o.of[other]
		o.of[other] = 0
		// The two sums together count the overlap twice, as in bags.Similarity.
		s := float64(smaller) / float64(x.sum[node]+x.sum[other]-smaller)
		if other != node && s >= floor {
			dst = append(dst, Similar{other, s})
		}
	}
	o.there = o.there[:0]
	x.sums.Put(o)
	return dst
}

// Documents returns the other documents whose similarity to a document is above 0 and at least the floor, in the order
// of the ids. Documents with the same bag have similarity 1. A document with an empty bag has no similar ones.
func (x *Exact) Documents(id uint32, floor float64) []Similar {
	node := x.run.nodes.Of(id)
	if int64(node) >= int64(x.run.nodes.Len()) {
		return nil
	}
	var out []Similar
	for _, near := range append(x.Nodes(nil, node, floor), Similar{node, 1}) {
		for _, d := range x.run.nodes.Members(near.ID) {
			if d != id {
				out = append(out, Similar{d, near.Similarity})
			}
		}
	}
	slices.SortFunc(out, func(a, b Similar) int { return int(a.ID) - int(b.ID) })
	return out
}

// Nodes returns the number of nodes, which is the number of distinct bags that are not empty.
func (r *Run) Nodes() int {
	if r.nodes == nil {
		return 0
	}
	return r.nodes.Len()
}

// SampleNodes draws n different nodes, or all if there are fewer, and returns them ascending. The same seed gives the
// same nodes.
func (r *Run) SampleNodes(n int, seed uint64) []uint32 {
	return draw(r.Nodes(), n, seed)
}

// SampleDocuments is SampleNodes for documents whose bags are not empty.
func (r *Run) SampleDocuments(n int, seed uint64) []uint32 {
	if r.nodes == nil {
		return nil
	}
	var full []uint32
	for id := range uint32(r.nodes.Documents()) {
		if int64(r.nodes.Of(id)) < int64(r.nodes.Len()) {
			full = append(full, id)
		}
	}
	chosen := draw(len(full), n, seed)
	for i, at := range chosen {
		chosen[i] = full[at]
	}
	return chosen
}

// draw chooses n of the numbers below all by Floyd's algorithm and returns them ascending.
func draw(all, n int, seed uint64) []uint32 {
	n = max(0, min(n, all))
	random := rand.New(rand.NewPCG(seed, 0x73616d706c65))
	seen := make(map[uint32]bool, n)
	out := make([]uint32, 0, n)
	for top := all - n; top < all; top++ {
		x := uint32(random.IntN(top + 1))
		if seen[x] {
			x = uint32(top)
		}
		seen[x] = true
		out = append(out, x)
	}
	slices.Sort(out)
	return out
}

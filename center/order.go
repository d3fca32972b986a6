package center

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

// Order names an order in which CENTER scans the nodes.
type Order string

// The orders. Nodes that are equal in an order are scanned by id.
const (
	ByID         Order = "id"         // by node number, the order of the paper
	ByDegree     Order = "degree"     // the node with the most neighbours first
	BySimilarity Order = "similarity" // the node with the strongest edge first
)

// Orders returns all orders.
func Orders() []Order { return []Order{ByID, ByDegree, BySimilarity} }

// ParseOrder returns the order of the given name. The error lists the names.
func ParseOrder(name string) (Order, error) {
	if slices.Contains(Orders(), Order(name)) {
		return Order(name), nil
	}
	return "", fmt.Errorf("order %q is not one of %s, %s, %s", name, ByID, ByDegree, BySimilarity)
}

// Nodes returns the nodes of g in the order, for Cluster with the same threshold. For ByID it returns nil, which
// Cluster takes for the order of the ids.
//
// size returns the number of identical documents that a node represents; nil means 1 each. All of them count as
// neighbours, of the node's neighbours and of one another, and two of them have an edge of similarity 1. So thresholds
// are at most 1.
func (o Order) Nodes(g Graph, threshold float32, size func(u uint32) int) []uint32 {
	sizes := func(u uint32) uint64 {
		if size == nil {
			return 1
		}
		return uint64(max(1, size(u)))
	}
	switch o {
	case ByDegree:
		return byDegree(g, threshold, sizes)
	case BySimilarity:
		return bySimilarity(g, threshold, sizes)
	}
	return nil
}

// byDegree puts nodes with more neighbours at the threshold first.
func byDegree(g Graph, threshold float32, size func(u uint32) uint64) []uint32 {
	degree := make([]uint64, g.Len())
	for u := range degree {
		degree[u] = size(uint32(u)) - 1
		for v := range neighbours(g, uint32(u), threshold) {
			degree[u] += size(v)
		}
	}
	return descending(degree)
}

// bySimilarity puts nodes with a stronger strongest edge first. Nodes without an edge at the threshold come last.
func bySimilarity(g Graph, threshold float32, size func(u uint32) uint64) []uint32 {
	strongest := make([]float32, g.Len())
	for u := range strongest {
		strongest[u] = -1
		for _, s := range neighbours(g, uint32(u), threshold) {
			strongest[u] = max(strongest[u], s)
		}
		if size(uint32(u)) > 1 {
			strongest[u] = max(strongest[u], 1)
		}
	}
	return descending(strongest)
}

// neighbours yields the edges from u to other nodes with the threshold or a higher similarity.
func neighbours(g Graph, u uint32, threshold float32) iter.Seq2[uint32, float32] {
	return func(yield func(uint32, float32) bool) {
		for _, e := range g.Neighbours(u) {
			if e.To != u && e.Similarity >= threshold && !yield(e.To, e.Similarity) {
				return
			}
		}
	}
}

// descending returns the indices of key, the largest key first. Equal keys are ordered by index.
func descending[K cmp.Ordered](key []K) []uint32 {
	order := make([]uint32, len(key))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(key[b], key[a]) })
	return order
}

package center

import (
	"cmp"
	"iter"
	"slices"
)

// ByID is the order of node numbers, for callers that want it spelled out;
// Cluster takes nil for it.
func ByID(g Graph) []uint32 {
	order := make([]uint32, g.Len())
	for i := range order {
		order[i] = uint32(i)
	}
	return order
}

// ByDegree puts nodes with more neighbours at the threshold first, ties by id.
// weight[u] is the number of identical documents that node u stands for, nil
// meaning 1 each: all of them count as neighbours, of u's neighbours and of one
// another.
func ByDegree(g Graph, threshold float32, weight []uint32) []uint32 {
	degree := make([]uint64, g.Len())
	for u := range degree {
		degree[u] = weightOf(weight, uint32(u)) - 1
		for v := range neighbours(g, uint32(u), threshold) {
			degree[u] += weightOf(weight, v)
		}
	}
	return descending(degree)
}

// BySimilarity puts nodes with a stronger strongest edge first, ties by id;
// nodes without an edge at the threshold come last. weight is as for ByDegree:
// two identical documents have an edge of similarity 1, so thresholds are at
// most 1.
func BySimilarity(g Graph, threshold float32, weight []uint32) []uint32 {
	strongest := make([]float32, g.Len())
	for u := range strongest {
		strongest[u] = -1
		for _, s := range neighbours(g, uint32(u), threshold) {
			strongest[u] = max(strongest[u], s)
		}
		if weightOf(weight, uint32(u)) > 1 {
			strongest[u] = max(strongest[u], 1)
		}
	}
	return descending(strongest)
}

// neighbours yields the edges of u that count: to other nodes, at the threshold
// or above.
func neighbours(g Graph, u uint32, threshold float32) iter.Seq2[uint32, float32] {
	return func(yield func(uint32, float32) bool) {
		for _, e := range g.Neighbours(u) {
			if e.To != u && e.Similarity >= threshold && !yield(e.To, e.Similarity) {
				return
			}
		}
	}
}

// weightOf is weight[u], 1 where there is none.
func weightOf(weight []uint32, u uint32) uint64 {
	if int(u) >= len(weight) || weight[u] == 0 {
		return 1
	}
	return uint64(weight[u])
}

// descending returns the indices of key, largest key first, ties by index.
func descending[K cmp.Ordered](key []K) []uint32 {
	order := make([]uint32, len(key))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(key[b], key[a]) })
	return order
}

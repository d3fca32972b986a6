package center

import (
	"cmp"
	"iter"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
)

// Edge is a neighbour and the similarity to it.
type Edge struct {
	To         uint32
	Similarity float32
}

// Graph is a symmetric graph of nodes 0…Len()-1.
type Graph interface {
	// Len returns the number of nodes.
	Len() int
	// Neighbours returns the edges of u sorted by To. The slice is valid until the next call.
	Neighbours(u uint32) []Edge
}

// Cluster returns the center of each node. The center of a center is the center itself.
//
// Cluster scans the nodes in the given order; nil means the order of the ids. It ignores edges below the threshold,
// edges from a node to itself, and numbers in order that are not nodes. Nodes that are missing in order are scanned
// last, by id.
func Cluster(g Graph, order []uint32, threshold float32) []uint32 {
	s := scan{g: g, threshold: threshold, center: make([]uint32, g.Len()), assigned: make([]bool, g.Len())}
	for _, u := range order {
		if int(u) < g.Len() {
			s.visit(u)
		}
	}
	for u := range g.Len() {
		s.visit(uint32(u))
	}
	return s.center
}

type scan struct {
	g         Graph
	threshold float32
	center    []uint32
	assigned  []bool
}

// visit makes u a center, unless it has one, and assigns its unassigned neighbours to it.
func (s *scan) visit(u uint32) {
	if s.assigned[u] {
		return
	}
	s.assign(u, u)
	for _, e := range s.g.Neighbours(u) {
		if e.Similarity >= s.threshold && !s.assigned[e.To] {
			s.assign(e.To, u)
		}
	}
}

func (s *scan) assign(v, center uint32) {
	s.center[v], s.assigned[v] = center, true
}

// Pair is two similar nodes, in either order.
type Pair struct {
	A, B       uint32
	Similarity float32
}

// Adjacency is a Graph in memory. It takes 8 bytes for each end of an edge.
type Adjacency struct {
	first []int // of the edges of each node, and the number of all edges
	edges []Edge
}

// NewGraph returns the graph of n nodes whose edges are the pairs. It drops pairs of a node with itself, and keeps the
// highest similarity if a pair occurs several times. NewGraph panics if a node number is n or more.
func NewGraph(n int, pairs []Pair) *Adjacency {
	g := &Adjacency{first: make([]int, n+1)}
	for _, p := range pairs {
		g.first[:n][p.A]++
		g.first[:n][p.B]++
	}
	sum := 0
	for u, degree := range g.first {
		g.first[u] = sum
		sum += degree
	}
	all, next := make([]Edge, sum), slices.Clone(g.first)
	put := func(from, to uint32, similarity float32) {
		all[next[from]] = Edge{to, similarity}
		next[from]++
	}
	for _, p := range pairs {
		put(p.A, p.B, p.Similarity)
		put(p.B, p.A, p.Similarity)
	}
	for u := range n {
		own := all[g.first[u]:next[u]]
		slices.SortFunc(own, func(a, b Edge) int {
			return cmp.Or(cmp.Compare(a.To, b.To), cmp.Compare(b.Similarity, a.Similarity))
		})
		g.first[u] = len(g.edges)
		for i, e := range own {
			if int(e.To) != u && (i == 0 || own[i-1].To != e.To) {
				g.edges = append(g.edges, e)
			}
		}
	}
	g.first[n] = len(g.edges)
	return g
}

// Len returns the number of nodes.
func (g *Adjacency) Len() int { return len(g.first) - 1 }

// Neighbours returns the edges of u, sorted by To.
func (g *Adjacency) Neighbours(u uint32) []Edge { return g.edges[g.first[u]:g.first[u+1]] }

// Order names an order in which CENTER scans the nodes.
type Order string

// The orders. Ties are scanned by id.
const (
	ByID         Order = "id"         // by node number, the order of the paper
	ByDegree     Order = "degree"     // the node with the most neighbours first
	BySimilarity Order = "similarity" // the node with the strongest edge first
)

// Orders lists all orders.
var Orders = []Order{ByID, ByDegree, BySimilarity}

// Choices lists the names of all orders.
func (Order) Choices() []string { return sets.Strings(Orders) }

// Nodes returns the nodes of g in the order, for Cluster with the same threshold. For ByID it returns nil, which
// Cluster takes for the order of the ids.
//
// size returns the number of identical documents that a node represents; nil means 1 each. All of them count as
// neighbours, of the node's neighbours and of one another, and any two of them have an edge of similarity 1. So
// thresholds are at most 1.
func (o Order) Nodes(g Graph, threshold float32, size func(u uint32) int) []uint32 {
	return Descending(o.Keys(g, 0, g.Len(), threshold, size))
}

// Keys returns the keys of the nodes from ≤ u < to. Descending puts the keys of all nodes into the order that Nodes
// returns. For ByID, Keys returns nil.
func (o Order) Keys(g Graph, from, to int, threshold float32, size func(u uint32) int) []uint64 {
	sizes := func(u uint32) uint64 {
		if size == nil {
			return 1
		}
		return uint64(max(1, size(u)))
	}
	var key func(g Graph, u uint32, threshold float32, size func(u uint32) uint64) uint64
	switch o {
	case ByDegree:
		key = degree
	case BySimilarity:
		key = strongest
	default:
		return nil
	}
	keys := make([]uint64, to-from)
	for i := range keys {
		keys[i] = key(g, uint32(from+i), threshold, sizes)
	}
	return keys
}

// degree returns the number of neighbours of a node at the threshold.
func degree(g Graph, u uint32, threshold float32, size func(u uint32) uint64) uint64 {
	n := size(u) - 1
	for v := range neighbours(g, u, threshold) {
		n += size(v)
	}
	return n
}

// strongest returns a number that grows with the strongest edge of a node, and is 0 if it has none at the threshold.
func strongest(g Graph, u uint32, threshold float32, size func(u uint32) uint64) uint64 {
	most, has := float32(0), false
	for _, s := range neighbours(g, u, threshold) {
		if !has || s > most {
			most, has = s, true
		}
	}
	if size(u) > 1 && (!has || most < 1) {
		most, has = 1, true
	}
	switch bits := math.Float32bits(most); {
	case !has:
		return 0
	case most < 0:
		return 1 + uint64(^bits)
	case most == 0: // of either sign
		return 1 + 1<<31
	default:
		return 1 + uint64(bits|1<<31)
	}
}

// neighbours yields the edges from u to other nodes with at least the threshold.
func neighbours(g Graph, u uint32, threshold float32) iter.Seq2[uint32, float32] {
	return func(yield func(uint32, float32) bool) {
		for _, e := range g.Neighbours(u) {
			if e.To != u && e.Similarity >= threshold && !yield(e.To, e.Similarity) {
				return
			}
		}
	}
}

// Descending returns the indices of keys from the largest key to the smallest, and equal keys by index. Without keys it
// returns nil.
func Descending(keys []uint64) []uint32 {
	if keys == nil {
		return nil
	}
	order := make([]uint32, len(keys))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortStableFunc(order, func(a, b uint32) int { return cmp.Compare(keys[b], keys[a]) })
	return order
}

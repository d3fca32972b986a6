package center

import (
	"cmp"
	"slices"
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

package center

import (
	"cmp"
	"slices"
)

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

package center

// Edge is a neighbour and the similarity to it.
type Edge struct {
	To         uint32
	Similarity float32
}

// Graph is a symmetric graph of nodes 0…Len()-1.
type Graph interface {
	// Len is the number of nodes.
	Len() int
	// Neighbours returns the edges of u sorted by To. The slice is valid
	// until the next call.
	Neighbours(u uint32) []Edge
}

// Cluster returns the center of each node; a center is its own. Nodes are
// scanned as they stand in order, nil being the order of ids. Edges below the
// threshold, and edges from a node to itself, count for nothing. Nodes that
// order leaves out are scanned last, by id; numbers that are no nodes are
// passed over.
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

// visit makes u a center, unless it belongs to one, and takes in its unassigned
// neighbours.
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

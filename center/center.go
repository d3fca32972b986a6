package center

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

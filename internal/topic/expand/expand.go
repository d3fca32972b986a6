package expand

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/bags"
)

// Graph holds neighbours of nodes.
type Graph interface {
	// Nearest appends the width nearest neighbours of a node to dst, or all if there are fewer, in the same order for
	// every call.
	Nearest(dst []uint32, node uint32, width int) []uint32
}

// Neighbour is a node that is similar to another one.
type Neighbour struct {
	Node       uint32
	Similarity float32 // exact
	Beyond     bool    // a search found it among the neighbours of neighbours
}

// Nearer orders neighbours by descending similarity, then by node.
func Nearer(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Node, b.Node))
}

// Search finds neighbours of neighbours. It reuses its memory and is not safe for concurrent use.
type Search struct {
	Graph Graph
	Bags  func(dst []bags.Bag, nodes []uint32) []bags.Bag // appends the bags of nodes to dst

	scorer bags.Scorer
	seen   set
	next   []uint32
	bags   []bags.Bag
	found  []uint64 // by Key
	near   []Neighbour
}

// From returns the known neighbours of a node, which it sorts, and those of their neighbours that have anything in
// common with the bag of the node, all of them in order of decreasing similarity. It compares the bag with the width
// nearest neighbours of each of the width nearest. The result is valid until the next call.
func (s *Search) From(node uint32, bag bags.Bag, known []Neighbour, width int) []Neighbour {
	s.seen.clear()
	s.seen.add(node)
	for _, n := range known {
		s.seen.add(n.Node)
	}
	slices.SortFunc(known, Nearer)
	s.scorer.Reset(bag)
	s.found = s.found[:0]
	for _, n := range known[:min(width, len(known))] {
		s.next = slices.DeleteFunc(s.Graph.Nearest(s.next[:0], n.Node, width), func(v uint32) bool { return !s.seen.add(v) })
		s.bags = s.Bags(s.bags[:0], s.next)
		for i, v := range s.next {
			if x := s.scorer.Similarity(s.bags[i]); x > 0 {
				s.found = append(s.found, Key(v, float32(x)))
			}
		}
	}
	slices.Sort(s.found)
	s.near = s.near[:0]
	for _, key := range s.found {
		for len(known) > 0 && Key(known[0].Node, known[0].Similarity) < key {
			s.near, known = append(s.near, known[0]), known[1:]
		}
		s.near = append(s.near, ofKey(key, true))
	}
	s.near = append(s.near, known...)
	return s.near
}

package expand

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/bags"
)

// Graph holds neighbours of nodes.
type Graph interface {
	// Nearest appends the width nearest neighbours of a node to dst, or all if there are fewer, in an order that is the
	// same for every call.
	Nearest(dst []uint32, node uint32, width int) []uint32
}

// Neighbour is a node that a search has found.
type Neighbour struct {
	Node       uint32
	Similarity float32 // exact
	Round      uint8   // in which it was found; 0 if the search began with it
}

// Nearer orders neighbours by similarity, the greatest first, then by node.
func Nearer(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Node, b.Node))
}

// Search finds neighbours of neighbours. It reuses its memory, so it is for one goroutine.
type Search struct {
	Graph Graph
	Bags  func(dst []bags.Bag, nodes []uint32) []bags.Bag // appends the bags of nodes to dst

	scorer bags.Scorer
	seen   set
	next   []uint32
	bags   []bags.Bag
	near   []Neighbour
	found  []uint64    // in a round, by Key
	merged []Neighbour // memory for near
}

// From searches on from some neighbours of a bag. In each of the given rounds, it takes the width nearest nodes found
// so far and compares the bag with the width nearest neighbours of each. From returns all nodes that have anything in
// common with the bag, those of start included, the nearest first. It leaves out the nodes without. The result is valid
// until the next call.
func (s *Search) From(bag bags.Bag, start []Neighbour, without []uint32, rounds, width int) []Neighbour {
	s.seen.clear()
	for _, n := range without {
		s.seen.add(n)
	}
	s.near = s.near[:0]
	for _, n := range start {
		if s.seen.add(n.Node) {
			s.near = append(s.near, n)
		}
	}
	if rounds > 0 {
		s.scorer.Reset(bag)
	}
	slices.SortFunc(s.near, Nearer)
	var done set
	for round := 1; round <= rounds; round++ {
		if !s.round(&done, uint8(round), width) {
			break
		}
	}
	return s.near
}

func (s *Search) round(done *set, round uint8, width int) bool {
	from := len(s.near)
	s.found = s.found[:0]
	for _, n := range s.near[:min(width, from)] {
		if !done.add(n.Node) {
			continue
		}
		s.next = slices.DeleteFunc(s.Graph.Nearest(s.next[:0], n.Node, width), func(v uint32) bool { return !s.seen.add(v) })
		s.bags = s.Bags(s.bags[:0], s.next)
		for i, v := range s.next {
			if x := s.scorer.Similarity(s.bags[i]); x > 0 {
				s.found = append(s.found, Key(v, float32(x)))
			}
		}
	}
	slices.Sort(s.found)
	s.merge(round)
	return len(s.near) > from
}

// merge adds what a round has found, which is in order, to the neighbours.
func (s *Search) merge(round uint8) {
	s.merged = s.merged[:0]
	i := 0
	for _, key := range s.found {
		for i < len(s.near) && Key(s.near[i].Node, s.near[i].Similarity) < key {
			s.merged = append(s.merged, s.near[i])
			i++
		}
		s.merged = append(s.merged, ofKey(key, round))
	}
	s.near, s.merged = append(s.merged, s.near[i:]...), s.near
}

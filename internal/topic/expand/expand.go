package expand

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/bags"
)

// Neighbour is a node that is similar to another one.
type Neighbour struct {
	Node       uint32
	Similarity float32 // exact
}

// Nearer orders neighbours by descending similarity, then by node.
func Nearer(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Node, b.Node))
}

// Met is a node that a search has met.
type Met struct {
	Neighbour
	Beyond bool    // it is a neighbour of a neighbour, and not known
	Cosine float64 // bags.LogCosine of both
	// Shared says how alike the near neighbours of both nodes are: it is the cosine of their vectors (see Reach).
	Shared float64
}

// Lists holds the neighbours of nodes. Every pair is in the lists of both nodes.
type Lists interface {
	// Of appends the neighbours of a node to dst, in any order.
	Of(dst []Neighbour, node uint32) []Neighbour
	// Reach returns the Reach of the neighbours of a node.
	Reach(node uint32) Reach
}

// Search finds neighbours of neighbours. It reuses its memory and is not safe for concurrent use.
type Search struct {
	Lists Lists
	Bags  func(dst []bags.Bag, nodes []uint32) []bags.Bag // appends the bags of nodes to dst

	scorer bags.Scorer
	common table[common]
	list   []Neighbour // of the near neighbours, one after another
	ends   []int       // of their lists
	next   []uint32
	bags   []bags.Bag
	met    []Met
	keys   []uint64
	sorted []Met
}

// common is what is known of a node that a search has met. Without a reach, it has nothing in common with the node that is
// searched for.
type common struct {
	sum   uint64 // of products of similarities to near neighbours of both
	at    int    // index in met
	reach Reach
}

// From returns the known neighbours of a node and, if they have anything in common with its bag, the near neighbours of its
// near neighbours and some more nodes, the greatest by first, and ties in order of their numbers. by must be at least 0. known
// are all neighbours of the node; From sorts them. The result is valid until the next call.
func (s *Search) From(node uint32, bag bags.Bag, known []Neighbour, by func(*Met) float32, more ...uint32) []Met {
	slices.SortFunc(known, Nearer)
	s.met, s.list, s.ends = s.met[:0], s.list[:0], s.ends[:0]
	s.common.clear()
	s.common.add(node)
	s.scorer.Reset(bag)
	s.next = s.next[:0]
	for _, n := range known {
		s.common.add(n.Node)
		s.next = append(s.next, n.Node)
	}
	s.compare(false)
	reach, near := s.Lists.Reach(node), 0
	for ; near < len(known) && reach.has(known[near].Node, known[near].Similarity); near++ {
		s.meet(known[near].Node)
		s.compare(true)
	}
	s.next = s.next[:0]
	for _, n := range more {
		if _, isNew := s.common.add(n); isNew {
			s.next = append(s.next, n)
		}
	}
	s.compare(true)
	s.share(node, known[:near], reach)
	s.keys, s.sorted = s.keys[:0], s.sorted[:0]
	for i := range s.met {
		s.keys = append(s.keys, Key(s.met[i].Node, by(&s.met[i])))
	}
	slices.Sort(s.keys)
	for _, k := range s.keys {
		s.sorted = append(s.sorted, s.met[s.common.get(uint32(k)).at])
	}
	return s.sorted
}

// compare adds the nodes of next to those that were met if they have anything in common with the bag. It compares few nodes
// at a time, so that their bags stay in the cache of the processor.
func (s *Search) compare(beyond bool) {
	s.bags = s.Bags(s.bags[:0], s.next)
	for i, v := range s.next {
		if x := s.scorer.Similarity(s.bags[i]); x > 0 {
			s.met = append(s.met, Met{Neighbour: Neighbour{v, float32(x)}, Beyond: beyond, Cosine: s.scorer.LogCosine(s.bags[i])})
		}
	}
}

// meet appends the neighbours of a node to list, and makes next the near ones that are new.
func (s *Search) meet(node uint32) {
	from, reach := len(s.list), s.Lists.Reach(node)
	s.next = s.next[:0]
	s.list = s.Lists.Of(s.list, node)
	s.ends = append(s.ends, len(s.list))
	for _, v := range s.list[from:] {
		if reach.has(v.Node, v.Similarity) {
			if _, isNew := s.common.add(v.Node); isNew {
				s.next = append(s.next, v.Node)
			}
		}
	}
}

// share computes what the nodes that were met share with a node, given its near neighbours, whose neighbours are in list.
func (s *Search) share(node uint32, near []Neighbour, reach Reach) {
	for i, n := range s.met {
		c := s.common.get(n.Node)
		c.at, c.reach = i, s.Lists.Reach(n.Node)
	}
	for _, n := range near { // the vector of the node has n, and that of n has own
		s.common.get(n.Node).sum += product(n.Similarity, own)
	}
	from := 0
	for i, n := range near {
		for _, v := range s.list[from:s.ends[i]] {
			if c := s.common.get(v.Node); c != nil && c.reach.has(n.Node, v.Similarity) {
				c.sum += product(n.Similarity, v.Similarity)
			}
		}
		from = s.ends[i]
	}
	for i := range s.met {
		v := &s.met[i]
		c := s.common.get(v.Node)
		if !v.Beyond && c.reach.has(node, v.Similarity) { // the vector of v has the node, and that of the node has own
			c.sum += product(own, v.Similarity)
		}
		v.Shared = cosine(c.sum, reach, c.reach)
	}
}

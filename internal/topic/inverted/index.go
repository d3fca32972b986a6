package inverted

import (
	"cmp"
	"math"
	"slices"
	"sort"
	"sync"

	"github.com/lshclust/lshclust/bags"
)

// Lists gives access to the segments of an index, in the order of their nodes.
type Lists interface {
	// Segments returns the number of segments.
	Segments() int
	// Segment returns the nodes of a segment and its terms, ascending.
	Segment(i int) (base uint32, nodes int, terms []uint32)
	// List returns the list of term number at of a segment, which a Builder wrote, and at least rice.Padding bytes after it.
	List(segment, at int) []byte
}

// Index searches bags. It is safe for concurrent use.
type Index struct {
	lists Lists
	bags  Bags
	least int       // sum of a bag, at least
	free  sync.Pool // of *search
}

// New returns an index of bags that are not empty, each with at least the given sum. A search takes 64 to 128 KiB,
// which the next one reuses.
func New(lists Lists, of Bags, least int) *Index { return &Index{lists: lists, bags: of, least: least} }

// Options selects the nodes that Nearest returns.
type Options struct {
	Top   int     // at most this many nodes, the most similar ones
	Least float64 // the least similarity; nodes that share no term with the bag are never returned
	// Wanted, if not nil, reports whether Nearest may return a node.
	Wanted func(node uint32) bool
	// Field, if not nil, returns the field of a node's bag to compare the given bag with. A field that is not empty has at
	// least the sum of the index, too.
	Field func(bags.Bag) bags.Bag
}

// Hit is a node with its exact similarity to the bag.
type Hit struct {
	Node       uint32
	Similarity float64
}

// Nearest appends to dst the nodes whose bags are the most similar to a bag, by descending similarity and then by
// number. The bag may be any with a sum of at most 65,535; if a node has this very bag, it is among the results.
func (x *Index) Nearest(dst []Hit, bag bags.Bag, o Options) []Hit {
	if o.Top <= 0 {
		return dst
	}
	sum := bag.Sum()
	if sum == 0 || sum > math.MaxUint16 {
		return dst
	}
	s, _ := x.free.Get().(*search)
	if s == nil {
		s = &search{}
	}
	s.begin(x, bag, sum, o)
	for i := range x.lists.Segments() {
		s.segment(i)
	}
	dst = s.append(dst)
	s.end()
	x.free.Put(s)
	return dst
}

// similarity returns the similarity of two bags with common elements in common, as bags.Similarity computes it.
func similarity(common, sum, other int) float64 { return float64(common) / float64(sum+other-common) }

// leastCommon returns how many elements, at least 1, a bag must have in common with one of the sum other for the
// similarity least; with one of a larger sum, it must have as many or more. If no number is enough, leastCommon returns
// more than the bag has.
func leastCommon(least float64, sum, other int) int {
	return 1 + sort.Search(sum, func(i int) bool { return similarity(i+1, sum, other) >= least })
}

// search holds the state of a search and its memory.
type search struct {
	index   *Index
	bag     bags.Bag
	sum     int
	options Options

	need   int         // elements that another node must have in common with the bag, at least
	best   []Hit       // a heap, the worst hit first
	scorer bags.Scorer // of the bag
	steps  []step
	lists  []list   // for each term of the bag what is left of its list in the current segment
	nodes  []uint16 // of one group
	rest   int      // elements of the bag in the remaining steps
	common [segmentNodes]uint16
}

// step is an element of the flattened bag: one term with a count. Taking a step means following the list of the term
// down to the count.
type step struct {
	term  int // place in the bag
	count uint16
	cost  int
}

func (s *search) begin(x *Index, bag bags.Bag, sum int, o Options) {
	s.index, s.bag, s.sum, s.options = x, bag, sum, o
	s.need = leastCommon(o.Least, sum, x.least)
	s.best, s.steps = s.best[:0], s.steps[:0]
	s.lists = slices.Grow(s.lists[:0], bag.Len())[:bag.Len()]
	s.scorer.Reset(bag)
}

// end drops what belongs to the caller.
func (s *search) end() {
	s.index, s.bag, s.options = nil, bags.Bag{}, Options{}
	s.scorer.Reset(bags.Bag{})
	clear(s.lists)
}

// segment searches a segment.
func (s *search) segment(i int) {
	base, nodes, terms := s.index.lists.Segment(i)
	nodes = min(nodes, segmentNodes)
	if s.need > s.sum {
		return
	}
	s.find(i, nodes, terms)
	if len(s.steps) == 0 {
		s.plan()
	}
	s.count()
	s.collect(base, nodes)
	clear(s.common[:nodes])
}

// find finds the lists of the terms of the bag.
func (s *search) find(segment, nodes int, terms []uint32) {
	from := 0
	for i, t := range s.bag.Terms {
		at, ok := slices.BinarySearch(terms[from:], t)
		from += at
		s.lists[i] = list{}
		if ok {
			s.lists[i] = read(s.index.lists.List(segment, from), nodes)
		}
	}
}

// plan orders the steps by their cost in the first segment, which is like the others because documents have the order
// of hashes. Each step lowers by one what a new node can have in common with the bag, so the cheapest come first. But
// the steps of a term can only be taken from the highest count down.
func (s *search) plan() {
	for i := range s.bag.Terms {
		list, cost := s.lists[i], 0
		for c := s.bag.Counts[i]; c > 0; c-- {
			here := 0
			for list.count >= c {
				here += list.nodes
				s.nodes = list.group(s.nodes)
			}
			cost = max(cost, here)
			s.steps = append(s.steps, step{i, c, cost})
		}
	}
	slices.SortFunc(s.steps, func(a, b step) int {
		return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.term, b.term), cmp.Compare(b.count, a.count))
	})
}

// pruning is the largest part of what is needed that the remaining steps may add up to, in percent. At 100, a search
// misses no node but must compare each that shares a rare term. Measured on 390,404 bags for the 10 nearest (median of
// the processor time of a query, postings followed, nodes compared): 100: 10.9 ms, 61 thousand, 22,712; 60: 1.3 ms, 99
// thousand, 698; 30: 0.93 ms, 161 thousand, 101; 20: 0.92 ms, 197 thousand, 52; 0: 0.97 ms, 378 thousand, none.
const pruning = 25

// count takes steps until the remaining ones fall far short of lifting a new node to what is needed.
func (s *search) count() {
	s.rest = s.sum
	for _, step := range s.steps {
		if s.rest*100 < s.need*pruning {
			return
		}
		s.take(step)
		s.rest--
	}
}

// take takes a step.
func (s *search) take(t step) {
	list, most := &s.lists[t.term], s.bag.Counts[t.term]
	for list.count >= t.count {
		count := min(list.count, most)
		s.nodes = list.group(s.nodes)
		for _, n := range s.nodes {
			s.common[n] += count
		}
	}
}

// collect looks at the nodes that can have enough in common with the bag.
func (s *search) collect(base uint32, nodes int) {
	for n, c := range s.common[:nodes] {
		if int(c)+s.rest >= s.need && c > 0 {
			s.candidate(base + uint32(n))
		}
	}
}

// candidate compares a node with the bag if that is still necessary.
func (s *search) candidate(node uint32) {
	if wanted := s.options.Wanted; wanted != nil && !wanted(node) {
		return
	}
	other := s.index.bags.At(node)
	if field := s.options.Field; field != nil {
		other = field(other)
	}
	h, top := Hit{node, s.scorer.Similarity(other)}, s.options.Top
	if h.Similarity > 0 && h.Similarity >= s.options.Least && (len(s.best) < top || h.Similarity > s.best[0].Similarity) {
		s.put(h)
	}
}

// put adds a hit and, if there are then enough, raises what is needed. Nodes come in ascending order, so a later one
// must be better, not only as good.
func (s *search) put(h Hit) {
	if len(s.best) < s.options.Top {
		s.best = append(s.best, h)
		s.up(len(s.best) - 1)
	} else {
		s.best[0] = h
		s.down(0)
	}
	if len(s.best) == s.options.Top {
		s.need = max(s.need, leastCommon(math.Nextafter(s.best[0].Similarity, 2), s.sum, s.index.least))
	}
}

// worse reports whether hit i is worse than hit j.
func (s *search) worse(i, j int) bool { return s.best[i].before(s.best[j]) < 0 }

// before returns a negative number if h is worse than g.
func (h Hit) before(g Hit) int {
	return cmp.Or(cmp.Compare(h.Similarity, g.Similarity), cmp.Compare(g.Node, h.Node))
}

func (s *search) up(i int) {
	for i > 0 && s.worse(i, (i-1)/2) {
		s.best[i], s.best[(i-1)/2] = s.best[(i-1)/2], s.best[i]
		i = (i - 1) / 2
	}
}

func (s *search) down(i int) {
	for {
		worst := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s.best); child++ {
			if s.worse(child, worst) {
				worst = child
			}
		}
		if worst == i {
			return
		}
		s.best[i], s.best[worst] = s.best[worst], s.best[i]
		i = worst
	}
}

// append appends the hits to dst, the best first.
func (s *search) append(dst []Hit) []Hit {
	slices.SortFunc(s.best, func(a, b Hit) int { return b.before(a) })
	return append(dst, s.best...)
}

package expand

import (
	"math"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/minhash"
)

// Graph holds neighbours of nodes.
type Graph interface {
	// Nearest appends the width nearest neighbours of a node to dst, or all if there are fewer, in the same order for
	// every call.
	Nearest(dst []uint32, node uint32, width int) []uint32
}

// Nodes gives access to the nodes among which to look for neighbours. It is fastest if similar nodes have close
// numbers.
type Nodes interface {
	// Bag returns the bag of a node.
	Bag(node uint32) bags.Bag
	// Low returns the low bytes of the signatures of a node (see minhash.LowMask), of at most minhash.MaxMask
	// signatures.
	Low(node uint32) []byte
	// Together reports whether some page links to both nodes.
	Together(a, b uint32) bool
	// Fetch announces calls of Bag and Together for some nodes, so that all of them can be read from memory together:
	// if they are read one after another, the processor waits for each.
	Fetch(nodes []uint32)
}

// Keep says which neighbours of a node to keep.
type Keep struct {
	Nearest int     // the nearest of all
	Apart   int     // the nearest that are apart from the node; they may be among the former
	Least   float32 // least similarity
}

// compareFactor says how many neighbours to compare exactly for each one to keep, those that agree best. Measured on
// the directory set with another choice of keys, keeping 50: with a factor of 1 a round stores .855 of the ten nearest,
// with 2 .862, and after an expansion at query time .930 and .931 of them are found.
const compareFactor = 2

// Lister makes the lists of nearest neighbours of nodes. It reuses its memory and is not safe for concurrent use.
type Lister struct {
	Nodes Nodes
	Keep  Keep

	Compared int64 // exact comparisons so far

	scorer     bags.Scorer
	leads      table[int8] // number of neighbours that lead to each node, at most enough
	next       []uint32
	candidates []candidate
	ordered    []uint32 // the candidates, the best agreement first
	levels     [minhash.MaxMask + 2]int32
	near       []uint64 // inverted similarity, so that the greatest is the least number; node
	out        []Neighbour
}

// A node that two neighbours lead to is near more often than one that a single neighbour leads to. So one neighbour is
// enough only if it is among the first few. Measured on the directory set, with 16 of 50: pair takes .90 of the processor
// time, and .970 instead of .969 of the ten nearest are stored, .780 instead of .799 of the ten nearest apart.
const (
	first  = 16 // neighbours of which one is enough
	enough = 2  // neighbours after them that must lead to a node
)

// candidate is a node and the number of signatures in which it differs.
type candidate struct{ node, differs uint32 }

// Select returns the nearest neighbours of a node among some candidates that it was not compared with. It considers the
// candidates that agree best first. The candidates must be distinct, and none may be the node itself. The result is
// valid until the next call.
func (l *Lister) Select(node uint32, candidates []uint32) []Neighbour {
	l.near = l.near[:0]
	return l.list(node, candidates)
}

// Expand returns the nearest neighbours of a node among its neighbours in a graph and the first width neighbours of
// each of the first width. It leaves out a node that only one of these has as a neighbour, unless that is one of the
// nearest. known holds the neighbours of the node in the graph, the nearest first. The result is valid until the next call.
func (l *Lister) Expand(g Graph, node uint32, known []Neighbour, width int) []Neighbour {
	l.near = l.near[:0]
	l.leads.clear()
	l.leadsTo(node, enough)
	for _, n := range known {
		l.leadsTo(n.Node, enough)
		l.near = append(l.near, Key(n.Node, n.Similarity))
	}
	l.next = l.next[:0]
	for i, n := range known[:min(width, len(known))] {
		weight := int8(1)
		if i < first {
			weight = enough
		}
		l.meet(g, n.Node, width, weight)
	}
	l.order(node)
	return l.list(node, l.ordered)
}

// meet appends to next the nodes among the first width neighbours of a node to which enough neighbours lead now.
func (l *Lister) meet(g Graph, node uint32, width int, weight int8) {
	from := len(l.next)
	l.next = g.Nearest(l.next, node, width)
	fresh := l.next[:from]
	for _, c := range l.next[from:] {
		if l.leadsTo(c, weight) {
			fresh = append(fresh, c)
		}
	}
	l.next = fresh
}

// leadsTo counts another neighbour that leads to a node, and reports whether they are enough now, and were not before.
func (l *Lister) leadsTo(node uint32, weight int8) bool {
	n, _ := l.leads.add(node)
	if *n >= enough {
		return false
	}
	*n += weight
	return *n >= enough
}

// order sorts the nodes that a node has met by agreement, and ties by when they were met. It counts instead of
// comparing, which takes a tenth of the time. It counts agreements in a loop that does nothing else, so that the
// processor waits for the signatures of several nodes at once.
func (l *Lister) order(node uint32) {
	clear(l.levels[:])
	l.candidates = l.candidates[:0]
	low := l.Nodes.Low(node)
	for _, c := range l.next {
		differs := uint32(len(low) - minhash.LowAgreement(low, l.Nodes.Low(c)))
		l.candidates = append(l.candidates, candidate{c, differs})
		l.levels[differs+1]++
	}
	for i := range l.levels[1:] {
		l.levels[i+1] += l.levels[i]
	}
	l.ordered = slices.Grow(l.ordered[:0], len(l.candidates))[:len(l.candidates)]
	for _, c := range l.candidates {
		at := &l.levels[c.differs]
		l.ordered[*at] = c.node
		*at++
	}
}

// list compares the candidates that agree best, which come first, and returns the nearest among them and near.
func (l *Lister) list(node uint32, ordered []uint32) []Neighbour {
	l.Nodes.Fetch(ordered[:min(compareFactor*max(l.Keep.Nearest, l.Keep.Apart), len(ordered))])
	l.scorer.Reset(l.Nodes.Bag(node))
	apart, most, mostApart := 0, compareFactor*l.Keep.Nearest, compareFactor*l.Keep.Apart
	for i, other := range ordered {
		if i >= most && apart >= mostApart {
			break
		}
		if apart < mostApart {
			together := l.Nodes.Together(node, other)
			if together && i >= most { // only those apart are still wanted
				continue
			}
			if !together {
				apart++
			}
		}
		l.Compared++
		if s := float32(l.scorer.Similarity(l.Nodes.Bag(other))); s > 0 && s >= l.Keep.Least {
			l.near = append(l.near, Key(other, s))
		}
	}
	slices.Sort(l.near)
	return l.kept(node)
}

// kept returns the neighbours in near to keep, the nearest first.
func (l *Lister) kept(node uint32) []Neighbour {
	l.out = l.out[:0]
	apart := 0
	for i, key := range l.near {
		n := ofKey(key)
		keep := i < l.Keep.Nearest
		if !keep && apart >= l.Keep.Apart {
			break
		}
		if apart < l.Keep.Apart && !l.Nodes.Together(node, n.Node) {
			keep = true
			apart++
		}
		if keep {
			l.out = append(l.out, n)
		}
	}
	return l.out
}

// Key packs a neighbour into a number. The numbers have the order of Nearer: the bits of positive floats ascend with
// their values.
func Key(node uint32, similarity float32) uint64 {
	return uint64(^math.Float32bits(similarity))<<32 | uint64(node)
}

// ofKey returns the neighbour that Key packed.
func ofKey(key uint64) Neighbour {
	return Neighbour{Node: uint32(key), Similarity: math.Float32frombits(^uint32(key >> 32))}
}

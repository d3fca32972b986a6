package inverted

import (
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/rice"
)

// The list of a term consists of groups, one for each count that the term has in some bag, the largest count first. A group
// is the gamma code of its count, or, after the first group, of what the group before has more; the gamma code of the number
// of its nodes; and the nodes, ascending, as distances from the first node of the segment: the Golomb-Rice codes of the first
// one and of the gaps less 1. A count of 0 ends the list.

// appendHead appends the count of a group and the number of its nodes. before is the count of the group before, or 0.
func appendHead(w *rice.Writer, before, count uint64, nodes int) {
	if before > 0 {
		w.Gamma(before - count)
	} else {
		w.Gamma(count)
	}
	if count > 0 {
		w.Gamma(uint64(nodes))
	}
}

// parameter returns the parameter of the codes of a group with some of the nodes of a segment: the gaps between random
// nodes have the shortest codes if 2 to its power is their mean times log 2.
func parameter(segment, nodes int) int { return max(0, bits.Len(uint(segment*45/(64*nodes)))-1) }

// list is the rest of a list that is being read. The zero value is at its end.
type list struct {
	from    rice.Reader
	segment int // number of nodes of the segment

	count uint16 // of the next group, or 0 at the end of the list
	nodes int    // number of its nodes
}

// read returns the list at the beginning of data, in a segment of so many nodes.
func read(data []byte, segment int) list {
	l := list{from: rice.Read(data), segment: segment}
	l.head(0)
	return l
}

// head reads the head of the next group. A damaged list ends.
func (l *list) head(before uint16) {
	count := l.from.Gamma()
	if before > 0 {
		count = uint64(before) - count
	}
	l.count, l.nodes = 0, 0
	if l.from.Bad() || count == 0 || count > 1<<16-1 {
		return
	}
	if n := l.from.Gamma(); n > 0 && n <= uint64(l.segment) {
		l.count, l.nodes = uint16(count), int(n)
	}
}

// group returns the nodes of the next group, in the memory of dst if it is large enough, and goes to the group after it.
func (l *list) group(dst []uint16) []uint16 {
	dst = slices.Grow(dst[:0], l.nodes)[:l.nodes]
	rice.Codes(&l.from, dst, parameter(l.segment, l.nodes))
	next := uint16(0)
	for i, gap := range dst {
		dst[i] = next + gap
		next = dst[i] + 1
	}
	l.head(l.count)
	return dst
}

// List holds Bags in memory.
type List []bags.Bag

// Len returns the number of bags.
func (l List) Len() int { return len(l) }

// At returns the bag of a node.
func (l List) At(node uint32) bags.Bag { return l[node] }

// Of returns an index of bags, each with at least the given sum, in memory.
func Of(b Bags, least int) *Index { return New(build(b, Ends(b)), b, least) }

// built holds segments in memory.
type built []Segment

// build builds the segments with the given ends.
func build(of Bags, ends []uint32) (b built) {
	var builder Builder
	from := uint32(0)
	for _, end := range ends {
		s := builder.Build(of, from, end)
		s.Terms, s.First, s.Lists = slices.Clone(s.Terms), slices.Clone(s.First), append(slices.Clone(s.Lists), make([]byte, rice.Padding)...)
		b, from = append(b, s), end
	}
	return b
}

func (b built) Segments() int { return len(b) }

func (b built) Segment(i int) (uint32, int, []uint32) { return b[i].Base, b[i].Nodes, b[i].Terms }

func (b built) List(segment, at int) []byte { return b[segment].Lists[b[segment].First[at]:] }

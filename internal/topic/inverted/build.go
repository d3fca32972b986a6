package inverted

import (
	"math/bits"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/rice"
)

const (
	// segmentNodes is the number of nodes that a two-byte number distinguishes.
	segmentNodes = 1 << 16
	// segmentPostings is the number of postings at which a segment ends. Larger segments make a smaller index, but take
	// more memory to build.
	segmentPostings = 1 << 20
)

// BuilderMemory is the approximate memory of a Builder in bytes.
const BuilderMemory = 20 * segmentPostings

// Bags gives access to the bags of the nodes by number. None is empty.
type Bags interface {
	Len() int
	At(node uint32) bags.Bag
}

// Ends returns for each segment the number of the node after its last one. It depends only on the lengths of the bags:
// a segment ends after 65,536 nodes, or earlier if its bags have about a million terms together.
func Ends(b Bags) []uint32 {
	var ends []uint32
	n, start, postings := uint32(b.Len()), uint32(0), 0
	for node := range n {
		if postings += b.At(node).Len(); postings >= segmentPostings || node-start == segmentNodes-1 || node == n-1 {
			ends = append(ends, node+1)
			start, postings = node+1, 0
		}
	}
	return ends
}

// Segment is the part of an index for consecutive nodes.
type Segment struct {
	Base     uint32   // the first node
	Nodes    int      // number of nodes, at most 65,536
	Postings int      // number of terms of the bags of all nodes
	Terms    []uint32 // the terms that their bags hold, ascending
	First    []uint32 // for each term the start of its list in Lists
	Lists    []byte   // the lists of all terms
}

// Builder builds segments. It is not safe for concurrent use.
type Builder struct {
	keys, spare []uint64 // term (4 bytes), inverted count (2), node (2)
	lists       rice.Writer
	gaps        []uint64 // of a group
	segment     Segment
}

// Build returns the segment of the nodes in [from, to). It is valid until the next call.
func (b *Builder) Build(of Bags, from, to uint32) Segment {
	b.keys = b.keys[:0]
	for node := from; node < to; node++ {
		bag := of.At(node)
		for i, t := range bag.Terms {
			b.keys = append(b.keys, uint64(t)<<32|uint64(^bag.Counts[i])<<16|uint64(uint16(node-from)))
		}
	}
	b.sort()
	s := &b.segment
	*s = Segment{Base: from, Nodes: int(to - from), Postings: len(b.keys), Terms: s.Terms[:0], First: s.First[:0], Lists: s.Lists[:0]}
	b.lists.Bytes = b.lists.Bytes[:0]
	for i := 0; i < len(b.keys); {
		term := uint32(b.keys[i] >> 32)
		s.Terms, s.First = append(s.Terms, term), append(s.First, uint32(len(b.lists.Bytes)))
		i = b.list(i, term)
	}
	s.Lists = b.lists.Bytes
	return *s
}

// list appends the list of a term, whose keys begin at place i, and returns where they end.
func (b *Builder) list(i int, term uint32) int {
	before := uint64(0)
	for i < len(b.keys) && uint32(b.keys[i]>>32) == term {
		start, group := i, b.keys[i]>>16
		for i < len(b.keys) && b.keys[i]>>16 == group {
			i++
		}
		count := uint64(^uint16(group))
		appendHead(&b.lists, before, count, i-start)
		next := uint64(0)
		b.gaps = b.gaps[:0]
		for _, key := range b.keys[start:i] {
			node := uint64(uint16(key))
			b.gaps, next = append(b.gaps, node-next), node+1
		}
		b.lists.Codes(b.gaps, parameter(b.segment.Nodes, i-start))
		before = count
	}
	appendHead(&b.lists, before, 0, 0)
	b.lists.End()
	return i
}

// digit is the number of bits by which sort distributes the keys in one pass.
const digit = 11

// sort sorts the keys by term and count. The keys of one term and count already have the order of their nodes, and keep
// it.
func (b *Builder) sort() {
	varying := uint64(0)
	for _, k := range b.keys {
		varying |= k ^ b.keys[0]
	}
	if cap(b.spare) < len(b.keys) {
		b.spare = make([]uint64, cap(b.keys))
	}
	for shift := 16; shift < 64; {
		if varying>>shift == 0 {
			return
		}
		if shift += bits.TrailingZeros64(varying >> shift); shift >= 64 {
			return
		}
		b.distribute(shift)
		shift += digit
	}
}

// distribute sorts the keys stably by the bits from shift on.
func (b *Builder) distribute(shift int) {
	var next [1 << digit]uint32
	for _, k := range b.keys {
		next[k>>shift&(1<<digit-1)]++
	}
	sum := uint32(0)
	for i, n := range next {
		next[i] = sum
		sum += n
	}
	out := b.spare[:len(b.keys)]
	for _, k := range b.keys {
		at := &next[k>>shift&(1<<digit-1)]
		out[*at] = k
		*at++
	}
	b.keys, b.spare = out, b.keys[:cap(b.keys)]
}

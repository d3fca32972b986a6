package inverted

import (
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/rice"
)

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

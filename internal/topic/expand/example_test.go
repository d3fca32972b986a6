package expand_test

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/topic/expand"
)

// lists holds the pairs that an index has found.
type lists map[uint32][]expand.Neighbour

func (l lists) Of(dst []expand.Neighbour, node uint32) []expand.Neighbour {
	return append(dst, l[node]...)
}

func (l lists) Reach(node uint32) expand.Reach { return expand.ReachOf(l.Of(nil, node), 25) }

// The index found that node 1 is a neighbour of node 0, but missed node 2, which is nearer. Node 2 is among the
// neighbours of node 1.
func ExampleSearch() {
	all := []bags.Bag{words(1, 2, 3, 4, 5), words(1, 2, 3, 8, 9), words(1, 2, 3, 4, 9), words(8, 9)}
	found := lists{}
	for _, pair := range [][2]uint32{{0, 1}, {1, 2}, {1, 3}} {
		similarity := float32(bags.Similarity(all[pair[0]], all[pair[1]]))
		for i, node := range pair {
			found[node] = append(found[node], expand.Neighbour{Node: pair[1-i], Similarity: similarity})
		}
	}
	search := expand.Search{
		Lists: found,
		Bags: func(dst []bags.Bag, nodes []uint32) []bags.Bag {
			for _, n := range nodes {
				dst = append(dst, all[n])
			}
			return dst
		},
	}
	bySimilarity := func(m *expand.Met) float32 { return m.Similarity }
	for _, n := range search.From(0, all[0], found.Of(nil, 0), bySimilarity) {
		fmt.Printf("node %d: similarity %.2f, shared neighbours %.2f, beyond %v\n", n.Node, n.Similarity, n.Shared, n.Beyond)
	}
	// Output:
	// node 2: similarity 0.67, shared neighbours 0.87, beyond true
	// node 1: similarity 0.43, shared neighbours 0.40, beyond false
}

// words returns the bag that has each of some terms once.
func words(terms ...uint32) bags.Bag {
	return bags.Bag{Terms: terms, Counts: slices.Repeat([]uint16{1}, len(terms))}
}

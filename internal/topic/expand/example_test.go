package expand_test

import (
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/topic/expand"
)

// graph holds the neighbours that an index has found, the nearest first.
type graph map[uint32][]uint32

func (g graph) Nearest(dst []uint32, node uint32, width int) []uint32 {
	return append(dst, g[node][:min(width, len(g[node]))]...)
}

// The index found that node 1 is a neighbour of node 0, but missed node 2, which is nearer. Node 2 is among the
// neighbours of node 1.
func ExampleSearch() {
	all := []bags.Bag{words(1, 2, 3, 4, 5), words(1, 2, 3, 8, 9), words(1, 2, 3, 4, 9), words(8, 9)}
	search := expand.Search{
		Graph: graph{0: {1}, 1: {2, 0, 3}, 2: {1}, 3: {1}},
		Bags: func(dst []bags.Bag, nodes []uint32) []bags.Bag {
			for _, n := range nodes {
				dst = append(dst, all[n])
			}
			return dst
		},
	}
	known := []expand.Neighbour{{Node: 1, Similarity: float32(bags.Similarity(all[0], all[1]))}}
	for _, n := range search.From(0, all[0], known, 25) {
		fmt.Printf("node %d: similarity %.2f, beyond %v\n", n.Node, n.Similarity, n.Beyond)
	}
	// Output:
	// node 2: similarity 0.67, beyond true
	// node 1: similarity 0.43, beyond false
}

// words returns the bag that has each of some terms once.
func words(terms ...uint32) bags.Bag {
	return bags.Bag{Terms: terms, Counts: slices.Repeat([]uint16{1}, len(terms))}
}

package tree_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/topic/tree"
)

// Two pairs of similar nodes, 0-1 and 2-3, with a weak link between them, and node 4, which has a weaker one. The
// average similarity of the two pairs is 0.2/4.
func Example() {
	g := center.NewGraph(5, []center.Pair{
		{A: 0, B: 1, Similarity: 0.8}, {A: 2, B: 3, Similarity: 0.7}, {A: 1, B: 2, Similarity: 0.2}, {A: 3, B: 4, Similarity: 0.08},
	})
	t, err := tree.Build(context.Background(), g, tree.Config{Thresholds: []float64{0.1, 0.04, 0.01}})
	if err != nil {
		log.Fatal(err)
	}
	for level := range t.Levels() {
		fmt.Println("level", level, t.Centers(level))
	}
	nodes, depth := t.Nodes(nil), map[int]int{tree.NoParent: -1}
	for i, n := range nodes {
		depth[i] = depth[n.Parent] + 1
		fmt.Printf("%snode %d of level %d: size %d\n", strings.Repeat("  ", depth[i]), n.Center, n.Level, n.Size)
	}
	// Output:
	// level 0 [0 0 2 2 4]
	// level 1 [0 0 0 0 4]
	// level 2 [0 0 0 0 0]
	// node 0 of level 2: size 5
	//   node 0 of level 1: size 4
	//     node 0 of level 0: size 2
	//     node 2 of level 0: size 2
	//   node 4 of level 0: size 1
}

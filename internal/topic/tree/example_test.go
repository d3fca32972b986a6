package tree_test

import (
	"context"
	"fmt"
	"log"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/topic/tree"
)

// Two groups of similar nodes, 0 to 2 and 3 to 5, with a weak link between them, and two nodes that only resemble each other.
func Example() {
	g := center.NewGraph(8, []center.Pair{
		{A: 0, B: 1, Similarity: 0.8}, {A: 0, B: 2, Similarity: 0.7}, {A: 1, B: 2, Similarity: 0.7}, {A: 2, B: 3, Similarity: 0.2},
		{A: 3, B: 4, Similarity: 0.8}, {A: 3, B: 5, Similarity: 0.8}, {A: 4, B: 5, Similarity: 0.7}, {A: 6, B: 7, Similarity: 0.9},
	})
	c := tree.Defaults
	c.Middle, c.Tops, c.Share = 1, 0.1, 1
	t, err := tree.Build(context.Background(), g, nil, c)
	if err != nil {
		log.Fatal(err)
	}
	depth := map[int]int{tree.NoParent: -1}
	for i, n := range t.Nodes {
		depth[i] = depth[n.Parent] + 1
		fmt.Printf("%snode %d: size %d\n", strings.Repeat("  ", depth[i]), n.Center, n.Size)
	}
	fmt.Println("leaves", t.Leaf)
	// Output:
	// node 0: size 6
	//   node 0: size 3
	//   node 3: size 3
	// node 6: size 2
	// leaves [1 1 1 2 2 2 3 3]
}

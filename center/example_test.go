package center_test

import (
	"fmt"

	"github.com/lshclust/lshclust/center"
)

// A path 0-1-2-3. By id, 0 takes 1, so that 2 is a center and takes 3. By similarity, 1 is scanned first and takes 0
// and 2, so that 3 is alone.
func Example() {
	path := center.NewGraph(4, []center.Pair{{A: 0, B: 1, Similarity: 0.4}, {A: 1, B: 2, Similarity: 0.9}, {A: 2, B: 3, Similarity: 0.5}})
	fmt.Println(center.Cluster(path, nil, 0.2))
	fmt.Println(center.Cluster(path, center.BySimilarity.Nodes(path, 0.2, nil), 0.2))
	fmt.Println(center.Cluster(path, nil, 0.45))
	// Output:
	// [0 0 2 2]
	// [1 1 1 3]
	// [0 1 1 3]
}

package center_test

import (
	"fmt"

	"github.com/lshclust/lshclust/center"
)

// edges is a graph as sorted lists of neighbours.
type edges [][]center.Edge

func (e edges) Len() int                          { return len(e) }
func (e edges) Neighbours(u uint32) []center.Edge { return e[u] }

// A path 0-1-2-3. By id, 0 takes 1, so that 2 is a center and takes 3; by
// similarity, 1 is met first and takes 0 and 2, and 3 is alone.
func Example() {
	path := edges{
		{{To: 1, Similarity: 0.4}},
		{{To: 0, Similarity: 0.4}, {To: 2, Similarity: 0.9}},
		{{To: 1, Similarity: 0.9}, {To: 3, Similarity: 0.5}},
		{{To: 2, Similarity: 0.5}},
	}
	fmt.Println(center.Cluster(path, nil, 0.2))
	fmt.Println(center.Cluster(path, center.BySimilarity(path, 0.2, nil), 0.2))
	fmt.Println(center.Cluster(path, nil, 0.45))
	// Output:
	// [0 0 2 2]
	// [1 1 1 3]
	// [0 1 1 3]
}

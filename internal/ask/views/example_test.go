package views_test

import (
	"fmt"

	"github.com/lshclust/lshclust/internal/ask/views"
)

// Two clusterings of six elements. A has the clusters 0 1 2 and 3 4 5; B moves element 2 to the second cluster.
func Example() {
	a := []uint32{0, 0, 0, 1, 1, 1}
	b := []uint32{7, 7, 8, 8, 8, 8}
	g, err := views.Partitions(a, b)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d pairs are together in both; adjusted Rand index %.3f, B-cubed precision %.3f and recall %.3f\n",
		g.Together, g.AdjustedRand, g.Precision, g.Recall)
	// Output:
	// 4 pairs are together in both; adjusted Rand index 0.324, B-cubed precision 0.778 and recall 0.750
}

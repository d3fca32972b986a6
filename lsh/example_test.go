package lsh_test

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Three bags: the first two share most of their words, the third is another.
func Example() {
	family := minhash.NewFamily(80, 1)
	sigs := lsh.Signatures{M: 80, Rows: make([]byte, 3*family.RowSize())}
	for i, words := range [][]uint32{{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 7}, {8, 9, 10}} {
		var elements []uint32
		for _, w := range words {
			elements = minhash.AppendElements(elements, w, 1)
		}
		family.Sign(sigs.Row(i), elements)
	}
	index, err := lsh.NewIndex(80, 3, 125, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	config := lsh.Config{Floor: 0.20, MaxBucket: 1000, Reach: 20, Workers: 1}
	stats, err := index.Pairs(context.Background(), sigs, config, func(_ int, pairs []lsh.Pair) error {
		for _, p := range pairs {
			fmt.Printf("rows %d and %d agree in %d of 80\n", p.A, p.B, p.Agreement)
		}
		return nil
	}, nil)
	fmt.Println(stats.CandidatePairs, "candidate pair", err)
	fmt.Printf("a pair of similarity 0.71 is found with probability %.4f\n", lsh.Found(80, 3, 125, 0.20, 5.0/7))
	// Output:
	// rows 0 and 1 agree in 59 of 80
	// 1 candidate pair <nil>
	// a pair of similarity 0.71 is found with probability 1.0000
}

package lsh_test

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Three bags. The first two share five of seven words; the third shares none.
func Example() {
	family := minhash.NewFamily(80, 1)
	sigs := lsh.Signatures{M: 80}
	for _, words := range [][]uint32{{1, 2, 3, 4, 5, 6}, {1, 2, 3, 4, 5, 7}, {8, 9, 10, 11, 12, 13}} {
		bag := bags.Bag{Terms: words, Counts: []uint16{1, 1, 1, 1, 1, 1}}
		sigs.Rows = append(sigs.Rows, family.Signature(bag)...)
	}
	index, err := lsh.NewIndex(80, 3, 125, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = index.Pairs(context.Background(), sigs, lsh.Config{Floor: 0.20, Workers: 1}, func(_ int, pairs []lsh.Pair) error {
		for _, p := range pairs {
			fmt.Printf("rows %d and %d agree in %d of 80 signatures\n", p.A, p.B, p.Agreement)
		}
		return nil
	}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("a pair of similarity 0.71 is found with probability %.4f\n", lsh.Found(80, 3, 125, 0.20, 5.0/7))
	// Output:
	// rows 0 and 1 agree in 59 of 80 signatures
	// a pair of similarity 0.71 is found with probability 1.0000
}

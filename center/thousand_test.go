package center_test

import (
	"context"
	"fmt"
	"log"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
)

// Min-hash, LSH and CENTER on 1,000 bags. Bag i has 8 words of topic i%100 and 4 words that no other bag has, so that
// two bags of one topic have the similarity 8/16, and the right clusters are the 100 topics of 10 bags each.
func Example_thousandBags() {
	const n, m = 1000, 80
	all, sigs, family := make([]bags.Bag, n), lsh.Signatures{M: m}, minhash.NewFamily(m, 1)
	for i := range uint32(n) {
		for w := range uint32(8) {
			all[i].Terms = append(all[i].Terms, i%100*8+w)
		}
		all[i].Terms = append(all[i].Terms, 800+4*i, 801+4*i, 802+4*i, 803+4*i)
		all[i].Counts = slices.Repeat([]uint16{1}, 12)
		sigs.Rows = append(sigs.Rows, family.Signature(all[i])...)
	}
	index, err := lsh.NewIndex(m, 3, 125, 1)
	if err != nil {
		log.Fatal(err)
	}
	var pairs []center.Pair
	_, err = index.Pairs(context.Background(), sigs, lsh.Config{Floor: 0.2, Workers: 1}, func(_ int, found []lsh.Pair) error {
		for _, p := range found {
			pairs = append(pairs, center.Pair{A: p.A, B: p.B, Similarity: float32(bags.Similarity(all[p.A], all[p.B]))})
		}
		return nil
	}, nil)
	if err != nil {
		log.Fatal(err)
	}
	size := map[uint32]int{}
	for _, c := range center.Cluster(center.NewGraph(n, pairs), nil, 0.3) {
		size[c]++
	}
	fmt.Printf("%d clusters; bag 7 is the center of %d bags\n", len(size), size[7])
	// Output: 100 clusters; bag 7 is the center of 10 bags
}

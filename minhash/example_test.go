package minhash_test

import (
	"fmt"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/minhash"
)

// Two bags of words, {a 3, b 2, c 5} and {a 3, b 4, d 1}. They share 3 a's and 2 b's of 13 elements, so their
// resemblance is 0.385.
func Example() {
	const a, b, c, d = 1, 2, 3, 4
	one := bags.Bag{Terms: []uint32{a, b, c}, Counts: []uint16{3, 2, 5}}
	two := bags.Bag{Terms: []uint32{a, b, d}, Counts: []uint16{3, 4, 1}}

	family := minhash.NewFamily(80, 1)
	x, y := family.Signature(one), family.Signature(two)
	fmt.Printf("similarity %.3f, %d of 80 signatures agree\n", bags.Similarity(one, two), minhash.Agreement(x, y))
	// Output: similarity 0.385, 32 of 80 signatures agree
}

package minhash_test

import (
	"fmt"

	"github.com/lshclust/lshclust/minhash"
)

// Two bags of words, {a 3, b 2, c 5} and {a 3, b 4, d 1}: they share 3 a's and 2
// b's out of 13, so their resemblance is 0.385.
func Example() {
	const a, b, c, d = 1, 2, 3, 4
	var one, two []uint32
	one = minhash.AppendElements(one, a, 3)
	one = minhash.AppendElements(one, b, 2)
	one = minhash.AppendElements(one, c, 5)
	two = minhash.AppendElements(two, a, 3)
	two = minhash.AppendElements(two, b, 4)
	two = minhash.AppendElements(two, d, 1)

	family := minhash.NewFamily(80, 1)
	x, y := make([]byte, family.RowSize()), make([]byte, family.RowSize())
	family.Sign(x, one)
	family.Sign(y, two)
	fmt.Printf("%d bytes a row, %d of 80 signatures agree\n", len(x), minhash.Agreement(x, y))
	// Output: 240 bytes a row, 32 of 80 signatures agree
}

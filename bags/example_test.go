package bags_test

import (
	"fmt"

	"github.com/lshclust/lshclust/bags"
)

// Three words of a crawl of 1,000 bags. The rarer of two words that occur equally often has the greater part of a bag.
func Example() {
	const apple, orchard, page = 10, 20, 30 // hashes of words
	how := bags.Weighting{Scheme: bags.IDF, TF: bags.RawTF, Sum: 100, MinDF: 2, MaxDF: 0.5}
	terms, err := bags.NewDictionary(how, bags.Corpus{Links: 1000}, []uint64{apple, orchard, page}, []uint32{10, 100, 500})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := bags.NewWeigher(how, terms)
	weigh := func(raw ...bags.Weighted) bags.Bag {
		b := w.Weigh(&bags.Raw{Terms: raw}) // valid until the next call
		return bags.Bag{Terms: append([]uint32(nil), b.Terms...), Counts: append([]uint16(nil), b.Counts...)}
	}
	one := weigh(bags.Weighted{Term: apple, Weight: 2 * bags.Unit}, bags.Weighted{Term: orchard, Weight: 2 * bags.Unit})
	two := weigh(bags.Weighted{Term: apple, Weight: bags.Unit}, bags.Weighted{Term: page, Weight: bags.Unit})
	fmt.Println(one.Terms, one.Counts)
	fmt.Println(two.Terms, two.Counts)
	fmt.Printf("%.2f\n", bags.Similarity(one, two))
	// Output:
	// [0 1] [67 33]
	// [0 2] [87 13]
	// 0.50
}

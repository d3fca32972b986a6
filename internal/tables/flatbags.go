package tables

import (
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/huge"
)

// FlatBags provides fast random access to the bags of the nodes of a run: one word locates a bag, and nothing is
// checked again. It takes 8 bytes of memory per node.
type FlatBags struct {
	place []uint64 // for each node, where its bag begins, and its length in the low bits
	term  []uint32
	count []uint16
}

// lengthBits is the number of bits for the length of a bag, which has fewer terms than the greatest sum of its
// counts.
const lengthBits = 24

// Flat verifies the bags of all nodes and returns them. The result is empty if a table is damaged.
func (b NodeBags) Flat() *FlatBags {
	f := &FlatBags{place: huge.Words(b.Len()), term: b.Bags.term.All(), count: b.Bags.count.All()}
	for node := range f.place {
		id := b.Nodes.First(uint32(node))
		if from, to := b.Bags.span("first", b.Bags.first, int(id), len(f.term)); to-from < 1<<lengthBits {
			f.place[node] = uint64(from)<<lengthBits | uint64(to-from)
		}
	}
	return f
}

// At returns the bag of a node, which must exist. It points into the table.
func (f *FlatBags) At(node uint32) bags.Bag {
	place := f.place[node]
	from, n := place>>lengthBits, place&(1<<lengthBits-1)
	return bags.Bag{Terms: f.term[from:][:n:n], Counts: f.count[from:][:n:n]}
}

// flatAtOnce is the number of pairs whose bags are read from memory before the first pair is compared.
const flatAtOnce = 64

// Similarities sets similarity to the similarities of the bags of pairs of nodes. It looks many bags up in a row, so
// that the processor waits for all of them at once. If several consecutive pairs have the same first node, it sets
// the scorer only once.
func (f *FlatBags) Similarities(similarity []float64, scorer *bags.Scorer, pair func(i int) (a, b uint32)) {
	var nodes [flatAtOnce]uint32
	var some [2 * flatAtOnce]bags.Bag
	var sum uint32
	for from := 0; from < len(similarity); from += flatAtOnce {
		n := min(flatAtOnce, len(similarity)-from)
		for i := range n {
			a, b := pair(from + i)
			nodes[i], some[2*i], some[2*i+1] = a, f.At(a), f.At(b)
		}
		for _, bag := range some[:2*n] {
			sum += touch(bag)
		}
		set := false // whether the scorer has the first node of the previous pair
		for i := range n {
			a, b := some[2*i], some[2*i+1]
			again := i > 0 && nodes[i] == nodes[i-1]
			if !(set && again) {
				if set = i+1 < n && nodes[i] == nodes[i+1]; set {
					scorer.Reset(a)
				}
			}
			if set {
				similarity[from+i] = scorer.Similarity(b)
			} else {
				similarity[from+i] = bags.Similarity(a, b)
			}
		}
	}
	runtime.KeepAlive(sum)
}

// touch reads a part of each cache line of a bag.
func touch(bag bags.Bag) (sum uint32) {
	for i := 0; i < len(bag.Terms); i += 16 {
		sum += bag.Terms[i]
	}
	for i := 0; i < len(bag.Counts); i += 32 {
		sum += uint32(bag.Counts[i])
	}
	return sum
}

package tables

import (
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/huge"
)

// FlatBags provides fast random access to the bags of the nodes of a run: one word locates a bag. It takes 8 bytes of
// memory per node.
type FlatBags struct {
	bags  *Bags
	place []uint64 // for each node, where its bag begins, and its length in the low bits
}

// lengthBits is the number of bits for the bytes of a bag. It has fewer terms than the greatest sum of its counts.
const lengthBits = 24

// Flat returns the bags of all nodes. Those that are damaged are empty.
func (b NodeBags) Flat() *FlatBags {
	f := &FlatBags{b.Bags, huge.Words(b.Len())}
	for node := range f.place {
		if from, to := b.Bags.place(b.Nodes.First(uint32(node))); to-from < 1<<lengthBits {
			f.place[node] = uint64(from)<<lengthBits | uint64(to-from)
		}
	}
	return f
}

// span returns where the bag of a node, which must exist, begins and ends.
func (f *FlatBags) span(node uint32) (from, to int) {
	place := f.place[node]
	from = int(place >> lengthBits)
	return from, from + int(place&(1<<lengthBits-1))
}

// flatAtOnce is the number of pairs whose bags are read from memory before the first pair is compared.
const flatAtOnce = 64

// Similarities sets similarity to the similarities of the bags of pairs of nodes. It looks many bags up in a row, so
// that the processor waits for all of them at once. If several consecutive pairs have the same first node, it sets
// the scorer only once.
func (f *FlatBags) Similarities(similarity []float64, scorer *bags.Scorer, pair func(i int) (a, b uint32)) {
	type span struct{ from, to int }
	var nodes [flatAtOnce]uint32
	var some [2 * flatAtOnce]span
	var first, second bags.Bag
	sum := byte(0)
	for from := 0; from < len(similarity); from += flatAtOnce {
		n := min(flatAtOnce, len(similarity)-from)
		for i := range n {
			a, b := pair(from + i)
			nodes[i] = a
			some[2*i].from, some[2*i].to = f.span(a)
			some[2*i+1].from, some[2*i+1].to = f.span(b)
		}
		for _, s := range some[:2*n] {
			sum += touch(f.bags.list.Slice(s.from, s.to))
		}
		set := false // whether the scorer has the first node of the previous pair
		for i := range n {
			a, b := some[2*i], some[2*i+1]
			again := i > 0 && nodes[i] == nodes[i-1]
			if !again {
				first = f.bags.at(a.from, a.to, first)
			}
			second = f.bags.at(b.from, b.to, second)
			if !(set && again) {
				if set = i+1 < n && nodes[i] == nodes[i+1]; set {
					scorer.Reset(first)
				}
			}
			if set {
				similarity[from+i] = scorer.Similarity(second)
			} else {
				similarity[from+i] = bags.Similarity(first, second)
			}
		}
	}
	runtime.KeepAlive(sum)
}

// touch reads a part of each cache line of a bag.
func touch(bag []byte) (sum byte) {
	for i := 0; i < len(bag); i += 64 {
		sum += bag[i]
	}
	return sum
}

package resemble

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/shingles"
)

// Exact is brute force. It compares every pair of representatives with a shingle in common
// over the full sets, without sketches, by an inverted index in memory (16 bytes a shingle, and time for every shared
// shingle). It emits the pairs that Pairs should, in the same order. Of c, only Floor and Containment matter. Sample is
// zero.
//
// Pairs of different hosts are compared without the boilerplate of both, as Compare does.
func Exact(ctx context.Context, docs Documents, equal *Equal, strip *Boilerplate, c Config, emit func([]Pair) error) error {
	c, err := c.withDefaults()
	if err != nil {
		return err
	}
	if err := checkSame(docs, equal); err != nil {
		return err
	}
	x := newIndex(docs, equal, strip)
	for a := range uint32(docs.Len()) {
		if err := ctx.Err(); err != nil {
			return err
		}
		var pairs []Pair
		for _, b := range x.near(a) {
			p := Pair{A: a, B: b, Exact: x.compare(a, b)}
			if p.Resemblance() >= c.Floor || p.Containment() >= c.Containment {
				pairs = append(pairs, p)
			}
		}
		if len(pairs) == 0 {
			continue
		}
		if err := emit(pairs); err != nil {
			return err
		}
	}
	return nil
}

// index holds, for every value that at least two documents have, those documents.
type index struct {
	comparer
	size   []int      // shingles of each document, boilerplate left out
	lists  [][]uint32 // of documents, ascending, one for each value
	values [][]int32  // the lists that each document is in
	shared []uint32   // values that a has in common with each b > a
	found  []uint32   // those b
}

func newIndex(docs Documents, equal *Equal, strip *Boilerplate) *index {
	n := docs.Len()
	x := &index{comparer: comparer{docs: docs, strip: strip}, size: make([]int, n), values: make([][]int32, n), shared: make([]uint32, n)}
	type entry struct {
		value uint64
		id    uint32
	}
	var all []entry
	for id := range uint32(n) {
		if equal.Relation(id) != Alone {
			continue
		}
		own, _ := x.own(&x.a, docs.AppendValues(nil, id), docs.Host(id))
		x.size[id] = len(own)
		for _, v := range own {
			all = append(all, entry{v, id})
		}
	}
	slices.SortFunc(all, func(e, f entry) int { return cmp.Or(cmp.Compare(e.value, f.value), cmp.Compare(e.id, f.id)) })
	for len(all) > 0 {
		end := 1
		for end < len(all) && all[end].value == all[0].value {
			end++
		}
		if end > 1 {
			var list []uint32
			for _, e := range all[:end] {
				list = append(list, e.id)
				x.values[e.id] = append(x.values[e.id], int32(len(x.lists)))
			}
			x.lists = append(x.lists, list)
		}
		all = all[end:]
	}
	return x
}

// near counts the values that a shares with every b > a, and returns the b that share any, in ascending order.
func (x *index) near(a uint32) []uint32 {
	for _, b := range x.found {
		x.shared[b] = 0
	}
	x.found = x.found[:0]
	for _, v := range x.values[a] {
		list := x.lists[v]
		after, _ := slices.BinarySearch(list, a+1)
		for _, b := range list[after:] {
			if x.shared[b] == 0 {
				x.found = append(x.found, b)
			}
			x.shared[b]++
		}
	}
	slices.Sort(x.found)
	return x.found
}

// compare is Compare. It takes the counts where the boilerplate of another host does not matter.
func (x *index) compare(a, b uint32) shingles.Overlap {
	h, i := x.docs.Host(a), x.docs.Host(b)
	if h != i && (x.strip.Of(h) != nil || x.strip.Of(i) != nil) {
		return overlap(x.pair(a, b))
	}
	return shingles.Overlap{A: x.size[a], B: x.size[b], Both: int(x.shared[b])}
}

package query

import (
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/expand"
)

// searcher expands stored lists. It reuses its memory and is for one goroutine.
type searcher struct {
	run    *Run
	search expand.Search
	known  []expand.Neighbour
	ids    []uint32
}

// searcher returns a searcher. The caller must return it with r.searchers.Put.
func (r *Run) searcher() *searcher {
	if s, ok := r.searchers.Get().(*searcher); ok {
		return s
	}
	s := &searcher{run: r}
	s.search = expand.Search{Graph: &nearest{pairs: r.pairs}, Bags: s.bags}
	return s
}

// bags appends the bags of some nodes to dst; see [tables.Bags.Append].
func (s *searcher) bags(dst []bags.Bag, nodes []uint32) []bags.Bag {
	s.ids = s.ids[:0]
	for _, n := range nodes {
		s.ids = append(s.ids, s.run.nodes.First(n))
	}
	return s.run.bags.Append(dst, s.ids)
}

// near returns the stored neighbours of a node, nearest first. Unless stored is set, it adds their neighbours that
// are similar to the node. The result is valid until the next call.
func (s *searcher) near(node uint32, stored bool) []expand.Neighbour {
	s.known = s.known[:0]
	for _, e := range s.run.pairs.Neighbours(node) {
		s.known = append(s.known, expand.Neighbour{Node: e.To, Similarity: e.Similarity})
	}
	if stored {
		slices.SortFunc(s.known, expand.Nearer)
		return s.known
	}
	return s.search.From(node, s.run.bag(node), s.known, lookupWidth)
}

// nearest selects the nearest of the stored neighbours of a node.
type nearest struct {
	pairs *tables.Pairs
	keys  []uint64
}

// Nearest implements expand.Graph. If a node has more than width neighbours, their order is arbitrary.
func (g *nearest) Nearest(dst []uint32, node uint32, width int) []uint32 {
	edges := g.pairs.Neighbours(node)
	if len(edges) <= width {
		for _, e := range edges {
			dst = append(dst, e.To)
		}
		return dst
	}
	g.keys = g.keys[:0]
	for _, e := range edges {
		g.keys = append(g.keys, expand.Key(e.To, e.Similarity))
	}
	lowest(g.keys, width)
	for _, k := range g.keys[:width] {
		dst = append(dst, uint32(k))
	}
	return dst
}

// lowest moves the n lowest of distinct keys to the front, in any order (Hoare's quickselect).
func lowest(keys []uint64, n int) {
	for n > 0 && n < len(keys) {
		a, b, c := keys[0], keys[len(keys)/2], keys[len(keys)-1]
		pivot := max(min(a, b), min(max(a, b), c)) // median of three
		i, j := -1, len(keys)
		for {
			for i++; keys[i] < pivot; i++ {
			}
			for j--; keys[j] > pivot; j-- {
			}
			if i >= j {
				break
			}
			keys[i], keys[j] = keys[j], keys[i]
		}
		// All of keys[:j+1] are at most pivot, the others at least.
		if n <= j+1 && j+1 < len(keys) {
			keys = keys[:j+1]
		} else {
			keys, n = keys[j+1:], n-j-1
		}
	}
}

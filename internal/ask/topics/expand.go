package topics

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/topic/expand"
)

// searcher expands stored lists. It reuses its memory and is for one goroutine.
type searcher struct {
	run    *runs.Run
	search expand.Search
	known  []expand.Neighbour
	stored []expand.Met
	ids    []uint32
}

// searchers returns the searchers that are not in use.
func searchers(r *runs.Run) *pool { return runs.Memo(r, func(*runs.Run) *pool { return new(pool) }) }

type pool struct{ sync.Pool }

// newSearcher returns a searcher. The caller must give it back to the pool of [searchers].
func newSearcher(r *runs.Run) *searcher {
	if s, ok := searchers(r).Get().(*searcher); ok {
		return s
	}
	s := &searcher{run: r}
	s.search = expand.Search{Lists: &storedLists{run: r}, Bags: s.bags}
	return s
}

// bags appends the bags of some nodes to dst; see [tables.Bags.Append].
func (s *searcher) bags(dst []bags.Bag, nodes []uint32) []bags.Bag {
	s.ids = s.ids[:0]
	for _, n := range nodes {
		s.ids = append(s.ids, s.run.Nodes.First(n))
	}
	return s.run.Bags.Append(dst, s.ids)
}

// near returns the stored neighbours of a node, the greatest by first. Unless stored is set, it adds their neighbours and
// some more nodes if they are similar to the node, and says how alike the neighbours of both are. The result is valid until
// the next call.
func (s *searcher) near(node uint32, stored bool, by func(*expand.Met) float32, more ...uint32) []expand.Met {
	s.known = s.search.Lists.Of(s.known[:0], node)
	if !stored {
		return s.search.From(node, bagOf(s.run, node), s.known, by, more...)
	}
	slices.SortFunc(s.known, expand.Nearer)
	s.stored = s.stored[:0]
	for _, n := range s.known {
		s.stored = append(s.stored, expand.Met{Neighbour: n})
	}
	return s.stored
}

// storedLists provides the stored neighbours of nodes. It implements expand.Lists.
type storedLists struct {
	run  *runs.Run
	list []expand.Neighbour
}

func (l *storedLists) Of(dst []expand.Neighbour, node uint32) []expand.Neighbour {
	for _, e := range l.run.Pairs.Neighbours(node) {
		dst = append(dst, expand.Neighbour{Node: e.To, Similarity: e.Similarity})
	}
	return dst
}

// Reach keeps what it has computed, for all questions.
func (l *storedLists) Reach(node uint32) expand.Reach {
	all := runs.Memo(l.run, func(r *runs.Run) *reaches {
		return &reaches{make([]atomic.Uint64, r.Nodes.Len()), make([]atomic.Uint32, r.Nodes.Len())}
	})
	last, length := &all.last[node], &all.length[node]
	if known := length.Load(); known != 0 {
		return expand.Reach{Last: last.Load(), Length: math.Float32frombits(known)}
	}
	l.list = l.Of(l.list[:0], node)
	r := expand.ReachOf(l.list, lookupWidth)
	last.Store(r.Last)
	length.Store(math.Float32bits(r.Length))
	return r
}

// reaches holds the reach of each node whose length is not 0.
type reaches struct {
	last   []atomic.Uint64
	length []atomic.Uint32 // as a float32
}

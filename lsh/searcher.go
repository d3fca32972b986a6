package lsh

import (
	"context"
	"fmt"
)

// Keys are the keys of an index from From up to, but not including, To.
type Keys struct{ From, To int }

// Searcher searches parts of the keys of an index. It keeps its memory from one part to the next. It is for one
// goroutine.
type Searcher struct{ search *search }

// Searcher returns a Searcher. large has what LargeBuckets finds for each key of the index. It may be a mapped file,
// which must stay open as long as the Searcher is used.
func (x *Index) Searcher(sigs Signatures, c Config, large [][]uint64) (*Searcher, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	if len(large) != x.L {
		return nil, fmt.Errorf("lsh: the large buckets of %d keys for an index of %d", len(large), x.L)
	}
	s := newSearch(x, sigs, c, nil, nil)
	s.known = true
	for key, rows := range large {
		s.buckets.add(key, rows)
	}
	return &Searcher{s}, nil
}

// Pairs emits the pairs that Index.Pairs forms at some of the keys, and counts what Index.Pairs counts there. So the
// calls for all parts of the keys, in any order and by several processes, together emit what Index.Pairs emits, and
// their counts add up to those of Index.Pairs, except that Rows is the same for all and LargestBucket is the maximum.
func (r *Searcher) Pairs(ctx context.Context, keys Keys, emit func(worker int, p []Pair) error, progress func(done, total int)) (Stats, error) {
	s := r.search
	if keys.From < 0 || keys.From > keys.To || keys.To > s.x.L {
		return Stats{}, fmt.Errorf("lsh: keys from %d to %d of %d", keys.From, keys.To, s.x.L)
	}
	if s.sigs.Len() == 0 {
		return Stats{}, nil
	}
	s.emit, s.progress, s.done = emit, progress, 0
	s.keys, s.plan = keys, newPlan(s.sigs.Len(), s.x.M, s.x.L, keys.To-keys.From, s.c)
	s.stats = Stats{Rows: uint64(s.sigs.Len()), Keys: uint64(s.sigs.Len()) * uint64(keys.To-keys.From)}
	err := s.all(ctx)
	return s.stats, err
}

package lsh

import (
	"context"
	"fmt"
)

// Keys are the keys of an index from From up to, but not including, To.
type Keys struct{ From, To int }

// Searcher searches parts of the keys of an index. It keeps its memory from one part to the next. It is not safe for
// concurrent use.
type Searcher struct{ search *search }

// Searcher returns a Searcher. places holds the places of all rows in blocks, all but the last of the given number of
// rows. Mapped files must stay open as long as the Searcher is used.
func (x *Index) Searcher(sigs Signatures, c Config, rows int, places []Places) (*Searcher, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	table, err := newPlaceTable(x, sigs.Len(), rows, places)
	if err != nil {
		return nil, err
	}
	return &Searcher{newSearch(x, sigs, c, table)}, nil
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
	s.emit, s.progress = emit, progress
	err := s.all(ctx, keys)
	return s.stats, err
}

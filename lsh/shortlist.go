package lsh

import (
	"context"
	"iter"

	"github.com/lshclust/lshclust/internal/parallel"
)

// ShortlistFactor is how many times as many pairs of a row are compared exactly as are stored. On the targets of the
// directory set (80 signatures, 50 stored) 3 keep .949 of the true 50 nearest and .994 of the nearest 10, where 1 keeps
// .720 and .966, and 6 .992 and .999.
const ShortlistFactor = 3

// ShortlistConfig bounds a [Shortlist].
type ShortlistConfig struct {
	Rows   int
	M      int   // signatures of a row
	Most   int   // pairs of a row on the list, ties with the last of them apart
	Memory int64 // bytes for counts while the list is made
}

// Shortlist selects the pairs emitted by [Index.Pairs] that are worth an exact comparison, if only the nearest
// neighbours of a row are wanted. Agreement costs nothing, since the filter has counted it; the exact similarity of a
// pair costs a visit to two bags anywhere in memory.
//
// A pair is on the list if fewer than Most pairs of at least one of its rows agree better. All pairs that agree as much
// as the last one are on the list, so that the order in which pairs come does not matter.
type Shortlist struct {
	least []uint8 // agreement of the last pair on the list of each row
}

// NewShortlist makes the list from all pairs, which it reads once or, if Memory is too small for the counts of all
// rows, several times. It uses a goroutine for each part; each part is read by several of them at once. The slices that
// a part yields need to be valid until the next ones only.
func NewShortlist(ctx context.Context, c ShortlistConfig, parts ...iter.Seq2[[]Pair, error]) (*Shortlist, error) {
	s := &Shortlist{least: make([]uint8, c.Rows)}
	if c.Rows == 0 || len(parts) == 0 {
		return s, nil
	}
	workers := len(parts)
	rows := int(c.Memory / int64(2*(c.M+1)*workers))     // whose counts a worker has memory for
	rows = max(1, min(rows, (c.Rows+workers-1)/workers)) // a range of rows for each worker at least
	ranges := (c.Rows + rows - 1) / rows
	return s, parallel.Each(ctx, ranges, workers, func(_, i int) error {
		return s.count(uint32(i*rows), uint32(min((i+1)*rows, c.Rows)), c, parts)
	})
}

// Has reports whether a pair is on the list.
func (s *Shortlist) Has(p Pair) bool {
	return p.Agreement >= s.least[p.A] || p.Agreement >= s.least[p.B]
}

// count finds the agreement of the last pair on the list for the rows from…to-1. A count stops at the greatest number
// that it can hold, which is greater than Most.
func (s *Shortlist) count(from, to uint32, c ShortlistConfig, parts []iter.Seq2[[]Pair, error]) error {
	levels := c.M + 1 // of agreement
	counts := make([]uint16, int(to-from)*levels)
	up := func(row uint32, agreement uint8) {
		if c := &counts[int(row-from)*levels+int(agreement)]; *c < 1<<16-1 {
			*c++
		}
	}
	for _, part := range parts {
		for pairs, err := range part {
			if err != nil {
				return err
			}
			for _, p := range pairs {
				if p.A >= from && p.A < to {
					up(p.A, p.Agreement)
				}
				if p.B >= from && p.B < to {
					up(p.B, p.Agreement)
				}
			}
		}
	}
	for row := from; row < to; row++ {
		of := counts[int(row-from)*levels:][:levels]
		n := 0
		for level := c.M; level > 0 && n < c.Most; level-- {
			n += int(of[level])
			s.least[row] = uint8(level)
		}
		if n < c.Most {
			s.least[row] = 0
		}
	}
	return nil
}

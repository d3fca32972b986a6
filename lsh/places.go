package lsh

import (
	"context"
	"fmt"
	"math/bits"
	"sort"

	"github.com/lshclust/lshclust/internal/huge"
)

// Places says at which keys some consecutive rows are in large buckets, and at which places there, so that a later key
// can find out whether two rows were paired at an earlier one. In a small bucket they always were; in a large one, if
// one of them is the first row of the bucket or the other is within its reach. The data of a row is together, since it
// is read together and is in no cache. If no row is in a large bucket, Heads may be empty. The slices may be mapped
// files.
type Places struct {
	Heads []uint64 // per row: (L+63)/64 words with a bit for each key at which it is in a large bucket, then the index of its first place
	Place []uint32 // the places of each row, by key
}

// headWords returns the number of words of a head.
func headWords(keys int) int { return (keys+63)/64 + 1 }

// EachPlaces calls emit with the head and the places of each of the rows [from, to), as Places holds them. large is
// what LargeBuckets emits for each key of the index. The slices are valid until emit returns.
func (x *Index) EachPlaces(large [][]uint64, from, to int, emit func(head []uint64, places []uint32)) error {
	if len(large) != x.L {
		return fmt.Errorf("lsh: the large buckets of %d keys for an index of %d", len(large), x.L)
	}
	rest := make([][]uint64, x.L)
	for key, rows := range large {
		rest[key] = rows[sort.Search(len(rows), func(i int) bool { return rows[i]>>32 >= uint64(from) }):]
	}
	head, places, first := make([]uint64, headWords(x.L)), make([]uint32, 0, x.L), uint64(0)
	for row := from; row < to; row++ {
		clear(head)
		places = places[:0]
		for key, rows := range rest {
			if len(rows) > 0 && rows[0]>>32 == uint64(row) {
				head[key>>6] |= 1 << (key & 63)
				places = append(places, uint32(rows[0]))
				rest[key] = rows[1:]
			}
		}
		head[len(head)-1] = first
		first += uint64(len(places))
		emit(head, places)
	}
	return nil
}

// places finds the places of all rows. It makes all keys twice, so that it need not hold what LargeBuckets emits.
func (x *Index) places(ctx context.Context, sigs Signatures, c Config) (p Places, err error) {
	all, words := Keys{0, x.L}, headWords(x.L)
	err = x.LargeBuckets(ctx, sigs, c, all, func(key int, rows []uint64) error {
		if p.Heads == nil && len(rows) > 0 {
			p.Heads = huge.Words(sigs.Len() * words)
		}
		for _, r := range rows {
			head := p.Heads[int(r>>32)*words:][:words]
			head[key>>6] |= 1 << (key & 63)
			head[words-1]++
		}
		return nil
	})
	if err != nil || p.Heads == nil {
		return p, err
	}
	first := uint64(0)
	for at := words - 1; at < len(p.Heads); at += words {
		p.Heads[at], first = first, first+p.Heads[at]
	}
	p.Place = make([]uint32, first)
	return p, x.LargeBuckets(ctx, sigs, c, all, func(key int, rows []uint64) error {
		for _, r := range rows {
			head := p.Heads[int(r>>32)*words:][:words]
			p.Place[int(head[words-1])+rank(head, key)] = uint32(r)
		}
		return nil
	})
}

// rank returns how many keys of a set come before a key.
func rank(set []uint64, key int) (n int) {
	for _, w := range set[:key>>6] {
		n += bits.OnesCount64(w)
	}
	return n + bits.OnesCount64(set[key>>6]&(1<<(key&63)-1))
}

// placeTable holds the places of all rows.
type placeTable struct {
	blocks []Places
	rows   uint32 // of each block but the last
	words  int    // of a head
}

// newPlaceTable returns a table of blocks, all but the last of the given number of rows. If there are no rows, there
// may be an empty block.
func newPlaceTable(x *Index, total, rows int, blocks []Places) (t placeTable, err error) {
	t = placeTable{blocks: blocks, rows: uint32(rows), words: headWords(x.L)}
	if rows < 1 || (total+rows-1)/rows != len(blocks) && (total > 0 || len(blocks) > 1) {
		return t, fmt.Errorf("lsh: %d blocks of places of %d rows each for %d rows", len(blocks), rows, total)
	}
	for i, b := range blocks {
		if want := min(rows, total-i*rows) * t.words; len(b.Heads) != 0 && len(b.Heads) != want {
			return t, fmt.Errorf("lsh: heads of %d words in block %d of places, want %d", len(b.Heads), i, want)
		}
	}
	return t, nil
}

// large reports whether any row may be in a large bucket.
func (t *placeTable) large() bool {
	for i := range t.blocks {
		if len(t.blocks[i].Heads) > 0 {
			return true
		}
	}
	return false
}

// head returns the head of a row and the places of its block. The head is nil if no row of the block is in a large
// bucket.
func (t *placeTable) head(row uint32) (head []uint64, places []uint32) {
	b := &t.blocks[row/t.rows]
	if len(b.Heads) == 0 {
		return nil, nil
	}
	return b.Heads[int(row%t.rows)*t.words:][:t.words], b.Place
}

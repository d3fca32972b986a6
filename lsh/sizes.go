package lsh

import (
	"context"

	"github.com/lshclust/lshclust/internal/parallel"
)

// BucketSizes returns, for each key, the number of rows in the bucket of each of the given rows, that row included. It
// makes the keys of all rows in one pass over the signatures. Like Pairs, it also counts rows whose keys only look
// equal (rowBits). A bucket of more than c.MaxBucket rows has size c.MaxBucket+1. BucketSizes ignores all other fields
// of c except Workers.
func (x *Index) BucketSizes(ctx context.Context, sigs Signatures, c Config, rows []uint32) ([][]int, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	sizes := make([][]int, x.L)
	groups := (x.L + maxColumns - 1) / maxColumns // each worker takes one group of keys after another
	return sizes, parallel.Each(ctx, groups, c.Workers, func(_, g int) error {
		var keys []int
		var columns []wanted
		for j := g * maxColumns; j < min((g+1)*maxColumns, x.L); j++ {
			keys, columns = append(keys, j), append(columns, x.wanted(j, sigs, rows))
		}
		for lo := 0; lo < sigs.Len(); lo += rangeRows {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			x.eachBlock(sigs, keys, lo, min(lo+rangeRows, sigs.Len()), func(i, _ int, keys []uint64) {
				columns[i].count(keys, rowBits(sigs.Len()), c.MaxBucket+1)
			})
		}
		for i, j := range keys {
			sizes[j] = make([]int, len(rows))
			for at, key := range columns[i].of {
				sizes[j][at] = columns[i].buckets[key]
			}
		}
		return nil
	})
}

// wanted holds one key of each of the given rows, and how many rows have the same key.
type wanted struct {
	may     [1 << 8]uint64 // a bit for the top 14 bits of each key; nearly all rows have none of these bits
	buckets map[uint64]int // number of rows by key without the unsorted bits
	of      []uint64       // key of each given row
}

func (x *Index) wanted(j int, sigs Signatures, rows []uint32) wanted {
	w := wanted{buckets: map[uint64]int{}, of: make([]uint64, len(rows))}
	for i, r := range rows {
		key := x.Key(j, sigs.Row(int(r)))
		w.may[key>>56] |= 1 << (key >> 50 & 63)
		w.of[i] = key >> rowBits(sigs.Len())
		w.buckets[w.of[i]] = 0
	}
	return w
}

// count counts the rows with these keys, up to most in a bucket.
func (w *wanted) count(keys []uint64, rowBits, most int) {
	for _, key := range keys {
		if w.may[key>>56]>>(key>>50&63)&1 == 0 {
			continue
		}
		if n, ok := w.buckets[key>>rowBits]; ok && n < most {
			w.buckets[key>>rowBits] = n + 1
		}
	}
}

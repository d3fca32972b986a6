package lsh

import "context"

// BucketSizes returns, for each key, the number of rows in the bucket of each of the given rows, that row included. It
// makes the keys of all rows in one pass over the signatures. Like Pairs, it also counts rows whose keys only look
// equal (rowBits). A bucket of more than c.MaxBucket rows has size c.MaxBucket+1. BucketSizes ignores all other fields
// of c except Workers.
func (x *Index) BucketSizes(ctx context.Context, sigs Signatures, c Config, rows []uint32) ([][]int, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	m := meeting{x: x, sigs: sigs, c: c, rows: rows, most: c.MaxBucket + 1, rowBits: rowBits(sigs.Len())}
	sizes := make([][]int, x.L)
	m.found = func(j int, w *wanted) {
		sizes[j] = make([]int, len(rows))
		for i, key := range w.of {
			sizes[j][i] = len(w.buckets[key])
		}
	}
	return sizes, m.all(ctx)
}

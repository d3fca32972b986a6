package lsh

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/lshclust/lshclust/internal/parallel"
)

// Keys are the keys of an index from From up to, but not including, To.
type Keys struct{ From, To int }

// PairsOf emits the pairs that Pairs forms at some of the keys, and counts what Pairs counts there. So the calls for all
// parts of the keys, in any order and by several processes, together emit what Pairs emits, and their counts add up to
// those of Pairs, except that Rows is the same for all and LargestBucket is the maximum. large has what LargeBuckets
// returns for the keys before keys.From.
func (x *Index) PairsOf(ctx context.Context, sigs Signatures, c Config, keys Keys, large [][]uint64, emit func(worker int, p []Pair) error, progress func(done, total int)) (Stats, error) {
	c, err := x.check(sigs, c)
	if err != nil || sigs.Len() == 0 {
		return Stats{}, err
	}
	if keys.From < 0 || keys.From > keys.To || keys.To > x.L || len(large) != keys.From {
		return Stats{}, fmt.Errorf("lsh: keys from %d to %d of %d, with the large buckets of %d", keys.From, keys.To, x.L, len(large))
	}
	s := newSearch(x, sigs, c, emit, progress)
	s.keys, s.plan = keys, newPlan(sigs.Len(), x.M, keys.To-keys.From, c)
	s.stats.Keys = s.stats.Rows * uint64(keys.To-keys.From)
	for key, rows := range large {
		s.large[key] = newLargeBuckets(sigs.Len(), rows)
	}
	err = s.all(ctx)
	return s.stats, err
}

// LargeBuckets returns, for each of the keys, the rows in buckets of more than c.MaxBucket rows, with their places in
// these buckets: numbers of row<<32 | place. Pairs that meet at a later key were not all formed there. LargeBuckets takes
// a small part of the time of Pairs, because it counts keys instead of sorting them. It ignores c.Floor and c.Reach.
func (x *Index) LargeBuckets(ctx context.Context, sigs Signatures, c Config, keys Keys) ([][]uint64, error) {
	c, err := x.check(sigs, c)
	if err != nil {
		return nil, err
	}
	out := make([][]uint64, keys.To-keys.From)
	rows := sigs.Len()
	if rows <= c.MaxBucket {
		return out, nil
	}
	f := counting{x: x, sigs: sigs, most: c.MaxBucket, rowBits: rowBits(rows)}
	f.bits = min(max(bits.Len(uint(countedBins*rows/c.MaxBucket)), 8), 20, 64-f.rowBits)
	workers := int(max(1, min(int64(c.Workers), c.Memory/(int64(rows)*2*recordSize))))
	groups := (len(out) + countedKeys - 1) / countedKeys
	err = parallel.Each(ctx, groups, workers, func(_, g int) error {
		from := g * countedKeys
		to := min(from+countedKeys, len(out))
		return f.group(ctx, keys.From+from, out[from:to])
	})
	return out, err
}

const (
	countedBins = 16 // bins for each large bucket that there may be
	countedKeys = 8  // keys that are counted at a time
)

// counting finds large buckets. It counts the rows by the top bits of their keys, and sorts only the rows whose count is
// so large that they may be in a large bucket.
type counting struct {
	x             *Index
	sigs          Signatures
	most          int // rows of a bucket that is not large
	rowBits, bits int
}

// group finds the rows in large buckets of some keys.
func (f *counting) group(ctx context.Context, first int, out [][]uint64) error {
	bins := make([][]uint32, len(out))
	for i := range bins {
		bins[i] = make([]uint32, 1<<f.bits)
	}
	shift := 64 - f.bits
	err := f.eachBlock(ctx, first, len(out), func(i, _ int, keys []uint64) {
		count := bins[i]
		for _, key := range keys {
			count[key>>shift]++
		}
	})
	for i := range out {
		if err == nil {
			out[i], err = f.large(ctx, first+i, bins[i])
		}
	}
	return err
}

// large returns the rows in large buckets of a key. All of these rows are in bins of large counts.
func (f *counting) large(ctx context.Context, key int, bins []uint32) (out []uint64, err error) {
	total := 0
	for _, n := range bins {
		if int(n) > f.most {
			total += int(n)
		}
	}
	if total == 0 {
		return nil, nil
	}
	records, rowMask, shift := make([]uint64, 0, total), uint64(1)<<f.rowBits-1, 64-f.bits
	err = f.eachBlock(ctx, key, 1, func(_, at int, keys []uint64) {
		for r, key := range keys {
			if int(bins[key>>shift]) > f.most {
				records = append(records, key&^rowMask|uint64(at+r))
			}
		}
	})
	eachBucket(sortRecords(records, make([]uint64, len(records)), 0), f.rowBits, func(bucket []uint64) {
		if len(bucket) <= f.most {
			return
		}
		for place, r := range bucket {
			out = append(out, r&rowMask<<32|uint64(place))
		}
	})
	return out, err
}

// eachBlock calls put with the keys of the rows at, at+1, … for the i-th of n keys from first on, for all rows.
func (f *counting) eachBlock(ctx context.Context, first, n int, put func(i, at int, keys []uint64)) error {
	var u unpacked
	var keys [blockRows]uint64
	for lo := 0; lo < f.sigs.Len(); lo += blockRows {
		if lo%rangeRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		hi := min(lo+blockRows, f.sigs.Len())
		u.unpack(f.sigs, lo, hi)
		for i := range n {
			u.keys(&keys, f.x.Subsets[first+i])
			put(i, lo, keys[:hi-lo])
		}
	}
	return nil
}

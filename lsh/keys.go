package lsh

import (
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/minhash"
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
		s.buckets.add(key, rows)
	}
	err = s.all(ctx)
	return s.stats, err
}

// LargeBuckets returns, for each of the keys, the rows in buckets of more than c.MaxBucket rows, with their places in
// these buckets: numbers of row<<32 | place, in order. Pairs that meet at a later key were not all formed there. LargeBuckets takes
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
	size := min((len(out)+workers-1)/workers, max(1, mostBins>>f.bits), maxColumns)
	err = parallel.Each(ctx, (len(out)+size-1)/size, workers, func(_, g int) error {
		from := g * size
		to := min(from+size, len(out))
		return f.group(ctx, keys.From+from, out[from:to])
	})
	return out, err
}

const (
	countedBins = 16      // bins for each large bucket that there may be
	mostBins    = 1 << 19 // that are counted at a time, so that they stay in the second-level cache
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
	bins, all := make([][]uint32, len(out)), make([]int, len(out))
	for i := range out {
		bins[i], all[i] = make([]uint32, 1<<f.bits), first+i
	}
	shift := 64 - f.bits
	err := f.eachBlock(ctx, all, func(i, _ int, keys []uint64) {
		count := bins[i]
		for _, key := range keys {
			count[key>>shift]++
		}
	})
	if err != nil {
		return err
	}
	return f.large(ctx, first, bins, out)
}

// large collects the rows in bins of large counts, which have all rows of large buckets.
func (f *counting) large(ctx context.Context, first int, bins [][]uint32, out [][]uint64) error {
	var keys, of []int
	var records [][]uint64
	for i := range bins {
		if total := f.inLarge(bins[i]); total > 0 {
			keys, of, records = append(keys, first+i), append(of, i), append(records, make([]uint64, 0, total))
		}
	}
	if len(keys) == 0 {
		return nil
	}
	rowMask, shift := uint64(1)<<f.rowBits-1, 64-f.bits
	err := f.eachBlock(ctx, keys, func(i, at int, keys []uint64) {
		count := bins[of[i]]
		for r, key := range keys {
			if int(count[key>>shift]) > f.most {
				records[i] = append(records[i], key&^rowMask|uint64(at+r))
			}
		}
	})
	for i, r := range records {
		out[of[i]] = f.places(r)
	}
	return err
}

// inLarge returns the number of rows in bins of large counts.
func (f *counting) inLarge(bins []uint32) (total int) {
	for _, n := range bins {
		if int(n) > f.most {
			total += int(n)
		}
	}
	return total
}

// places returns the rows in large buckets among some records, with their places.
func (f *counting) places(records []uint64) (out []uint64) {
	rowMask := uint64(1)<<f.rowBits - 1
	eachBucket(sortRecords(records, make([]uint64, len(records)), 0), f.rowBits, func(bucket []uint64) {
		if len(bucket) <= f.most {
			return
		}
		for place, r := range bucket {
			out = append(out, r&rowMask<<32|uint64(place))
		}
	})
	slices.Sort(out)
	return out
}

// eachBlock calls put with the keys of the rows at, at+1, … for the i-th of some keys, for all rows. It unpacks only the
// signatures of these keys.
func (f *counting) eachBlock(ctx context.Context, some []int, put func(i, at int, keys []uint64)) error {
	var u unpacked
	var keys [blockRows]uint64
	var mask minhash.Bits
	for _, key := range some {
		for i, w := range f.x.masks[key] {
			mask[i] |= w
		}
	}
	var needed []int
	for i := range f.x.M {
		if mask.Has(i) {
			needed = append(needed, i)
		}
	}
	for lo := 0; lo < f.sigs.Len(); lo += blockRows {
		if lo%rangeRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		hi := min(lo+blockRows, f.sigs.Len())
		for r := lo; r < hi; r++ {
			row := f.sigs.Row(r)
			for _, i := range needed {
				u[i][r-lo] = signature(row, f.sigs.M, i)
			}
		}
		for i, key := range some {
			u.keys(&keys, f.x.Subsets[key])
			put(i, lo, keys[:hi-lo])
		}
	}
	return nil
}

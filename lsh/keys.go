package lsh

import (
	"context"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/minhash"
)

// LargeBuckets calls emit, for each of the keys in turn, with the rows in buckets of more than c.MaxBucket rows and
// their places in these buckets: numbers of row<<32 | place, in order. Later keys need them, because not all pairs of a
// large bucket are formed. LargeBuckets takes a small part of the time of Pairs, because it counts keys instead of
// sorting them. It ignores c.Floor and c.Reach. It keeps to c.Memory, except that it needs 16 bytes for each row in a
// large bucket of one key. The slice is valid until emit returns.
func (x *Index) LargeBuckets(ctx context.Context, sigs Signatures, c Config, keys Keys, emit func(key int, rows []uint64) error) error {
	c, err := x.check(sigs, c)
	if err != nil {
		return err
	}
	rows := sigs.Len()
	f := counting{x: x, sigs: sigs, workers: c.Workers, most: c.MaxBucket, rowBits: rowBits(rows)}
	f.bits = min(max(bits.Len(uint(countedBins*rows/c.MaxBucket)), 8), 20, 64-f.rowBits)
	f.held = int(max(1, c.Memory/(4*recordSize)))
	size := min(int(max(1, c.Memory/2/int64(c.Workers)/(4<<f.bits))), maxColumns)
	for from := keys.From; from < keys.To; from += size {
		var group []int
		for key := from; key < min(from+size, keys.To); key++ {
			group = append(group, key)
		}
		if err := f.group(ctx, group, emit); err != nil {
			return err
		}
	}
	return nil
}

// countedBins is the number of bins for each possible large bucket. The bins of a group of keys stay in the
// second-level cache, or nearly, and few bins other than those of large buckets have as many rows as a large bucket.
const countedBins = 3

// counting finds large buckets. It counts the rows by the top bits of their keys, and sorts only rows whose count is so
// large that they may be in a large bucket.
type counting struct {
	x             *Index
	sigs          Signatures
	workers       int
	most          int // rows of a bucket that is not large
	held          int // rows in large bins that may be held at a time
	rowBits, bits int
}

// group finds the rows in large buckets of some keys. It makes all keys in one pass over the signatures, which takes
// longer than counting them.
func (f *counting) group(ctx context.Context, keys []int, emit func(key int, rows []uint64) error) error {
	if f.sigs.Len() <= f.most { // no bucket is large
		for _, key := range keys {
			if err := emit(key, nil); err != nil {
				return err
			}
		}
		return nil
	}
	bins, err := f.count(ctx, keys)
	if err != nil {
		return err
	}
	for len(keys) > 0 {
		n, total := 0, 0
		for n < len(keys) && (n == 0 || total+f.inLarge(bins[n].all, bins[n].all) <= f.held) {
			total += f.inLarge(bins[n].all, bins[n].all)
			n++
		}
		records, err := f.large(ctx, keys[:n], bins[:n])
		if err != nil {
			return err
		}
		for i, r := range records {
			if err := emit(keys[i], f.places(r)); err != nil {
				return err
			}
			records[i] = nil
		}
		keys, bins = keys[n:], bins[n:]
	}
	return nil
}

// keyBins counts the rows of a key by the top bits, over all shares and in each share of the rows.
type keyBins struct {
	all    []uint32
	shares [][]uint32
}

// count counts the rows of some keys.
func (f *counting) count(ctx context.Context, keys []int) ([]keyBins, error) {
	bins := make([]keyBins, len(keys))
	for i := range bins {
		bins[i] = keyBins{make([]uint32, 1<<f.bits), make([][]uint32, f.workers)}
		for share := range bins[i].shares {
			bins[i].shares[share] = make([]uint32, 1<<f.bits)
		}
	}
	shift := 64 - f.bits
	err := f.eachShare(ctx, keys, func(share int) func(i, at int, keys []uint64) {
		return func(i, _ int, keys []uint64) {
			count := bins[i].shares[share]
			for _, key := range keys {
				count[key>>shift]++
			}
		}
	})
	for i := range bins {
		for _, share := range bins[i].shares {
			for bin, n := range share {
				bins[i].all[bin] += n
			}
		}
	}
	return bins, err
}

// large collects the rows in bins of large counts, which include all rows of large buckets, as records in row order.
func (f *counting) large(ctx context.Context, keys []int, bins []keyBins) ([][]uint64, error) {
	out := make([][]uint64, len(keys))
	var some, searched []int // the numbers of the keys with large bins among keys, and these keys
	for i, key := range keys {
		if n := f.inLarge(bins[i].all, bins[i].all); n > 0 {
			out[i] = make([]uint64, n)
			some, searched = append(some, i), append(searched, key)
		}
	}
	rowMask, shift := uint64(1)<<f.rowBits-1, 64-f.bits
	err := f.eachShare(ctx, searched, func(share int) func(k, at int, keys []uint64) {
		rest := make([][]uint64, len(some))
		for k, i := range some {
			rest[k] = out[i]
			for _, before := range bins[i].shares[:share] {
				rest[k] = rest[k][f.inLarge(bins[i].all, before):]
			}
		}
		return func(k, at int, keys []uint64) {
			all, to := bins[some[k]].all, rest[k]
			for r, key := range keys {
				if int(all[key>>shift]) > f.most {
					to[0] = key&^rowMask | uint64(at+r)
					to = to[1:]
				}
			}
			rest[k] = to
		}
	})
	return out, err
}

// inLarge returns the number of rows that a share has in bins of large counts.
func (f *counting) inLarge(all, share []uint32) (total int) {
	for bin, n := range all {
		if int(n) > f.most {
			total += int(share[bin])
		}
	}
	return total
}

// places returns the rows in large buckets among some records, with their places.
func (f *counting) places(records []uint64) []uint64 {
	rowMask := uint64(1)<<f.rowBits - 1
	n := 0
	sorted := sortRecords(records, make([]uint64, len(records)))
	eachBucket(sorted, f.rowBits, func(bucket []uint64) {
		if len(bucket) <= f.most {
			return
		}
		for place, r := range bucket {
			sorted[n] = r&rowMask<<32 | uint64(place)
			n++
		}
	})
	slices.Sort(sorted[:n])
	return sorted[:n]
}

// eachShare divides the rows into a share for each worker. It calls the function that begin returns for a share with
// the keys of the rows at, at+1, … for the i-th of some keys, for all rows of the share in order.
func (f *counting) eachShare(ctx context.Context, keys []int, begin func(share int) func(i, at int, keys []uint64)) error {
	if len(keys) == 0 {
		return nil
	}
	rows := f.sigs.Len()
	size := (rows/f.workers/blockRows + 1) * blockRows
	return parallel.Each(ctx, f.workers, f.workers, func(_, share int) error {
		put := begin(share)
		for lo := share * size; lo < min((share+1)*size, rows); lo += rangeRows {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			f.x.eachBlock(f.sigs, keys, lo, min(lo+rangeRows, (share+1)*size, rows), put)
		}
		return nil
	})
}

// blockRows is the number of rows whose signatures are unpacked at a time. For 80 signatures they take 20 KB, which
// stay in the first-level cache while all columns of the group are made from them.
const blockRows = 64

// unpacked holds the signatures of a block, signature by signature.
type unpacked [minhash.MaxMask][blockRows]uint32

// unpack reads rows [lo, hi) of sigs.
func (u *unpacked) unpack(sigs Signatures, lo, hi int) {
	m := sigs.M
	for r := lo; r < hi; r++ {
		row := sigs.Row(r)
		low, mid, high := row[:m], row[m:][:m], row[2*m:][:m]
		for i := range low {
			u[i][r-lo] = uint32(low[i]) | uint32(mid[i])<<8 | uint32(high[i])<<16
		}
	}
}

// unpackSome reads some signatures of the rows [lo, hi) of sigs.
func (u *unpacked) unpackSome(sigs Signatures, lo, hi int, some []uint8) {
	m := sigs.M
	for r := lo; r < hi; r++ {
		row := sigs.Row(r)
		for _, i := range some {
			u[i][r-lo] = signature(row, m, int(i))
		}
	}
}

// keys sets dst to the keys of all rows of the block for a subset.
func (u *unpacked) keys(dst *[blockRows]uint64, subset []uint8) {
	switch len(subset) {
	case 2:
		s0, s1 := &u[subset[0]], &u[subset[1]]
		for i := range dst {
			dst[i] = step(word(s0[i], s1[i]))
		}
	case 3:
		s0, s1, s2 := &u[subset[0]], &u[subset[1]], &u[subset[2]]
		for i := range dst {
			dst[i] = step(step(word(s0[i], s1[i])) ^ uint64(s2[i]))
		}
	default:
		var signatures [minhash.MaxMask]uint32
		for i := range dst {
			for j, s := range subset {
				signatures[j] = u[s][i]
			}
			dst[i] = keyOf(signatures[:len(subset)])
		}
	}
}

// eachBlock calls put with the keys of the rows at, at+1, … for key i of the group, for all blocks of the rows [lo, hi).
func (x *Index) eachBlock(sigs Signatures, group []int, lo, hi int, put func(i, at int, keys []uint64)) {
	var u unpacked
	var keys [blockRows]uint64
	some := x.signaturesOf(group)
	for ; lo < hi; lo += blockRows {
		end := min(lo+blockRows, hi)
		if len(some) < x.M/4 {
			u.unpackSome(sigs, lo, end, some)
		} else {
			u.unpack(sigs, lo, end)
		}
		for i, j := range group {
			u.keys(&keys, x.Subsets[j])
			put(i, lo, keys[:end-lo])
		}
	}
}

// signaturesOf returns the signatures of some keys.
func (x *Index) signaturesOf(keys []int) (some []uint8) {
	var mask minhash.Bits
	for _, j := range keys {
		for i, w := range x.masks[j] {
			mask[i] |= w
		}
	}
	for i := range x.M {
		if mask.Has(i) {
			some = append(some, uint8(i))
		}
	}
	return some
}

// fillWhole fills one column for each key of the group, with one record for each row, in row order.
func (s *search) fillWhole(columns [][]uint64, group []int, lo, hi int) {
	rowMask := uint64(1)<<s.rowBits - 1
	s.x.eachBlock(s.sigs, group, lo, hi, func(i, at int, keys []uint64) {
		dst := columns[i][at:][:len(keys)]
		for r, key := range keys {
			dst[r] = key&^rowMask | uint64(at+r)
		}
	})
}

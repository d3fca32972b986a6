package pipeline

import (
	"cmp"
	"context"
	"math/bits"
	"slices"

	"github.com/lshclust/lshclust/anchors"
)

// A partition that is too large for the memory of a worker is read several times, each time only the records of one
// span: a range of hashes whose records fit into memory. The records of one hash are always in one span; if they
// alone do not fit, the span is marked as large.

// span is a range of hashes in a partition.
type span struct {
	low, high uint64 // inclusive
	size      int64  // bytes of its records
	records   int    // number of its records; 0 if the partition is a single span
	large     bool   // the records of a single hash do not fit
}

func (p span) has(hash uint64) bool { return p.low <= hash && hash <= p.high }

// add counts a record, with about two bytes for its length.
func (p *span) add(body []byte) { p.size, p.records = p.size+int64(len(body))+2, p.records+1 }

// spanBins is the number of ranges whose records are counted to find the spans.
const spanBins = 1 << 12

// splitPartition splits partition i of n, which is stored in pieces, into spans of at most limit bytes, in order of
// the hashes. It counts only the records for which keep returns true.
func splitPartition(ctx context.Context, pieces []piece, i, n int, limit int64, keep func(body []byte) bool) ([]span, error) {
	low, high := partitionRange(i, n)
	whole := span{low: low, high: high}
	size, err := sizeOfPieces(pieces)
	if err != nil {
		return nil, err
	}
	if size <= limit {
		whole.size = size
		return []span{whole}, nil
	}
	shift := 64 - bits.Len(uint(n-1)) - bits.Len(uint(spanBins-1))
	bins := make([]span, spanBins)
	for j := range bins {
		bins[j].low = low + uint64(j)<<shift
		bins[j].high = bins[j].low | (1<<shift - 1)
	}
	err = eachRecord(ctx, pieces, func(body []byte) error {
		if keep(body) {
			bins[(anchors.TargetHash(body)-low)>>shift].add(body)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if bins, err = splitBins(ctx, pieces, bins, limit, keep); err != nil {
		return nil, err
	}
	return joinSpans(bins, limit), nil
}

// splitBins replaces each range larger than limit by a range for each hash in it.
func splitBins(ctx context.Context, pieces []piece, bins []span, limit int64, keep func(body []byte) bool) ([]span, error) {
	within := func(hash uint64) (int, bool) {
		i, _ := slices.BinarySearchFunc(bins, hash, func(p span, h uint64) int { return cmp.Compare(p.high, h) })
		return i, bins[i].size > limit
	}
	if !slices.ContainsFunc(bins, func(p span) bool { return p.size > limit }) {
		return bins, nil
	}
	hashes := map[uint64]*span{}
	err := eachRecord(ctx, pieces, func(body []byte) error {
		hash := anchors.TargetHash(body)
		if _, large := within(hash); !large || !keep(body) {
			return nil
		}
		p := hashes[hash]
		if p == nil {
			p = &span{low: hash, high: hash}
			hashes[hash] = p
		}
		p.add(body)
		p.large = p.size > limit
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := slices.DeleteFunc(slices.Clone(bins), func(p span) bool { return p.size > limit })
	for _, p := range hashes {
		out = append(out, *p)
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.low, b.low) })
	return out, nil
}

// joinSpans joins neighbouring ranges that together take at most limit bytes, and omits empty ranges.
func joinSpans(ranges []span, limit int64) []span {
	var out []span
	for _, p := range ranges {
		last := len(out) - 1
		switch {
		case p.size == 0:
		case last >= 0 && out[last].size+p.size <= limit:
			out[last].high, out[last].size, out[last].records = p.high, out[last].size+p.size, out[last].records+p.records
		default:
			out = append(out, p)
		}
	}
	return out
}

package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/tables"
)

// redirectPartitions is the number of streams with redirects in a part of the read stage.
const redirectPartitions = 16

// redirectsFile contains the redirects, one step each.
const redirectsFile = "work/redirects.lsh"

// writeRedirects writes the redirects of the winning captures, sorted by the hashes of their URLs. If there are none,
// it reads no records.
func (b readStage) writeRedirects(ctx context.Context, some bool) (n int64, err error) {
	w := tables.CreateRedirects(b.dir.Temp(redirectsFile))
	defer w.Abort()
	for i := 0; i < redirectPartitions && some; i++ {
		if err := b.keepNewest(ctx, b.fromRead().redirects(i), i, w); err != nil {
			return 0, err
		}
	}
	return int64(w.Len()), w.Close()
}

// keepNewest writes the redirects of one partition whose captures win. A URL takes about twice as much memory as its
// record in the file.
func (b readStage) keepNewest(ctx context.Context, pieces []piece, partition int, w *tables.RedirectsWriter) error {
	spans, err := splitPartition(ctx, pieces, partition, redirectPartitions, b.memory/16, func([]byte) bool { return true })
	if err != nil {
		return err
	}
	for _, s := range spans {
		winners := map[uint64]capture.Order{}
		err := eachRedirect(ctx, pieces, s, func(r capture.Redirect) {
			if order, ok := winners[r.Hash]; !ok || r.Order.Compare(order) < 0 {
				winners[r.Hash] = r.Order
			}
		})
		if err != nil {
			return err
		}
		var redirects []capture.Redirect
		err = eachRedirect(ctx, pieces, s, func(r capture.Redirect) {
			if r.By != capture.NoRedirect && winners[r.Hash] == r.Order {
				r.From, r.To = bytes.Clone(r.From), bytes.Clone(r.To)
				redirects = append(redirects, r)
			}
		})
		if err != nil {
			return err
		}
		slices.SortFunc(redirects, func(a, b capture.Redirect) int { return cmp.Compare(a.Hash, b.Hash) })
		for _, r := range redirects {
			w.Add(tables.Redirect{From: string(r.From), To: string(r.To), By: r.By, Hops: 1, Time: r.Order.Millis})
		}
	}
	return nil
}

// eachRedirect calls do with the redirects in a span of a partition. Their URLs are valid until the next one.
func eachRedirect(ctx context.Context, pieces []piece, s span, do func(r capture.Redirect)) error {
	return eachRecord(ctx, pieces, func(body []byte) error {
		if !s.has(anchors.TargetHash(body)) {
			return nil
		}
		r, err := capture.DecodeRedirect(body)
		if err == nil {
			do(r)
		}
		return err
	})
}

package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/capture"
	"github.com/lshclust/lshclust/internal/tables"
)

// redirectPartitions is the number of files in which redirects are sorted. They are few, since a process may open few
// files.
const redirectPartitions = 16

// redirects collects the redirects of all captures from all workers. If there are none, its files are never read.
type redirects struct {
	dir        string
	partitions *partitions // of capture.Redirect, by the hash of the URL
	any        atomic.Bool // whether there is a redirect
}

func (d *redirects) file(i int) string { return filepath.Join(d.dir, fmt.Sprintf("redirects-%02d", i)) }

func (d *redirects) create() (err error) {
	d.partitions, err = createPartitions(redirectPartitions, d.file)
	return err
}

// redirectsFile holds the redirects, one step each.
const redirectsFile = "work/redirects.lsh"

// writeRedirects writes the redirects of the captures that win, in the order of the hashes of their URLs.
func (b *build) writeRedirects(ctx context.Context, d *redirects) (n int64, err error) {
	if err := d.partitions.close(); err != nil {
		return 0, err
	}
	w, err := tables.CreateRedirects(b.dir.Temp(redirectsFile))
	if err != nil {
		return 0, err
	}
	defer w.Abort()
	for i := 0; i < redirectPartitions && d.any.Load(); i++ {
		if err := b.keepNewest(ctx, d.file(i), i, w); err != nil {
			return 0, err
		}
	}
	return int64(w.Len()), w.Close()
}

// keepNewest writes the redirects of one partition whose captures win. A URL takes about twice the memory that its
// record takes in the file.
func (b *build) keepNewest(ctx context.Context, path string, partition int, w *tables.RedirectsWriter) error {
	spans, err := splitPartition(ctx, []string{path}, partition, redirectPartitions, b.memory/16, func([]byte) bool { return true })
	if err != nil {
		return err
	}
	for _, s := range spans {
		winners := map[uint64]capture.Order{}
		err := eachRedirect(ctx, path, s, func(r capture.Redirect) {
			if order, ok := winners[r.Hash]; !ok || r.Order.Compare(order) < 0 {
				winners[r.Hash] = r.Order
			}
		})
		if err != nil {
			return err
		}
		var redirects []capture.Redirect
		err = eachRedirect(ctx, path, s, func(r capture.Redirect) {
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

// eachRedirect calls do with the redirects of a span of a partition. Their URLs are valid until the next one.
func eachRedirect(ctx context.Context, path string, s span, do func(r capture.Redirect)) error {
	return eachRecord(ctx, path, func(body []byte) error {
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

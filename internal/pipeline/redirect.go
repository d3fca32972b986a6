package pipeline

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/framed"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// redirectedFile has a stream for each partition with the fragments of links that redirects have moved into it.
const redirectedFile = "work/redirected"

// redirected returns the piece of partition i in redirectedFile.
func (f readFiles) redirected(i int) piece {
	return piece{path: f.dir.Path(redirectedFile), streams: f.partitions, stream: i}
}

// redirect finds the URL at which each redirect ends. It copies fragments of links to a URL that redirects to the URL
// at which the redirects end; the group stage uses the copies instead. It copies nothing if nothing redirects.
func (b redirectStage) redirect(ctx context.Context, from *opened, out *partFiles) (run.StageStats, error) {
	stats := run.StageStats{Dropped: map[string]int64{}, Counts: map[string]int64{}}
	path := out.named(tables.RedirectsFile)
	if err := b.writeDestinations(ctx, from, path, &stats); err != nil || stats.Out == 0 {
		return stats, err
	}
	redirects, err := tables.OpenRedirects(path)
	if err != nil {
		return stats, err
	}
	defer redirects.Close()
	return stats, b.redirectLinks(ctx, redirects, out.named(redirectedFile), &stats)
}

// writeDestinations writes redirects.lsh from the redirects of one step each.
func (b redirectStage) writeDestinations(ctx context.Context, from *opened, path string, stats *run.StageStats) error {
	steps := table(from, redirectsFile, tables.OpenRedirects)
	if err := from.Ready(); err != nil {
		return err
	}
	w := tables.CreateRedirects(path)
	defer w.Abort()
	step := func(url string) (to string, ok bool) {
		i, ok := steps.Find(url)
		if !ok {
			return "", false
		}
		return steps.At(i).To, true
	}
	for i := range steps.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := steps.At(i)
		to, hops, reason := capture.Destination(row.From, step)
		if reason != "" {
			stats.Dropped[string(reason)]++
			continue
		}
		row.To, row.Hops = to, hops
		w.Add(row)
	}
	stats.In, stats.Out = int64(steps.Len()), int64(w.Len())
	return w.Close()
}

// redirectLinks reads the partitions that have fragments of URLs that redirect.
func (b redirectStage) redirectLinks(ctx context.Context, redirects *tables.Redirects, path string, stats *run.StageStats) error {
	file, err := framed.CreateStreams(path, b.partitions)
	if err != nil {
		return err
	}
	b.report.Stage("redirect", "partitions", int64(b.partitions))
	workers := make([]linkRedirector, b.workers)
	for i := range workers {
		workers[i] = linkRedirector{redirects: redirects, out: newPartitionWriter(b.partitions, 0, b.flushSize())}
		workers[i].out.to = file
	}
	err = parallel.Each(ctx, b.partitions, b.workers, func(worker, n int) (err error) {
		if lowest, highest := partitionRange(n, b.partitions); redirects.Any(lowest, highest) {
			err = eachRecord(ctx, b.fromRead().fragments(n), workers[worker].fragment)
		}
		b.report.At(int64(n + 1))
		return err
	})
	for i := range workers {
		w := &workers[i]
		err = cmp.Or(err, w.out.flush())
		stats.Counts["links_moved"] += w.redirected
		stats.Dropped[string(capture.ReasonSelfLink)] += w.self
	}
	return errors.Join(err, file.Close())
}

// linkRedirector writes the fragments of links to URLs that redirect as fragments of the URLs at which the redirects
// end. It drops a link whose redirects end at the linking page.
type linkRedirector struct {
	redirects        *tables.Redirects
	out              partitionWriter
	rec              anchors.Record
	redirected, self int64
}

func (w *linkRedirector) fragment(body []byte) error {
	if hash := anchors.TargetHash(body); !w.redirects.Any(hash, hash) {
		return nil
	}
	if err := w.rec.Decode(body); err != nil {
		return err
	}
	if !w.rec.Kind.IsLink() {
		return nil
	}
	i, ok := w.redirects.FindHash(w.rec.TargetHash, string(w.rec.Target))
	if !ok {
		return nil
	}
	to := w.redirects.At(i).To
	if w.rec.TargetHash = tables.Hash(to); w.rec.TargetHash == w.rec.Source {
		w.self++
		return nil
	}
	w.rec.Target = append([]byte(nil), to...)
	w.redirected++
	return w.out.add(w.rec.TargetHash, w.rec.Bound(), w.rec.Append)
}

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

package pipeline

import (
	"context"
	"errors"
	"fmt"
	"math/bits"
	"sync/atomic"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
	"golang.org/x/sync/errgroup"
)

func redirectedFile(i int) string { return fmt.Sprintf("work/redirected-%03d", i) }

func (b *build) redirecting() stage {
	var moved []string
	return stage{
		name: "redirect", outputs: []string{tables.RedirectsFile}, also: func() []string { return moved },
		work: func(ctx context.Context) (stats run.StageStats, err error) {
			moved, stats, err = b.redirect(ctx)
			return stats, err
		},
	}
}

// follow finds where the ways of redirects end, and writes what is said of a URL that leads on once more, as said of where
// it leads, for the group stage to take instead: the files are there if there is a redirect.
func (b *build) redirect(ctx context.Context) (moved []string, stats run.StageStats, err error) {
	stats = run.StageStats{Dropped: map[string]int64{}, Counts: map[string]int64{}}
	if err := b.joinRedirects(ctx, &stats); err != nil || stats.Out == 0 {
		return nil, stats, err
	}
	ways, err := verified(b, b.dir.Temp(tables.RedirectsFile), tables.OpenRedirects)
	if err != nil {
		return nil, stats, err
	}
	defer ways.Close()
	for i := range b.partitions {
		moved = append(moved, redirectedFile(i))
	}
	return moved, stats, b.redirectLinks(ctx, ways, &stats)
}

// joinRedirects writes redirects.lsh from the single steps.
func (b *build) joinRedirects(ctx context.Context, stats *run.StageStats) error {
	steps, err := verified(b, b.dir.Path(redirectsFile), tables.OpenRedirects)
	if err != nil {
		return err
	}
	defer steps.Close()
	w, err := tables.CreateRedirects(b.dir.Temp(tables.RedirectsFile))
	if err != nil {
		return err
	}
	defer w.Abort()
	for i := range steps.Len() {
		if err := ctx.Err(); err != nil {
			return err
		}
		to, hops, reason := destination(steps, i)
		if reason != "" {
			stats.Dropped[reason]++
			continue
		}
		step := steps.At(i)
		step.To, step.Hops = to, hops
		w.Add(step)
	}
	stats.In, stats.Out = int64(steps.Len()), int64(w.Len())
	return w.Close()
}

// redirectLinks reads the buckets in which something is said of URLs that lead on.
func (b *build) redirectLinks(ctx context.Context, ways *tables.Redirects, stats *run.StageStats) error {
	files, err := createPartitions(b.partitions, func(i int) string { return b.dir.Temp(redirectedFile(i)) })
	if err != nil {
		return err
	}
	b.report.Stage("redirect", "partitions", int64(b.partitions))
	next := atomic.Int64{}
	movers := make([]linkRedirector, b.workers)
	g, ctx := errgroup.WithContext(ctx)
	for i := range movers {
		m := &movers[i]
		m.ways, m.out = ways, newPartitionWriter(files)
		g.Go(func() error {
			for n := int(next.Add(1)) - 1; n < b.partitions; n = int(next.Add(1)) - 1 {
				if lowest, highest := partitionRange(n, b.partitions); ways.Any(lowest, highest) {
					if err := eachRecord(ctx, b.dir.Path(fragmentFile(n)), m.move); err != nil {
						return err
					}
				}
				b.report.At(int64(n + 1))
			}
			return m.out.close()
		})
	}
	err = errors.Join(g.Wait(), files.close())
	for i := range movers {
		stats.Counts["links_moved"] += movers[i].moved
		stats.Dropped[string(reasonSelfLink)] += movers[i].self
	}
	return err
}

// partitionRange is the range of hashes in one of n buckets.
func partitionRange(i, n int) (lowest, highest uint64) {
	shift := 65 - bits.Len(uint(n))
	lowest = uint64(i) << shift
	return lowest, lowest | (1<<shift - 1)
}

// linkRedirector writes links to URLs that lead on as links to where they lead.
type linkRedirector struct {
	ways        *tables.Redirects
	out         partitionWriter
	rec         anchors.Record
	moved, self int64
}

func (m *linkRedirector) move(body []byte) error {
	if !m.ways.Any(anchors.TargetHash(body), anchors.TargetHash(body)) {
		return nil
	}
	if err := m.rec.Decode(body); err != nil {
		return err
	}
	if !m.rec.Kind.IsLink() {
		return nil
	}
	i, ok := m.ways.FindHash(m.rec.TargetHash, string(m.rec.Target))
	if !ok {
		return nil
	}
	to := m.ways.At(i).To
	if m.rec.TargetHash = tables.Hash(to); m.rec.TargetHash == m.rec.Source {
		m.self++
		return nil
	}
	m.rec.Target = append([]byte(nil), to...)
	m.moved++
	return m.out.add(m.rec.TargetHash, m.rec.Bound(), m.rec.Append)
}

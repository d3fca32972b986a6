package pipeline

import (
	"cmp"
	"context"
	"io"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

func (b *build) weighing() stage {
	return stage{name: "weigh", outputs: []string{tables.BagsFile, tables.OriginsFile}, work: b.inSteps("weigh", b.joinBags)}
}

// weighStep turns raw bags into bags, partition by partition: it weighs the terms, normalises the weights and rounds
// them.
func (b *build) weighStep(name string) (*step, error) {
	raw := make([]string, b.partitions)
	for i := range raw {
		raw[i] = rawFile(i)
	}
	return &step{
		name: name, unit: "partitions", total: int64(b.partitions), parts: b.partitions,
		several: b.severalOf(b.partitions, 0, raw...), open: b.openWeighing,
	}, nil
}

// weighParter weighs the raw bags of partitions.
type weighParter struct {
	b        *build
	terms    *tables.Terms
	weighers []*bags.Weigher // by worker
}

func (b *build) openWeighing(_ context.Context, workers int) (parter, error) {
	terms, err := verified(b, b.dir.Path(tables.TermsFile), tables.OpenTerms)
	if err != nil {
		return nil, err
	}
	dict, err := bags.NewDictionary(b.config.BagWeighting(), terms.Bags, terms.Hashes(), terms.DFs())
	if err != nil {
		terms.Close()
		return nil, err
	}
	p := &weighParter{b: b, terms: terms}
	for range workers {
		p.weighers = append(p.weighers, bags.NewWeigher(b.config.BagWeighting(), dict))
	}
	return p, nil
}

func (p *weighParter) close() { p.terms.Close() }

// part weighs the raw bags of one partition and writes them in blocks.
func (p *weighParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	n, w := counts{}, p.weighers[worker]
	err := create(out.path(""), func(to io.Writer) error {
		block := weighed{}
		err := eachRawBag(ctx, p.b.dir.Path(rawFile(i)), func(raw *bags.Raw) error {
			bag := w.Weigh(raw)
			block.add(bag, w.Origins())
			if block.size() < emitAtOnce {
				return nil
			}
			return block.write(to, n)
		})
		return cmp.Or(err, block.write(to, n))
	})
	out.meter.did(1)
	return n, err
}

// joinBags writes the tables from the bags of all partitions.
func (b *build) joinBags(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	w, err := tables.CreateBags(b.dir.Temp(tables.BagsFile))
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	origins, err := tables.CreateOrigins(b.dir.Temp(tables.OriginsFile))
	if err != nil {
		return stats, err
	}
	defer origins.Abort()
	id, block := uint32(0), weighed{}
	for i := range b.partitions {
		err := eachOfSize(ctx, b.dir.Path(stepFile("weigh", "", i)), 1, func(body []byte) error {
			if err := block.decode(body); err != nil {
				return err
			}
			block.each(id, w.Add, origins.Add)
			id += uint32(len(block.lens))
			return nil
		})
		if err != nil {
			return stats, err
		}
	}
	n, err := b.summed("weigh", "weigh")
	if err != nil {
		return stats, err
	}
	stats.In, stats.Out = n["bags"], n["nonempty"]
	stats.Counts = map[string]int64{"elements": n["elements"]}
	stats.Dropped = map[string]int64{"empty-bag": stats.In - stats.Out}
	return stats, cmp.Or(w.Close(), origins.Close())
}

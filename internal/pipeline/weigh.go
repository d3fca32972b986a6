package pipeline

import (
	"context"
	"io"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// weighStep turns raw bags into bags, partition by partition: it weighs the terms, and normalizes and rounds the
// weights.
func (b weighStage) weighStep() (*plan, error) {
	return &plan{
		unit: "partitions", total: int64(b.partitions), parts: b.partitions, several: b.severalOf(b.partitions, 0, b.rawFiles()...), open: b.openWeighing,
	}, nil
}

func (b weighStage) openWeighing(_ context.Context, workers int, from *opened) (partFunc, error) {
	terms, by := table(from, tables.TermsFile, tables.OpenTerms), table(from, languagesFile, openLanguages)
	if err := from.Ready(); err != nil {
		return nil, err
	}
	dict, err := bags.NewDictionary(b.config.BagWeighting(), terms.Bags, terms.Hashes(), terms.DFs())
	if err != nil {
		return nil, err
	}
	if how := b.config.BagWeighting(); how.Scheme == bags.IDF {
		var languages bags.Languages
		copy(languages[:], by.bags.All())
		dict.ByLanguage(languages, terms.DFs(), by.several.All())
	}
	weighers := make([]*bags.Weigher, workers)
	for i := range weighers {
		weighers[i] = bags.NewWeigher(b.config.BagWeighting(), dict)
	}
	return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
		n, err := b.weigh(ctx, weighers[at.worker], at.number, out.path(""))
		out.meter.did(1)
		return n, err
	}, nil
}

// weigh weighs the raw bags of one partition and writes them in blocks.
func (b weighStage) weigh(ctx context.Context, w *bags.Weigher, partition int, path string) (counts, error) {
	n := counts{}
	return n, create(path, func(to io.Writer) error {
		block := weighed{}
		var raw bags.Raw
		err := readWork(ctx, b.dir.Path(rawFile(partition)), bodies(ctx, func(body []byte) error {
			if err := raw.Decode(body); err != nil {
				return err
			}
			block.add(w.Weigh(&raw))
			if block.size() < emitAtOnce {
				return nil
			}
			return block.write(to, n)
		}))
		if err != nil {
			return err
		}
		return block.write(to, n)
	})
}

// joinBags writes the tables from the bags of all partitions.
func (b weighStage) joinBags(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	w := tables.CreateBags(b.dir.Temp(tables.BagsFile))
	defer w.Abort()
	block := weighed{}
	err := b.eachFile(ctx, "weigh", "weigh", "", bodies(ctx, func(body []byte) error {
		if err := block.decode(body); err != nil {
			return err
		}
		block.each(w.Add)
		return nil
	}))
	if err != nil {
		return stats, err
	}
	n, err := b.summed("weigh", "weigh")
	if err != nil {
		return stats, err
	}
	stats.In, stats.Out = n["bags"], n["nonempty"]
	stats.Counts = map[string]int64{"elements": n["elements"]}
	stats.Dropped = map[string]int64{"empty-bag": stats.In - stats.Out}
	return stats, w.Close()
}

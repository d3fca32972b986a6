package pipeline

import (
	"context"
	"errors"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// weighStep turns raw bags into bags, partition by partition: it weighs the terms, and normalizes and rounds the
// weights. Each part writes a table of its bags.
func (b weighStage) weighStep() (*plan, error) {
	return &plan{
		unit: "partitions", total: int64(b.partitions), parts: b.partitions,
		several: b.severalOf(b.partitions, 0, b.rawFiles()...), open: b.openWeighing,
	}, nil
}

func (b weighStage) openWeighing(_ context.Context, workers int, from *opened) (partFunc, error) {
	terms := table(from, tables.TermsFile, tables.OpenTerms)
	by := table(from, languagesFile, openWork[languageColumns])
	if err := from.Ready(); err != nil {
		return nil, err
	}
	dict, err := bags.NewDictionary(b.config.BagWeighting(), terms.Bags, terms.Hashes(), terms.DFs())
	if err != nil {
		return nil, err
	}
	if how := b.config.BagWeighting(); how.Scheme == bags.IDF {
		var languages bags.Languages
		copy(languages[:], by.of.bags.All())
		dict.ByLanguage(languages, terms.DFs(), by.of.several.All())
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

// weigh weighs the raw bags of one partition.
func (b weighStage) weigh(ctx context.Context, by *bags.Weigher, partition int, path string) (counts, error) {
	var all, nonempty, elements int64
	w := tables.CreateBags(path)
	defer w.Abort()
	var raw bags.Raw
	err := readWork(ctx, b.dir.Path(rawFile(partition)), bodies(ctx, func(body []byte) error {
		if err := raw.Decode(body); err != nil {
			return err
		}
		bag := by.Weigh(&raw)
		w.Add(bag)
		all, elements = all+1, elements+int64(bag.Sum())
		if bag.Len() > 0 {
			nonempty++
		}
		return nil
	}))
	if err != nil {
		return nil, err
	}
	return counts{"bags": all, "nonempty": nonempty, "elements": elements}, w.Close()
}

// joinBags joins the tables of all partitions.
func (b weighStage) joinBags(ctx context.Context, from *opened) (run.StageStats, error) {
	n, err := join(ctx, from, "weigh", tables.OpenBags, tables.CreateBags(b.dir.Temp(tables.BagsFile)))
	return run.StageStats{
		In: n["bags"], Out: n["nonempty"], Counts: map[string]int64{"elements": n["elements"]},
		Dropped: map[string]int64{"empty-bag": n["bags"] - n["nonempty"]},
	}, err
}

// join writes a table from those of all parts of the stage whose only step has its name. It returns the sums of the counts
// of the parts.
func join[T tables.Table](ctx context.Context, from *opened, stage string, open func(path string) (T, error), to interface {
	AddAll(part T)
	Close() error
	Abort()
}) (counts, error) {
	defer to.Abort()
	parts := stepFiles(from, stage, stage, open)
	n, err := from.b.summed(stage, stage)
	if err := errors.Join(err, from.Ready()); err != nil {
		return nil, err
	}
	for _, p := range parts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to.AddAll(p)
	}
	return n, to.Close()
}

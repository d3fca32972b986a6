package pipeline

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

func (b *build) weighing() stage {
	return stage{name: "weigh", outputs: []string{tables.BagsFile, tables.OriginsFile}, work: b.weigh}
}

// weigh turns raw bags into bags: it weighs the terms, normalises the weights and rounds them.
func (b *build) weigh(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{Counts: map[string]int64{}}
	terms, err := verified(b, b.dir.Path(tables.TermsFile), tables.OpenTerms)
	if err != nil {
		return stats, err
	}
	defer terms.Close()
	dict, err := bags.NewDictionary(b.config.BagWeighting(), terms.Bags, terms.Hashes(), terms.DFs())
	if err != nil {
		return stats, err
	}
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
	b.report.Stage("weigh", "partitions", int64(b.partitions))
	weighers := make([]*bags.Weigher, b.workers)
	for i := range weighers {
		weighers[i] = bags.NewWeigher(b.config.BagWeighting(), dict)
	}
	err = parallel.Ordered(ctx, b.partitions, b.workers, b.memory/8, func(worker, i int, emit func(weighed, int) error) error {
		return weighPartition(ctx, b.dir.Path(rawFile(i)), weighers[worker], emit)
	}, func(i int, some weighed) error {
		some.each(uint32(stats.In), w.Add, origins.Add)
		stats.In += int64(len(some.lens))
		stats.Out += some.nonempty
		stats.Counts["elements"] += some.elements
		b.report.At(int64(i + 1))
		return nil
	})
	if err != nil {
		return stats, err
	}
	stats.Dropped = map[string]int64{"empty-bag": stats.In - stats.Out}
	return stats, cmp.Or(w.Close(), origins.Close())
}

// weighed holds consecutive bags of one partition.
type weighed struct {
	lens               []int32 // number of terms of each bag
	terms              []uint32
	counts             []uint16
	nonempty, elements int64

	own     []int32      // number of terms of each bag that have origins other than links
	origins bags.Origins // of all bags
}

// size returns the number of bytes that the bags take.
func (w *weighed) size() int {
	return 8*len(w.lens) + 4*len(w.terms) + 2*len(w.counts) + 8*w.origins.Len()
}

// each calls add and source for each bag. The first bag is that of the given document.
func (w *weighed) each(document uint32, add func(bags.Bag), source func(uint32, bags.Origins)) {
	at, own := 0, 0
	for i, n := range w.lens {
		add(bags.Bag{Terms: w.terms[at : at+int(n)], Counts: w.counts[at : at+int(n)]})
		at += int(n)
		end := own + int(w.own[i])
		source(document+uint32(i), bags.Origins{Terms: w.origins.Terms[own:end], Title: w.origins.Title[own:end], Content: w.origins.Content[own:end]})
		own = end
	}
}

// add appends a bag.
func (w *weighed) add(bag bags.Bag, of bags.Origins) {
	w.lens = append(w.lens, int32(bag.Len()))
	w.terms, w.counts = append(w.terms, bag.Terms...), append(w.counts, bag.Counts...)
	w.elements += int64(bag.Sum())
	if bag.Len() > 0 {
		w.nonempty++
	}
	w.own = append(w.own, int32(of.Len()))
	s := &w.origins
	s.Terms, s.Title, s.Content = append(s.Terms, of.Terms...), append(s.Title, of.Title...), append(s.Content, of.Content...)
}

// weighPartition weighs the raw bags of one partition and emits them in blocks.
func weighPartition(ctx context.Context, path string, w *bags.Weigher, emit func(weighed, int) error) error {
	out := weighed{}
	err := eachRawBag(ctx, path, func(raw *bags.Raw) error {
		bag := w.Weigh(raw)
		out.add(bag, w.Origins())
		if out.size() < emitAtOnce {
			return nil
		}
		some := out
		out = weighed{}
		return emit(some, some.size())
	})
	if err != nil {
		return err
	}
	return emit(out, out.size())
}

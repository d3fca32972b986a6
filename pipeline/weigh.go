package pipeline

import (
	"context"
	"fmt"
	"os"

	"github.com/lshclust/lshclust/anchors"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

func (b *build) weighing() stage {
	return stage{name: "weigh", outputs: []string{tables.BagsFile}, work: b.weigh}
}

// weigh turns raw bags into bags.
func (b *build) weigh(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{Counts: map[string]int64{}}
	terms, err := tables.OpenTerms(b.dir.Path(tables.TermsFile))
	if err != nil {
		return stats, err
	}
	defer terms.Close()
	dict, err := bags.NewDictionary(b.config.weighting(), terms.Bags, terms.Hashes(), terms.DFs())
	if err != nil {
		return stats, err
	}
	w, err := tables.CreateBags(b.dir.Temp(tables.BagsFile))
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	b.report.Stage("weigh", "buckets", int64(b.buckets))
	weighers := make([]*bags.Weigher, b.workers)
	for i := range weighers {
		weighers[i] = bags.NewWeigher(b.config.weighting(), dict)
	}
	err = ordered(ctx, b.buckets, b.workers, func(worker, i int) (weighed, error) {
		return weighBucket(b.dir.Path(rawFile(i)), weighers[worker])
	}, func(i int, bucket weighed) error {
		bucket.each(w.Add)
		stats.In += int64(len(bucket.lens))
		stats.Out += bucket.nonempty
		stats.Counts["elements"] += bucket.elements
		b.report.At(int64(i + 1))
		return nil
	})
	if err != nil {
		return stats, err
	}
	stats.Dropped = map[string]int64{"empty-bag": stats.In - stats.Out}
	return stats, w.Close()
}

// weighed is the bags of one bucket, one behind the other.
type weighed struct {
	lens               []int32
	terms              []uint32
	counts             []uint16
	nonempty, elements int64
}

func (w *weighed) each(add func(bags.Bag)) {
	at := 0
	for _, n := range w.lens {
		add(bags.Bag{Terms: w.terms[at : at+int(n)], Counts: w.counts[at : at+int(n)]})
		at += int(n)
	}
}

func weighBucket(path string, w *bags.Weigher) (weighed, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return weighed{}, err
	}
	out := weighed{}
	d := anchors.Decoder{B: raw}
	var terms []anchors.Weighted
	for len(d.B) > 0 {
		if terms = d.Terms(terms[:0]); d.Err != nil {
			return weighed{}, fmt.Errorf("%s: %w", path, d.Err)
		}
		bag := w.Weigh(terms)
		out.lens = append(out.lens, int32(bag.Len()))
		out.terms, out.counts = append(out.terms, bag.Terms...), append(out.counts, bag.Counts...)
		out.elements += int64(bag.Sum())
		if bag.Len() > 0 {
			out.nonempty++
		}
	}
	return out, nil
}

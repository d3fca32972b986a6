package query

import (
	"context"
	"fmt"
	"runtime"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/topical"
)

// ReclusterTopical clusters the documents again with CENTER at another threshold or in another order, and returns the
// clusters of two or more documents, largest first. It neither reads the crawl again nor changes the run. It uses the
// stored pairs, so it returns an error for a threshold below that of the pairs (Config.Similarity). The clusters have
// no labels until [Run.LabelTopicalClusters] adds them.
func (r *Run) ReclusterTopical(threshold float64, order center.Order) ([]TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	if !(threshold >= r.Config.Similarity && threshold <= 1) {
		return nil, fmt.Errorf("threshold %g: the run stores pairs with a similarity of %g to 1", threshold, r.Config.Similarity)
	}
	if _, err := center.ParseOrder(string(order)); err != nil {
		return nil, err
	}
	t := r.topical()
	centers, similarity := t.Spread(t.Centers(order, float32(threshold)))
	return r.topicalClusters(centers, func(id uint32) float32 { return similarity[id] }), r.Err()
}

// topical returns the tables from which topical clusters are formed.
func (r *Run) topical() *topical.Tables {
	return &topical.Tables{Nodes: r.nodes, Pairs: r.pairs, Bags: r.bags, Terms: r.terms, Documents: r.docs, Evidence: r.evidence}
}

// LabelTopicalClusters labels clusters of [Run.ReclusterTopical] in the way a run labels its own.
func (r *Run) LabelTopicalClusters(ctx context.Context, clusters []TopicalCluster) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	labellers := make([]*topical.Labeller, workers)
	return parallel.Each(ctx, len(clusters), workers, func(worker, i int) (err error) {
		if labellers[worker] == nil {
			if labellers[worker], err = r.topical().NewLabeller(r.Config.TextAnalysis()); err != nil {
				return err
			}
		}
		clusters[i].Label = labellers[worker].Label(clusters[i].members)
		return nil
	})
}

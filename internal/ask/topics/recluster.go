package topics

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/topic/clusters"
)

// Recluster clusters the documents again with CENTER at another threshold or in another order, and returns the
// clusters of two or more documents, largest first. It neither reads the crawl again nor changes the run. It uses the
// stored pairs, so it returns an error for a threshold below that of the pairs (Config.Similarity). The clusters have
// no labels until [LabelClusters] adds them.
func Recluster(r *runs.Run, threshold float64, order center.Order) ([]TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	if !(threshold >= r.Config.Similarity && threshold <= 1) {
		return nil, fmt.Errorf("threshold %g: the run stores pairs with a similarity of %g to 1", threshold, r.Config.Similarity)
	}
	if !slices.Contains(center.Orders, order) {
		return nil, fmt.Errorf("order %q is not one of %v", order, center.Orders)
	}
	t := runs.Topical(r)
	centers, similarity := t.Spread(t.Centers(order, float32(threshold)))
	return clustersOf(r, centers, func(id uint32) float32 { return similarity[id] }), r.Err()
}

// LabelClusters labels a list of clusters of [Recluster] in the way a run labels its own.
func LabelClusters(ctx context.Context, r *runs.Run, list []TopicalCluster) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	workers := runtime.GOMAXPROCS(0)
	labellers := make([]*clusters.Labeller, workers)
	return parallel.Each(ctx, len(list), workers, func(worker, i int) (err error) {
		if labellers[worker] == nil {
			if labellers[worker], err = runs.Topical(r).NewLabeller(r.Config.TextAnalysis()); err != nil {
				return err
			}
		}
		list[i].Label = labellers[worker].Label(list[i].members)
		return nil
	})
}

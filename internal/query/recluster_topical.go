package query

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/topical"
	"golang.org/x/sync/errgroup"
)

// ReclusterTopical clusters the documents anew with CENTER at another threshold or in another order, and returns the
// clusters of two documents or more, the largest first. It does not read the crawl again and does not change the run.
// It uses the stored pairs, so that a threshold below that of the pairs (Config.Similarity) is an error. The clusters
// have no labels until [Run.LabelTopicalClusters] makes them.
func (r *Run) ReclusterTopical(threshold float64, order center.Order) ([]TopicalCluster, error) {
	centers, err := r.recluster(threshold, order)
	if err != nil {
		return nil, err
	}
	centerOf, similarity := r.topical().Spread(centers)
	return r.topicalClusters(&reclustered{centerOf, similarity}), r.Err()
}

// TopicalCentersAt returns the center of the topical cluster of every document, as ReclusterTopical forms them.
func (r *Run) TopicalCentersAt(threshold float64, order center.Order) ([]uint32, error) {
	centers, err := r.recluster(threshold, order)
	if err != nil {
		return nil, err
	}
	out, _ := r.topical().Spread(centers)
	return out, r.Err()
}

// recluster returns the center of every node.
func (r *Run) recluster(threshold float64, order center.Order) ([]uint32, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	if !(threshold >= r.Config.Similarity && threshold <= 1) {
		return nil, fmt.Errorf("threshold %g: the run stores pairs with a similarity of %g to 1", threshold, r.Config.Similarity)
	}
	if _, err := center.ParseOrder(string(order)); err != nil {
		return nil, err
	}
	return r.topical().Centers(order, float32(threshold)), nil
}

// topical returns the tables that topical clusters are formed from.
func (r *Run) topical() *topical.Tables {
	return &topical.Tables{Nodes: r.nodes, Pairs: r.pairs, Bags: r.bags, Terms: r.terms, Documents: r.docs, Evidence: r.evidence}
}

// reclustered are the topical clusters that ReclusterTopical forms.
type reclustered struct {
	center     []uint32
	similarity []float32
}

func (c *reclustered) Centers() []uint32                  { return c.center }
func (c *reclustered) Center(id uint32) (uint32, float32) { return c.center[id], c.similarity[id] }
func (c *reclustered) Label(uint32) []string              { return nil }

// LabelTopicalClusters labels clusters of [Run.ReclusterTopical] as a run labels its own.
func (r *Run) LabelTopicalClusters(ctx context.Context, clusters []TopicalCluster) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range min(runtime.GOMAXPROCS(0), len(clusters)) {
		l, err := r.topical().NewLabeller(r.Config.TextAnalysis())
		if err != nil {
			return err
		}
		g.Go(func() error {
			for i := int(next.Add(1)) - 1; i < len(clusters) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				clusters[i].Label = l.Label(clusters[i].members)
			}
			return ctx.Err()
		})
	}
	return g.Wait()
}

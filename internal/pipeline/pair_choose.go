package pipeline

import (
	"context"
	"math"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
	"github.com/lshclust/lshclust/internal/topic/tune"
)

// A sample of the nodes with their exact nearest neighbours chooses the index, unless the configuration does, and
// measures what the run stores.
const (
	samples     = 400 // nodes of the sample
	sampledNear = 10  // exact neighbours of each node
)

// indexRecall returns the share of the exact neighbours that an index must find so that expansion finds the wanted
// share. Measured on the directory set, as index → after one round: .50 → .72, .65 → .86, .75 → .93, .81 → .95, .83 →
// .96, .88 → .97. Expansion misses about as many neighbours as if the index had two chances to find each.
func indexRecall(wanted float64, rounds int) float64 {
	if rounds == 0 {
		return wanted
	}
	return 1 - math.Sqrt(0.8*(1-wanted))
}

// sample returns every k-th node with its exact nearest neighbours. The order of nodes follows from hashes of URLs,
// so this is a random sample.
func (p *pairing) sample(ctx context.Context, from *opened) ([]tune.Sampled, error) {
	lists := table(from, tables.InvertedFile, tables.OpenInverted)
	if err := from.Ready(); err != nil {
		return nil, err
	}
	of := tables.NodeBags{Bags: p.bag, Nodes: p.nodes}
	index := inverted.New(lists, of, p.b.config.Sum)
	nodes := p.nodes.Len()
	out := make([]tune.Sampled, min(samples, nodes))
	err := parallel.Each(ctx, len(out), p.b.workers, func(_, i int) error {
		node := uint32(i * nodes / len(out))
		out[i].Row = node
		for _, hit := range index.Nearest(nil, of.At(node), inverted.Options{
			Top: sampledNear, Least: p.b.config.Similarity, Wanted: func(n uint32) bool { return n != node },
		}) {
			out[i].Near = append(out[i].Near, hit.Node)
		}
		return nil
	})
	return out, err
}

// choose makes the sample of nodes with their exact nearest neighbours, or returns nil if all pairs are stored. If
// the configuration has no index, it chooses one by the sample.
func (p *pairing) choose(ctx context.Context, from *opened) (sampled []tune.Sampled, err error) {
	c := &p.config
	if c.Neighbours == 0 && !c.ChoosesIndex() {
		return nil, nil
	}
	if sampled, err = p.sample(ctx, from); err != nil || !c.ChoosesIndex() {
		return sampled, err
	}
	recall := c.Recall
	if c.Neighbours > 0 && c.Width > 0 {
		recall = indexRecall(recall, c.Rounds)
	}
	choice, err := tune.ChooseIndex(ctx, p.sigs.All(), sampled, tune.IndexGoal{
		Recall: recall, K: c.KeySize, MaxBucket: c.MaxBucket, Seed: c.Seed, Workers: p.b.workers,
	})
	c.KeySize, c.Keys, c.MaxBucket = choice.K, choice.L, choice.MaxBucket
	return sampled, err
}

// countSample counts the exact neighbours of the sample, how many of them share a bucket of the index that is fully
// paired, and how many are stored.
func (b pairStage) countSample(sampled []tune.Sampled, s *run.StageStats) error {
	if sampled == nil {
		return nil
	}
	stored, err := tables.OpenPairs(b.dir.Temp(tables.PairsFile))
	if err != nil {
		return err
	}
	defer stored.Close()
	all, found := int64(0), int64(0)
	for _, x := range sampled {
		for _, n := range x.Near {
			all++
			if slices.ContainsFunc(stored.Neighbours(x.Row), func(e center.Edge) bool { return e.To == n }) {
				found++
			}
		}
	}
	s.Counts[config.CountSample], s.Counts[config.CountSampled], s.Counts[config.CountStored] = int64(len(sampled)), all, found
	return stored.Err()
}

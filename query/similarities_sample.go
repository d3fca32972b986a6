package query

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/inverted"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/tune"
	"golang.org/x/sync/errgroup"
)

// Measured holds the exact similarities of a sample of the nodes of a run to all nodes, and the pairs that the index of
// the run forms with them.
type Measured struct {
	Nodes        []uint32 // the sample
	Similarities *tune.Similarities
	Own          *tune.Trial        // of the index of the run
	Found        *tune.Similarities // the pairs that Own finds

	at  []float64 // similarity of each node to the one that is counted
	met [][]tune.Met
}

// leastSample is the smallest number of nodes from which figures about a run can be estimated.
const leastSample = 30

// ErrSmall is wrapped by the error for a sample that is too small.
var ErrSmall = errors.New("too small to measure")

// Measure compares a sample of the nodes of the run with all others: exactly, and by the index of the run. It does not
// use the pairs that the run stores.
func (r *Run) Measure(ctx context.Context, sample int, seed uint64) (*Measured, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	m := &Measured{Nodes: r.SampleNodes(sample, seed)}
	if len(m.Nodes) < leastSample {
		return nil, fmt.Errorf("a sample of %d distinct bags (the run has %d) is %w: it needs at least %d", len(m.Nodes), r.Nodes(), ErrSmall, leastSample)
	}
	c := lsh.Config{MaxBucket: r.Config.MaxBucket, Reach: r.Config.Reach}
	candidates, err := r.index.Candidates(ctx, r.sigs.All(), c, m.Nodes)
	if err != nil {
		return nil, err
	}
	m.Similarities = tune.NewSimilarities(r.Nodes())
	if err := m.compare(ctx, r, candidates); err != nil {
		return nil, err
	}
	m.Own = tune.NewTrial(r.Choice(), m.Similarities, m.met)
	m.Found = m.Own.Found()
	return m, nil
}

// Bins returns the number of pairs of the run by similarity above 0, in n bins of equal width, and of those of them that
// the index of the run finds. There is one edge more than bins.
func (m *Measured) Bins(n int) (edges, pairs, found []float64) {
	const least = 1e-9 // less than every similarity above 0
	edges = []float64{0}
	for i := range n {
		low, high := max(float64(i)/float64(n), least), float64(i+1)/float64(n)
		edges = append(edges, high)
		if i == n-1 {
			high = 1.01 // the last bin has the pairs of similarity 1 too
		}
		pairs = append(pairs, m.Similarities.Between(low, high).Value)
		found = append(found, m.Found.Between(low, high).Value)
	}
	return edges, pairs, found
}

// compared is the number of sampled nodes that are compared in parallel before they are counted in their order.
const compared = 32

// compare compares the sample with all nodes and counts the results, some nodes at a time.
func (m *Measured) compare(ctx context.Context, r *Run, candidates [][]uint32) error {
	for from := 0; from < len(m.Nodes); from += compared {
		rows := make([][]inverted.Hit, min(compared, len(m.Nodes)-from))
		var next atomic.Int64
		g, ctx := errgroup.WithContext(ctx)
		for range min(runtime.GOMAXPROCS(0), len(rows)) {
			g.Go(func() error {
				for i := int(next.Add(1)) - 1; i < len(rows) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
					rows[i] = r.similarNodes(nil, m.Nodes[from+i], 0)
				}
				return ctx.Err()
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for i, row := range rows {
			m.count(r, from+i, row, candidates[from+i])
		}
	}
	return nil
}

// count counts the similarities of node i of the sample and the pairs that the index forms with it.
func (m *Measured) count(r *Run, i int, similar []inverted.Hit, candidates []uint32) {
	self := m.Nodes[i]
	if m.at == nil {
		m.at = make([]float64, r.Nodes())
	}
	all := make([]float64, len(similar))
	for j, s := range similar {
		all[j], m.at[s.Node] = s.Similarity, s.Similarity
	}
	m.Similarities.Add(all)
	met := make([]tune.Met, len(candidates))
	for j, other := range candidates {
		met[j] = tune.Met{Similarity: m.at[other], Agreement: minhash.Agreement(r.sigs.Row(int(self)), r.sigs.Row(int(other)))}
	}
	m.met = append(m.met, met)
	for _, s := range similar {
		m.at[s.Node] = 0
	}
}

// Choice returns the index and the floor of the run.
func (r *Run) Choice() tune.Choice {
	c := r.Config
	return tune.Choice{M: c.Signatures, K: c.KeySize, L: c.Keys, Floor: c.Floor}
}

// Model returns a model that predicts the results of other choices. Its rates are scaled so that it predicts, for the
// choice of the run, the processor time that the manifest has for the stage pair, unless the stage was too short or also
// expanded neighbours. The model ignores that large buckets are not paired in full, so a run with such buckets lowers the rates.
func (r *Run) Model(m *Measured) *tune.Model {
	model := &tune.Model{Similarities: m.Similarities, Rates: tune.DefaultRates}
	if s, ok := r.Manifest.Stage("pair"); ok && s.CPUSeconds >= leastSeconds && r.Config.Neighbours == 0 {
		own := model.Predict(r.Choice(), r.Config.Floor)
		keys := float64(r.Nodes()) * float64(own.L)
		model.Rates = model.Rates.Scaled(keys, own.Collisions.Value, own.Survivors.Value, s.CPUSeconds)
	}
	return model
}

// leastSeconds is the processor time of a stage from which rates can be scaled by it. In shorter stages opening files
// dominates.
const leastSeconds = 0.5

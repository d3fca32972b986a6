package query

import (
	"context"
	"fmt"
	"runtime"
	"sync/atomic"

	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"golang.org/x/sync/errgroup"
)

// Measured is what [Run.Measure] finds out about a sample of the nodes of a run.
type Measured struct {
	Nodes        []uint32          // the sample
	Similarities *lsh.Similarities // of the sample to all nodes
	Found        *lsh.Similarities // of these, the pairs that the index of the run finds and that agree at least at its floor
	Meetings     *lsh.Meetings     // with the bound on large buckets that was asked for
	Own          *lsh.Meetings     // with the bound of the run

	at []float64 // similarity of each node to the one that count is working on
}

// leastSample is the smallest number of nodes that Measure works with.
const leastSample = 30

// Measure compares a sample of the nodes of the run with all others: exactly, with the index of the run, and with keys of
// other sizes. For the last, maxRun is the bound on large buckets; 0 stands for that of the run. Measure does not use the
// pairs that the run stored.
func (r *Run) Measure(ctx context.Context, sample int, seed uint64, maxRun int) (*Measured, error) {
	x, err := r.Exact(ctx)
	if err != nil {
		return nil, err
	}
	m := &Measured{Nodes: r.SampleNodes(sample, seed)}
	if len(m.Nodes) < leastSample {
		return nil, fmt.Errorf("a sample of %d distinct bags (the run has %d) is too small to measure: it needs at least %d", len(m.Nodes), r.Nodes(), leastSample)
	}
	c := lsh.Config{MaxRun: r.Config.MaxRun, Reach: r.Config.Reach}
	candidates, err := r.index.Candidates(ctx, r.sigs.All(), c, m.Nodes)
	if err != nil {
		return nil, err
	}
	if m.Own, err = lsh.NewMeetings(ctx, r.sigs.All(), m.Nodes, c, seed); err != nil {
		return nil, err
	}
	if m.Meetings = m.Own; maxRun != 0 && maxRun != c.MaxRun {
		c.MaxRun = maxRun
		if m.Meetings, err = lsh.NewMeetings(ctx, r.sigs.All(), m.Nodes, c, seed); err != nil {
			return nil, err
		}
	}
	m.Similarities, m.Found = lsh.NewSimilarities(r.Nodes()), lsh.NewSimilarities(r.Nodes())
	return m, m.compare(ctx, x, candidates)
}

// compared is the number of sampled nodes that are compared in parallel before they are counted in their order.
const compared = 32

// compare compares and counts the sample, some nodes at a time.
func (m *Measured) compare(ctx context.Context, x *Exact, candidates [][]uint32) error {
	for from := 0; from < len(m.Nodes); from += compared {
		rows := make([][]Similar, min(compared, len(m.Nodes)-from))
		var next atomic.Int64
		g, ctx := errgroup.WithContext(ctx)
		for range min(runtime.GOMAXPROCS(0), len(rows)) {
			g.Go(func() error {
				for i := int(next.Add(1)) - 1; i < len(rows) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
					rows[i] = x.Nodes(nil, m.Nodes[from+i], 0)
				}
				return ctx.Err()
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for i, row := range rows {
			m.count(x, from+i, row, candidates[from+i])
		}
	}
	return nil
}

// count counts one node of the sample: the nodes that are similar to it, and those of them that are candidates and agree.
func (m *Measured) count(x *Exact, i int, similar []Similar, candidates []uint32) {
	r, self := x.run, m.Nodes[i]
	if m.at == nil {
		m.at = make([]float64, r.Nodes())
	}
	all := make([]float64, len(similar))
	for j, s := range similar {
		all[j], m.at[s.ID] = s.Similarity, s.Similarity
	}
	m.Similarities.Add(all)
	var found []float64
	least := lsh.Least(r.Config.Floor, r.sigs.M)
	for _, other := range candidates {
		if m.at[other] > 0 && minhash.Agreement(r.sigs.Row(int(self)), r.sigs.Row(int(other))) >= least {
			found = append(found, m.at[other])
		}
	}
	m.Found.Add(found)
	similarity := func(other uint32) float64 { return m.at[other] }
	if m.Own.Count(i, similarity); m.Meetings != m.Own {
		m.Meetings.Count(i, similarity)
	}
	for _, s := range similar {
		m.at[s.ID] = 0
	}
}

// Choice returns the settings of the index of the run, and its floor.
func (r *Run) Choice() lsh.Choice {
	c := r.Config
	return lsh.Choice{M: c.Signatures, K: c.KeySize, L: c.Keys, Floor: c.Floor}
}

// Model returns models that predict, from a measurement, what other choices would find and cost, and what the run's own
// choice did. Rates are scaled so that the run's own choice costs the processor time of its stage pair.
func (r *Run) Model(m *Measured) (choices, own *lsh.Model) {
	own = &lsh.Model{Similarities: m.Similarities, Meetings: m.Own, Rates: lsh.DefaultRates}
	if s, ok := r.Manifest.Stage("pair"); ok && s.CPUSeconds >= leastSeconds {
		p := own.Predict(r.Choice(), 0.5)
		own.Rates = own.Rates.Scaled(float64(r.Nodes())*float64(p.L), p.Collisions.Value, p.Survivors.Value, s.CPUSeconds)
	}
	return &lsh.Model{Similarities: m.Similarities, Meetings: m.Meetings, Rates: own.Rates}, own
}

// leastSeconds is the shortest time of a stage that rates are scaled by. In shorter stages, opening files takes too large a
// share.
const leastSeconds = 0.5

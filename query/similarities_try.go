package query

import (
	"context"
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"golang.org/x/sync/errgroup"
)

// Tried is what an index finds for the sample.
type Tried struct {
	Found      *lsh.Similarities // pairs of the sample that it finds and that agree at least at its floor
	Candidates lsh.Estimate
}

// Recall returns the share of the pairs of the sample with at least the given similarity that the index finds. It returns
// false if there are no such pairs.
func (t *Tried) Recall(m *Measured, at float64) (lsh.Estimate, bool) {
	return m.Similarities.Share(t.Found, at, 2)
}

// Try makes the signatures and keys of a choice, as a run with the same seed would, and counts which pairs of the sample they
// find, with large buckets paired in part. A model assumes that events are independent; Try does not.
func (r *Run) Try(ctx context.Context, m *Measured, c lsh.Choice, maxRun int) (*Tried, error) {
	index, err := lsh.NewIndex(c.M, c.K, c.L, r.Config.Seed)
	if err != nil {
		return nil, err
	}
	sigs, err := r.signatures(ctx, c.M)
	if err != nil {
		return nil, err
	}
	candidates, err := index.Candidates(ctx, sigs, lsh.Config{MaxRun: maxRun, Reach: r.Config.Reach}, m.Nodes)
	if err != nil {
		return nil, err
	}
	t := &Tried{Found: lsh.NewSimilarities(r.Nodes())}
	met := make([]float64, len(m.Nodes))
	for i, node := range m.Nodes {
		met[i] = float64(len(candidates[i]))
		t.Found.Add(r.agreeing(sigs, node, candidates[i], lsh.Least(c.Floor, c.M)))
	}
	t.Candidates = t.Found.Total(met)
	return t, nil
}

// agreeing returns the similarities above 0 of a node to the others that agree with it in at least so many signatures.
func (r *Run) agreeing(sigs lsh.Signatures, node uint32, others []uint32, least int) (similar []float64) {
	for _, other := range others {
		if minhash.Agreement(sigs.Row(int(node)), sigs.Row(int(other))) < least {
			continue
		}
		if s := bags.Similarity(r.bag(node), r.bag(other)); s > 0 {
			similar = append(similar, s)
		}
	}
	return similar
}

// signatures returns m signatures of each node: those of the run if it has as many, or new ones.
func (r *Run) signatures(ctx context.Context, m int) (lsh.Signatures, error) {
	if m == r.sigs.M {
		return r.sigs.All(), nil
	}
	family := minhash.NewFamily(m, r.Config.Seed)
	sigs := lsh.Signatures{M: m, Rows: make([]byte, r.Nodes()*family.RowSize())}
	g, ctx := errgroup.WithContext(ctx)
	workers := runtime.GOMAXPROCS(0)
	for w := range workers {
		g.Go(func() error {
			var elements []uint32
			for node := w; node < r.Nodes(); node += workers {
				if node%1024 == w && ctx.Err() != nil {
					return ctx.Err()
				}
				elements = r.bag(uint32(node)).Elements(elements[:0], minhash.Element)
				family.Sign(sigs.Row(node), elements)
			}
			return nil
		})
	}
	return sigs, g.Wait()
}

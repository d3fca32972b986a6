package query

import (
	"context"
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"golang.org/x/sync/errgroup"
)

// Tried is what an index does on the sample itself.
type Tried struct {
	Found      *lsh.Similarities // pairs of the sample that it finds and its floor lets through
	Candidates lsh.Estimate
}

// Recall is the share found of the pairs of the sample with a similarity and above, false if it has none.
func (t *Tried) Recall(m *Measured, at float64) (lsh.Estimate, bool) {
	return m.Similarities.Share(t.Found, at, 2)
}

// Try makes the signatures and keys of a choice, as a run with the seed of this one would, and looks whom the sample meets:
// long runs and all. What a prediction takes as independent is counted here.
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

// agreeing are the similarities above 0 of a node to those that agree with it in enough signatures.
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

// signatures are those of the run, or others made anew of its bags.
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

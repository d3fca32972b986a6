package query

import (
	"context"
	"runtime"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/lsh"
	"github.com/lshclust/lshclust/minhash"
	"github.com/lshclust/lshclust/tune"
	"golang.org/x/sync/errgroup"
)

// Try makes the signatures and keys of a choice, as a run with the seed of this one would, and counts the pairs that
// the index forms with the sample when buckets of more than maxBucket nodes are not paired in full.
func (r *Run) Try(ctx context.Context, m *Measured, c tune.Choice, maxBucket int) (*tune.Trial, error) {
	index, err := lsh.NewIndex(c.M, c.K, c.L, r.Config.Seed)
	if err != nil {
		return nil, err
	}
	sigs, err := r.signatures(ctx, c.M)
	if err != nil {
		return nil, err
	}
	candidates, err := index.Candidates(ctx, sigs, lsh.Config{MaxBucket: maxBucket, Reach: r.Config.Reach}, m.Nodes)
	if err != nil {
		return nil, err
	}
	met := make([][]tune.Met, len(m.Nodes))
	for i, node := range m.Nodes {
		met[i] = make([]tune.Met, len(candidates[i]))
		for j, other := range candidates[i] {
			met[i][j] = tune.Met{
				Similarity: bags.Similarity(r.bag(node), r.bag(other)),
				Agreement:  minhash.Agreement(sigs.Row(int(node)), sigs.Row(int(other))),
			}
		}
	}
	return tune.NewTrial(c, m.Similarities, met), nil
}

// signatures returns the signatures of the run, or if m is another number, new signatures of its bags.
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

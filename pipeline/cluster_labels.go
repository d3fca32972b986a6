package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
	"github.com/lshclust/lshclust/text"
	"golang.org/x/sync/errgroup"
)

// labelBatch is the number of clusters whose labels are held until they are written.
const labelBatch = 4096

// writeLabels writes the label of every cluster of two documents or more, in the order of the centers.
func writeLabels(ctx context.Context, t *topical.Tables, centers []uint32, workers int, how text.Analysis, w *tables.ClustersWriter) error {
	labellers := make([]*topical.Labeller, workers)
	for i := range labellers {
		var err error
		if labellers[i], err = t.NewLabeller(how); err != nil {
			return err
		}
	}
	clusters := several(t, centers)
	for len(clusters) > 0 {
		some := clusters[:min(len(clusters), labelBatch)]
		clusters = clusters[len(some):]
		found := make([][]string, len(some))
		g, ctx := errgroup.WithContext(ctx)
		for i, l := range labellers {
			g.Go(func() error {
				for j := i; j < len(some); j += workers {
					if err := ctx.Err(); err != nil {
						return err
					}
					found[j] = l.Label(documentsOf(t, some[j]))
				}
				return nil
			})
		}
		if err := g.Wait(); err != nil {
			return err
		}
		for i, nodes := range some {
			w.Label(t.Nodes.First(centers[nodes[0]]), found[i])
		}
	}
	return ctx.Err()
}

// several returns the nodes of each cluster of two documents or more, the clusters in the order of their centers.
func several(t *topical.Tables, centers []uint32) [][]uint32 {
	byCenter := make([]uint32, len(centers))
	for i := range byCenter {
		byCenter[i] = uint32(i)
	}
	slices.SortFunc(byCenter, func(a, b uint32) int { return cmp.Or(cmp.Compare(centers[a], centers[b]), cmp.Compare(a, b)) })
	var out [][]uint32
	for i := 0; i < len(byCenter); {
		of, j := centers[byCenter[i]], i+1
		for j < len(byCenter) && centers[byCenter[j]] == of {
			j++
		}
		if j-i > 1 || len(t.Nodes.Members(of)) > 1 {
			out = append(out, byCenter[i:j])
		}
		i = j
	}
	return out
}

// documentsOf returns the documents of some nodes, ascending.
func documentsOf(t *topical.Tables, nodes []uint32) []uint32 {
	var ids []uint32
	for _, n := range nodes {
		ids = append(ids, t.Nodes.Members(n)...)
	}
	slices.Sort(ids)
	return ids
}

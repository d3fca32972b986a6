package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
)

// labelBlock is the number of clusters that a worker labels at a time, and labelSize about the bytes of a label.
const (
	labelBlock = 16
	labelSize  = 256
)

// writeLabels writes the label of every cluster of two documents or more, in the order of the centers.
func (b *build) writeLabels(ctx context.Context, t *topical.Tables, centers []uint32, w *tables.ClustersWriter) error {
	labellers := make([]*topical.Labeller, b.workers)
	for i := range labellers {
		var err error
		if labellers[i], err = t.NewLabeller(b.config.TextAnalysis()); err != nil {
			return err
		}
	}
	blocks := slices.Collect(slices.Chunk(several(t, centers), labelBlock))
	return parallel.Ordered(ctx, len(blocks), b.workers, b.memory/16, func(worker, i int, emit func([][]string, int) error) error {
		var labels [][]string
		for _, nodes := range blocks[i] {
			labels = append(labels, labellers[worker].Label(documentsOf(t, nodes)))
		}
		return emit(labels, labelSize*len(labels))
	}, func(i int, labels [][]string) error {
		for j, nodes := range blocks[i] {
			w.Label(t.Nodes.First(centers[nodes[0]]), labels[j])
		}
		return nil
	})
}

// several returns the nodes of each cluster of two documents or more, in the order of the centers.
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

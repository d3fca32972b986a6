package pipeline

import (
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
	first := make([]uint32, len(centers)+1) // where the nodes of a center end in byCenter, or will begin until they are put there
	for _, c := range centers {
		first[c+1]++
	}
	clusters := 0
	for c, n := range first[1:] {
		if n > 1 || n == 1 && len(t.Nodes.Members(uint32(c))) > 1 {
			clusters++
		}
		first[c+1] += first[c]
	}
	byCenter := make([]uint32, len(centers))
	for node, c := range centers {
		byCenter[first[c]] = uint32(node)
		first[c]++
	}
	out, from := make([][]uint32, 0, clusters), uint32(0)
	for c, to := range first[:len(centers)] {
		if to-from > 1 || to-from == 1 && len(t.Nodes.Members(uint32(c))) > 1 {
			out = append(out, byCenter[from:to])
		}
		from = to
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

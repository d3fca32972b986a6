package pipeline

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/topic/clusters"
)

// labelsTogether returns how many of n parts with labels one process should do: as many as take a second, or five
// times as long as reading the clusters of the nodes.
func (s sizes) labelsTogether(n, labels, nodes int) int {
	return max(1, int(int64(max(1<<13, nodes/200))*int64(n)/int64(max(1, labels)))/s.partLabels(n))
}

// labelsStep labels the clusters of two or more documents, in order of the centers.
func (b clusterStage) labelsStep() (*plan, error) {
	nodes := b.countNodes()
	n, err := b.summed("cluster", clusterCenters)
	clusters := int(n["several"])
	size := b.sizes.partLabels(clusters)
	return &plan{
		unit: "clusters", total: int64(clusters), parts: partsOf(clusters, size), several: b.sizes.labelsTogether(clusters, clusters, nodes),
		open: func(ctx context.Context, workers int, from *opened) (partFunc, error) {
			centers, err := b.readCenters(ctx)
			if err != nil {
				return nil, err
			}
			t := openClustering(from)
			if err := from.Ready(); err != nil {
				return nil, err
			}
			found := several(t, centers)
			labellers, err := b.labellers(t, workers)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, len(found))
				return nil, writeLabels(ctx, out, end-first, func(i int) []string {
					return labellers[at.worker].Label(documentsOf(t, found[first+i]))
				})
			}, err
		},
	}, err
}

// labellers returns a labeller for each worker.
func (b *build) labellers(t *clusters.Tables, workers int) (out []*clusters.Labeller, err error) {
	for range workers {
		l, err := t.NewLabeller(b.config.TextAnalysis())
		if err != nil {
			return nil, err
		}
		out = append(out, l)
	}
	return out, nil
}

// writeLabels writes the labels of a part.
func writeLabels(ctx context.Context, out *partFiles, n int, label func(i int) []string) error {
	var body []byte
	return create(out.path(""), func(w io.Writer) error {
		for i := range n {
			body = append(body[:0], strings.Join(label(i), "\n")...)
			if err := writeRecord(w, body); err != nil {
				return err
			}
			out.meter.did(1)
			if ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
}

// eachLabel calls take with the labels of all parts of a step in order, and returns their number.
func (b *build) eachLabel(ctx context.Context, stage, step string, take func(i int, label []string)) (n int, err error) {
	err = b.eachFile(ctx, stage, step, "", bodies(ctx, func(body []byte) error {
		var label []string
		if len(body) > 0 {
			label = strings.Split(string(body), "\n")
		}
		take(n, label)
		n++
		return nil
	}))
	return n, err
}

// several returns the nodes of each cluster of two or more documents, in order of the centers.
func several(t *clusters.Tables, centers []uint32) [][]uint32 {
	first := make([]uint32, len(centers)+1) // end of each center's nodes in byCenter; their start until they are placed
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
func documentsOf(t *clusters.Tables, nodes []uint32) []uint32 {
	var ids []uint32
	for _, n := range nodes {
		ids = append(ids, t.Nodes.Members(n)...)
	}
	slices.Sort(ids)
	return ids
}

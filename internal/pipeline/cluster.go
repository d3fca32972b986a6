package pipeline

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/clusters"
)

// Steps of the stage cluster.
const (
	clusterCenters = "cluster-centers" // CENTER over the nodes, in one part
	clusterLabels  = "cluster-labels"  // by ranges of clusters
)

// findCenters runs CENTER over the nodes and writes the center of every node. All workers compute the keys by which it
// scans them, for which they read all pairs.
func (b clusterStage) findCenters(ctx context.Context, at partAt, out *partFiles) (counts, error) {
	t := openClustering(at.from)
	if err := at.from.Ready(); err != nil {
		return nil, err
	}
	threshold, nodes := float32(b.config.Threshold), t.Nodes.Len()
	var keys []uint64 // of no use in the order of ids
	if b.config.Order != center.ByID {
		keys = make([]uint64, nodes)
	}
	size := b.sizes.partNodes(nodes)
	err := parallel.Each(ctx, partsOf(len(keys), size), b.workers, func(_, i int) error {
		first, end := rangeOf(i, size, len(keys))
		copy(keys[first:end], t.Keys(b.config.Order, first, end, threshold))
		return nil
	})
	if err != nil {
		return nil, err
	}
	centers := t.CentersByKeys(keys, threshold)
	var of centerColumn
	w := createColumns(out.path(""), &of)
	defer w.Abort()
	of.center.AddAll(centers)
	return counts{"several": int64(len(several(t, centers)))}, w.Close()
}

// centerColumn has the center of every node.
type centerColumn struct {
	center mapped.Numbers[uint32] `lsh:"center,stream"`
}

// openCenters opens the tables from which topical clusters are formed, and the center of every node.
func openCenters(from *opened) (t *clusters.Tables, centers []uint32, err error) {
	t = openClustering(from)
	f := workFile(from, stepFile(clusterCenters, "", 0), openWork[centerColumn])
	if err := from.Ready(); err != nil {
		return nil, nil, err
	}
	centers = f.of.center.All()
	return t, centers, f.Err()
}

// joinClusters assigns every document the center of its node, and writes the table with the labels of the clusters.
func (b clusterStage) joinClusters(ctx context.Context, from *opened) (run.StageStats, error) {
	var stats run.StageStats
	t, centers, err := openCenters(from)
	if err != nil {
		return stats, err
	}
	centerOf, similarity := t.Spread(centers)
	w := tables.CreateClusters(b.dir.Temp(tables.ClustersFile), centerOf, similarity)
	defer w.Abort()
	clusters := several(t, centers)
	labelled, err := b.eachLabel(ctx, "cluster", clusterLabels, func(i int, label []string) {
		w.Label(t.Nodes.First(centers[clusters[i][0]]), label)
	})
	if err == nil && labelled != len(clusters) {
		err = fmt.Errorf("%d labels of %d clusters", labelled, len(clusters))
	}
	if err != nil {
		return stats, err
	}
	stats.In = int64(len(centerOf))
	countClusters(centerOf, &stats)
	return stats, w.Close()
}

// openClustering opens the tables from which topical clusters are formed.
func openClustering(from *opened) *clusters.Tables {
	return &clusters.Tables{
		Bags: table(from, tables.BagsFile, tables.OpenBags), Nodes: table(from, tables.NodesFile, tables.OpenNodes),
		Pairs: table(from, tables.PairsFile, tables.OpenPairs), Terms: table(from, tables.TermsFile, tables.OpenTerms),
		Documents: table(from, tables.DocumentsFile, tables.OpenDocuments),
		Evidence:  table(from, tables.EvidenceFile, tables.OpenEvidence),
	}
}

// countClusters counts the clusters by size.
func countClusters(centerOf []uint32, stats *run.StageStats) {
	size, singletons, several, largest := make([]int64, len(centerOf)), int64(0), int64(0), int64(0)
	for _, c := range centerOf {
		size[c]++
		switch size[c] {
		case 1:
			singletons++
		case 2:
			singletons, several = singletons-1, several+1
		}
		largest = max(largest, size[c])
	}
	stats.Counts = map[string]int64{"singletons": singletons, "clusters_of_two_or_more": several, "largest_cluster": largest}
	stats.Out = singletons + several
}

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
			t, centers, err := openCenters(from)
			if err != nil {
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
	return create(out.path(""), func(w io.Writer) error {
		return out.meter.each(ctx, 0, n, func(i int) error {
			return writeRecord(w, []byte(strings.Join(label(i), "\n")))
		})
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
func several(t *clusters.Tables, centers []uint32) (out [][]uint32) {
	first := make([]uint32, len(centers)+1) // index in nodes of the first node of each center
	for _, c := range centers {
		first[c]++
	}
	for c := range centers {
		first[c+1] += first[c]
	}
	nodes := make([]uint32, len(centers))
	for node, c := range slices.Backward(centers) {
		first[c]--
		nodes[first[c]] = uint32(node)
	}
	for c := range centers {
		if of := nodes[first[c]:first[c+1]]; len(of) > 1 || len(of) == 1 && len(t.Nodes.Members(of[0])) > 1 {
			out = append(out, of)
		}
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

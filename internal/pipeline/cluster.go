package pipeline

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/codec"
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

// findCenters runs CENTER over the nodes and writes the center of every node. All workers compute the keys by which it scans
// them, for which they read all pairs.
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
	return counts{"several": int64(len(several(t, centers)))}, writeArray(out.path(""), centers)
}

// readCenters reads the center of every node.
func (b clusterStage) readCenters(ctx context.Context) (centers []uint32, err error) {
	err = readWork(ctx, b.dir.Path(stepFile(clusterCenters, "", 0)), func(data []byte) error {
		d := codec.Decoder{B: data}
		decodeArray(&d, &centers)
		return d.Err
	})
	return centers, err
}

// joinClusters assigns every document the center of its node, and writes the table with the labels of the clusters.
func (b clusterStage) joinClusters(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{Counts: map[string]int64{}}
	from := &opened{Set: b.tables(), b: b.build}
	defer from.close()
	t := openClustering(from)
	if err := from.Ready(); err != nil {
		return stats, err
	}
	centers, err := b.readCenters(ctx)
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
	if err := from.Err(); err != nil {
		return stats, err
	}
	return stats, w.Close()
}

// openClustering opens the tables from which topical clusters are formed.
func openClustering(from *opened) *clusters.Tables {
	return &clusters.Tables{
		Bags: table(from, tables.BagsFile, tables.OpenBags), Nodes: table(from, tables.NodesFile, tables.OpenNodes),
		Pairs: table(from, tables.PairsFile, tables.OpenPairs), Terms: table(from, tables.TermsFile, tables.OpenTerms),
		Documents: table(from, tables.DocumentsFile, tables.OpenDocuments), Evidence: table(from, tables.EvidenceFile, tables.OpenEvidence),
	}
}

// countClusters counts the clusters by size.
func countClusters(centerOf []uint32, stats *run.StageStats) {
	size := make([]uint32, len(centerOf))
	for _, c := range centerOf {
		size[c]++
	}
	most, alone := int64(0), int64(0)
	for _, n := range size {
		most = max(most, int64(n))
		if n > 0 {
			stats.Out++
		}
		if n == 1 {
			alone++
		}
	}
	stats.Counts["singletons"], stats.Counts["clusters_of_two_or_more"] = alone, stats.Out-alone
	stats.Counts["largest_cluster"] = most
}

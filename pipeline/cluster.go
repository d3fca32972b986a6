package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
	"github.com/lshclust/lshclust/run"
)

func (b *build) clustering() stage {
	return stage{name: "cluster", outputs: []string{tables.ClustersFile}, work: b.cluster, whole: true}
}

// cluster runs CENTER over the nodes, gives every document the center of its node, and labels the clusters.
func (b *build) cluster(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	t, set, err := openClustering(b)
	if err != nil {
		return stats, err
	}
	defer set.Close()
	b.report.Stage("cluster", "documents", int64(t.Nodes.Documents()))
	centers := t.Centers(b.config.Order, float32(b.config.Threshold))
	centerOf, similarity := t.Spread(centers)
	w, err := tables.CreateClusters(b.dir.Temp(tables.ClustersFile), centerOf, similarity)
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	if err := b.writeLabels(ctx, t, centers, w); err != nil {
		return stats, err
	}
	stats.In = int64(len(centerOf))
	stats.Counts = map[string]int64{}
	countClusters(centerOf, &stats)
	b.report.At(stats.In)
	return stats, w.Close()
}

// openClustering opens the tables that topical clusters are formed from, which the set closes.
func openClustering(b *build) (*topical.Tables, *tables.Set, error) {
	t, opened := &topical.Tables{}, b.tables()
	set := &opened
	t.Bags = tables.Open(set, b.dir.Path(tables.BagsFile), tables.OpenBags)
	t.Nodes = tables.Open(set, b.dir.Path(tables.NodesFile), tables.OpenNodes)
	t.Pairs = tables.Open(set, b.dir.Path(tables.PairsFile), tables.OpenPairs)
	t.Terms = tables.Open(set, b.dir.Path(tables.TermsFile), tables.OpenTerms)
	t.Documents = tables.Open(set, b.dir.Path(tables.DocumentsFile), tables.OpenDocuments)
	t.Evidence = tables.Open(set, b.dir.Path(tables.EvidenceFile), tables.OpenEvidence)
	return t, set, set.Ready()
}

// countClusters counts the clusters by their sizes.
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

package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

func (b *build) clustering() stage {
	return stage{name: "cluster", outputs: []string{tables.ClustersFile}, work: b.cluster}
}

// cluster runs CENTER over the nodes, gives every document its node's center, and labels the clusters.
func (b *build) cluster(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	c, err := openClustering(b)
	if err != nil {
		return stats, err
	}
	defer c.set.Close()
	b.report.Stage("cluster", "documents", int64(c.nodes.Documents()))
	threshold := float32(b.config.Threshold)
	centers := center.Cluster(c.pairs, c.order(b.config.Order, threshold), threshold)
	centerOf, similarity := c.documents(centers)
	w, err := tables.CreateClusters(b.dir.Temp(tables.ClustersFile), centerOf, similarity)
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	if err := c.labels(ctx, centers, b.workers, b.config.TextAnalysis(), w); err != nil {
		return stats, err
	}
	stats.In = int64(len(centerOf))
	stats.Counts = map[string]int64{}
	countClusters(centerOf, &stats)
	b.report.At(stats.In)
	return stats, w.Close()
}

type clustering struct {
	set   tables.Set // the tables below
	bag   *tables.Bags
	nodes *tables.Nodes
	pairs *tables.Pairs
	terms *tables.Terms
	docs  *tables.Documents
	said  *tables.Evidence
}

func openClustering(b *build) (*clustering, error) {
	c := &clustering{set: b.tables()}
	c.bag = tables.Open(&c.set, b.dir.Path(tables.BagsFile), tables.OpenBags)
	c.nodes = tables.Open(&c.set, b.dir.Path(tables.NodesFile), tables.OpenNodes)
	c.pairs = tables.Open(&c.set, b.dir.Path(tables.PairsFile), tables.OpenPairs)
	c.terms = tables.Open(&c.set, b.dir.Path(tables.TermsFile), tables.OpenTerms)
	c.docs = tables.Open(&c.set, b.dir.Path(tables.DocumentsFile), tables.OpenDocuments)
	c.said = tables.Open(&c.set, b.dir.Path(tables.EvidenceFile), tables.OpenEvidence)
	return c, c.set.Ready()
}

// order is the order of CENTER's scan, nil for that of the ids.
func (c *clustering) order(name string, threshold float32) []uint32 {
	weight := func() []uint32 {
		w := make([]uint32, c.nodes.Len())
		for i := range w {
			w[i] = uint32(len(c.nodes.Members(uint32(i))))
		}
		return w
	}
	switch name {
	case "degree":
		return center.ByDegree(c.pairs, threshold, weight())
	case "similarity":
		return center.BySimilarity(c.pairs, threshold, weight())
	}
	return nil
}

// documents carries the centers over from nodes to documents. A document without words is a cluster of its own.
func (c *clustering) documents(centers []uint32) (centerOf []uint32, similarity []float32) {
	centerOf, similarity = make([]uint32, c.nodes.Documents()), make([]float32, c.nodes.Documents())
	for id := range centerOf {
		centerOf[id], similarity[id] = uint32(id), 1
		node := c.nodes.Of(uint32(id))
		if node == tables.None {
			continue
		}
		of := centers[node]
		if first := c.nodes.First(of); first != tables.None {
			centerOf[id] = first
		}
		if of != node {
			edges := c.pairs.Neighbours(node)
			i, _ := slices.BinarySearchFunc(edges, of, func(e center.Edge, to uint32) int { return cmp.Compare(e.To, to) })
			similarity[id] = edges[i].Similarity
		}
	}
	return centerOf, similarity
}

// countClusters fills in how many clusters there are, of what size.
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

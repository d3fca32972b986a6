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
	defer c.close()
	b.report.Stage("cluster", "documents", int64(c.nodes.Documents()))
	threshold := float32(b.config.Threshold)
	centers := center.Cluster(c.pairs, b.config.Order.Nodes(c.pairs, threshold, c.size), threshold)
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
	bag   *tables.Bags
	nodes *tables.Nodes
	pairs *tables.Pairs
	terms *tables.Terms
	docs  *tables.Documents
	said  *tables.Evidence
}

func openClustering(b *build) (*clustering, error) {
	c := &clustering{}
	var errs [6]error
	c.bag, errs[0] = verified(b, b.dir.Path(tables.BagsFile), tables.OpenBags)
	c.nodes, errs[1] = verified(b, b.dir.Path(tables.NodesFile), tables.OpenNodes)
	c.pairs, errs[2] = verified(b, b.dir.Path(tables.PairsFile), tables.OpenPairs)
	c.terms, errs[3] = verified(b, b.dir.Path(tables.TermsFile), tables.OpenTerms)
	c.docs, errs[4] = verified(b, b.dir.Path(tables.DocumentsFile), tables.OpenDocuments)
	c.said, errs[5] = verified(b, b.dir.Path(tables.EvidenceFile), tables.OpenEvidence)
	return c, cmp.Or(errs[:]...)
}

func (c *clustering) close() {
	c.bag.Close()
	c.nodes.Close()
	c.pairs.Close()
	c.terms.Close()
	c.docs.Close()
	c.said.Close()
}

// size returns the number of documents of a node.
func (c *clustering) size(node uint32) int { return len(c.nodes.Members(node)) }

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

package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/run"
)

// LabelTerms is the number of words that tell what a cluster is about.
const LabelTerms = 5

func (b *build) clustering() stage {
	return stage{name: "cluster", outputs: []string{tables.ClustersFile}, work: b.cluster}
}

// cluster runs CENTER over the nodes and gives every document its node's center.
func (b *build) cluster(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	c, err := openClustering(b)
	if err != nil {
		return stats, err
	}
	defer c.close()
	b.report.Stage("cluster", "documents", int64(c.nodes.Documents()))
	threshold := float32(b.config.Threshold)
	centers := center.Cluster(c.pairs, c.order(b.config.Order, threshold), threshold)
	centerOf, similarity := c.documents(centers)
	w, err := tables.CreateClusters(b.dir.Temp(tables.ClustersFile), centerOf, similarity)
	if err != nil {
		return stats, err
	}
	defer w.Abort()
	if err := c.labels(ctx, centers, w); err != nil {
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
}

func openClustering(b *build) (*clustering, error) {
	c := &clustering{}
	var errs [4]error
	c.bag, errs[0] = tables.OpenBags(b.dir.Path(tables.BagsFile))
	c.nodes, errs[1] = tables.OpenNodes(b.dir.Path(tables.NodesFile))
	c.pairs, errs[2] = tables.OpenPairs(b.dir.Path(tables.PairsFile))
	c.terms, errs[3] = tables.OpenTerms(b.dir.Path(tables.TermsFile))
	return c, cmp.Or(errs[:]...)
}

func (c *clustering) close() {
	c.bag.Close()
	c.nodes.Close()
	c.pairs.Close()
	c.terms.Close()
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
		centerOf[id] = c.nodes.Members(of)[0]
		if of != node {
			edges := c.pairs.Neighbours(node)
			i, _ := slices.BinarySearchFunc(edges, of, func(e center.Edge, to uint32) int { return cmp.Compare(e.To, to) })
			similarity[id] = edges[i].Similarity
		}
	}
	return centerOf, similarity
}

// labels writes for every cluster of two documents or more the terms that weigh most in its bags.
func (c *clustering) labels(ctx context.Context, centers []uint32, w *tables.ClustersWriter) error {
	byCenter := make([]uint32, len(centers))
	for i := range byCenter {
		byCenter[i] = uint32(i)
	}
	slices.SortFunc(byCenter, func(a, b uint32) int { return cmp.Or(cmp.Compare(centers[a], centers[b]), cmp.Compare(a, b)) })
	for i := 0; i < len(byCenter); {
		of, j := centers[byCenter[i]], i+1
		for j < len(byCenter) && centers[byCenter[j]] == of {
			j++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if j-i > 1 || len(c.nodes.Members(of)) > 1 {
			w.Label(c.nodes.Members(of)[0], c.label(byCenter[i:j]))
		}
		i = j
	}
	return nil
}

// label returns the words of the terms with the greatest counts over the bags of all documents of some nodes.
func (c *clustering) label(nodes []uint32) []string {
	type total struct {
		term  uint32
		count uint64
	}
	sum := map[uint32]uint64{}
	for _, n := range nodes {
		members := c.nodes.Members(n)
		bag := c.bag.At(members[0])
		for i, t := range bag.Terms {
			sum[t] += uint64(bag.Counts[i]) * uint64(len(members))
		}
	}
	var best []total
	for t, n := range sum {
		x := total{t, n}
		i, _ := slices.BinarySearchFunc(best, x, func(a, b total) int {
			return cmp.Or(cmp.Compare(b.count, a.count), cmp.Compare(a.term, b.term))
		})
		if i < LabelTerms {
			best = slices.Insert(best, i, x)
			best = best[:min(len(best), LabelTerms)]
		}
	}
	words := make([]string, len(best))
	for i, b := range best {
		words[i] = c.terms.Word(b.term)
	}
	return words
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

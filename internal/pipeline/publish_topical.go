package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

type topicalTables struct {
	nodes    *tables.Nodes
	pairs    *tables.Pairs
	clusters *tables.Clusters
	tree     *tables.Tree
	size     []int32 // number of documents in the cluster of each center
}

func openTopical(from *opened) *topicalTables {
	t := &topicalTables{nodes: table(from, tables.NodesFile, tables.OpenNodes), pairs: table(from, tables.PairsFile, tables.OpenPairs)}
	t.clusters, t.tree = table(from, tables.ClustersFile, tables.OpenClusters), table(from, tables.TreeFile, tables.OpenTree)
	from.Do(func() error {
		t.size = make([]int32, t.clusters.Len())
		for _, c := range t.clusters.Centers() {
			t.size[c]++
		}
		return nil
	})
	return t
}

// clusterRows writes topical_clusters.parquet.
func (p *publishing) clusterRows(ctx context.Context, to share) (int64, error) {
	return writeTable(ctx, p, to.path, func(add func(run.TopicalClusterRow) error) error {
		for id := to.from; id < to.to; id++ {
			c, s := p.topical.clusters.Center(id)
			err := add(run.TopicalClusterRow{
				URL: p.docs.URL(id), ClusterID: tables.ClusterID(p.docs.URL(c)), ClusterSize: p.size(c),
				IsCenter: c == id, SimilarityToCenter: s, LabelTerms: p.topical.clusters.Label(c),
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// size returns the number of documents of the topical cluster of a center. In a damaged table the center may not
// exist.
func (p *publishing) size(of uint32) int32 {
	if int64(of) >= int64(len(p.topical.size)) {
		return 1
	}
	return max(1, p.topical.size[of])
}

// pairRows writes topical_pairs.parquet, each pair once. Only the first document of a node is in pairs with other
// nodes. Each of the others is in one pair with the first.
func (p *publishing) pairRows(ctx context.Context, to share) (int64, error) {
	m, nodes, pairs := float32(p.b.config.Signatures), p.topical.nodes, p.topical.pairs
	return writeTable(ctx, p, to.path, func(add func(run.TopicalPairRow) error) error {
		for node := to.from; node < to.to; node++ {
			members := nodes.Members(node)
			if len(members) == 0 {
				return nodes.Err()
			}
			a := p.docs.URL(members[0])
			for _, id := range members[1:] {
				if err := add(run.TopicalPairRow{URLA: a, URLB: p.docs.URL(id), Agreement: 1, Similarity: 1}); err != nil {
					return err
				}
			}
			agreements := pairs.Agreements(node)
			for i, e := range pairs.Neighbours(node) {
				if e.To < node {
					continue
				}
				b := p.docs.URL(nodes.First(e.To))
				if err := add(run.TopicalPairRow{URLA: a, URLB: b, Agreement: float32(agreements[i]) / m, Similarity: e.Similarity}); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

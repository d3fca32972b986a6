package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

type topicalTables struct {
	clusters *tables.Clusters
	tree     *tables.Tree
	size     []int32 // number of documents in the cluster of each center
}

func openTopical(from *opened) *topicalTables {
	t := &topicalTables{clusters: table(from, tables.ClustersFile, tables.OpenClusters), tree: table(from, tables.TreeFile, tables.OpenTree)}
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

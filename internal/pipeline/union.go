package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// union clusters the pages by union-find over the pairs that the policy of the run admits.
func (b syntacticStages) union(ctx context.Context, from *opened, out *partFiles) (run.StageStats, error) {
	stats := run.StageStats{}
	equal, _, err := b.readEqual()
	if err != nil {
		return stats, err
	}
	docs, pages := table(from, tables.DocumentsFile, tables.OpenDocuments), table(from, tables.ShinglesFile, tables.OpenShingles)
	similar, r := table(from, tables.SimilarFile, tables.OpenSimilar), b.resources(from)
	if err := from.Ready(); err != nil {
		return stats, err
	}
	b.report.Stage("union", "pages", int64(equal.Len()))
	c, err := resemble.Cluster(ctx, equal, similar.All(),
		resemble.ClusterConfig{Policy: b.config.Policy(), Weight: representing(docs, pages), Resources: r})
	if err != nil {
		return stats, err
	}
	stats.In, stats.Counts = int64(c.Len()), map[string]int64{}
	stats.Out = stats.In
	for _, g := range c.Groups() {
		stats.Out -= int64(g.Documents) - 1
		stats.Counts["clusters_of_two_or_more"]++
		stats.Counts["largest_cluster"] = max(stats.Counts["largest_cluster"], int64(g.Documents))
		if g.Chained > 0 {
			stats.Counts["clusters_with_chains"]++
		}
	}
	return stats, tables.WriteUnion(out.named(tables.UnionFile), c)
}

// representing returns the weights of pages for choosing the representative of a cluster: a page that asks search
// engines not to index it does not represent others unless all of them ask for it.
func representing(docs *tables.Documents, pages *tables.Shingles) func(page uint32) float64 {
	return func(page uint32) float64 {
		if docs.NoIndex(pages.Document(page)) {
			return -1
		}
		return 0
	}
}

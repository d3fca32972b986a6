package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/run"
)

func (b *build) uniting() stage {
	return stage{name: "union", outputs: []string{tables.UnionFile}, work: b.union, whole: true}
}

// union clusters the pages by union-find over the pairs that the policy of the run admits.
func (b *build) union(ctx context.Context) (run.StageStats, error) {
	stats := run.StageStats{}
	equal, _, err := b.readEqual()
	if err != nil {
		return stats, err
	}
	set := b.tables()
	docs := tables.Open(&set, b.dir.Path(tables.DocumentsFile), tables.OpenDocuments)
	pages := tables.Open(&set, b.dir.Path(tables.ShinglesFile), tables.OpenShingles)
	similar := tables.Open(&set, b.dir.Path(tables.SimilarFile), tables.OpenSimilar)
	if err := set.Ready(); err != nil {
		return stats, err
	}
	defer set.Close()
	r, done, err := b.resources("sort-union")
	if err != nil {
		return stats, err
	}
	defer done()
	b.report.Stage("union", "pages", int64(equal.Len()))
	c, err := resemble.Cluster(ctx, equal, similar.All(), resemble.ClusterConfig{Policy: b.config.Policy(), Weight: representing(docs, pages), Resources: r})
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
	return stats, tables.WriteUnion(b.dir.Temp(tables.UnionFile), c)
}

// representing returns the weights of pages for the choice of the representative of a cluster: a page that asks search
// engines not to index it does not represent others, unless all of them ask for it.
func representing(docs *tables.Documents, pages *tables.Shingles) func(page uint32) float64 {
	return func(page uint32) float64 {
		if docs.At(pages.Document(page)).NoIndex {
			return -1
		}
		return 0
	}
}

package topics

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// ClusterByID returns the topical cluster with an id. The cluster may have one document only.
func ClusterByID(r *runs.Run, id string) (TopicalCluster, error) {
	if err := r.Need(config.Topical); err != nil {
		return TopicalCluster{}, err
	}
	d, err := runs.ClusterHolder(r, id)
	if err != nil {
		return TopicalCluster{}, err
	}
	if center, _ := r.Clusters.Center(d); center != d {
		return TopicalCluster{}, fmt.Errorf("%q: %w", id, runs.ErrNoCluster)
	}
	return ClusterOf(r, d)
}

// Members returns at most n documents of a topical cluster, after the first skip of them. The center comes
// first, then the others by their similarity to it; ties are sorted by URL.
func Members(r *runs.Run, c TopicalCluster, skip, n int) []TopicalMember {
	all := make([]TopicalMember, len(c.members))
	for i, id := range c.members {
		all[i] = TopicalMember{id, c.similarity[i]}
	}
	slices.SortFunc(all, func(a, b TopicalMember) int {
		switch c.Center {
		case a.ID:
			return -1
		case b.ID:
			return 1
		}
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(r.Docs.URL(a.ID), r.Docs.URL(b.ID)))
	})
	all = all[min(max(skip, 0), len(all)):]
	return all[:min(max(n, 0), len(all))]
}

// Bag returns the bag of a document, which is empty if the document has none. The bag points into the tables.
func Bag(r *runs.Run, id uint32) bags.Bag {
	if r.Bags == nil {
		return bags.Bag{}
	}
	return r.Bags.At(id)
}

// bagOf returns the bag of a node, which is empty if the table is damaged.
func bagOf(r *runs.Run, node uint32) bags.Bag {
	return r.Bags.At(r.Nodes.First(node))
}

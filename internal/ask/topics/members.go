package topics

import (
	"cmp"
	"fmt"
	"slices"

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
	order := make([]int, len(c.members))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int {
		switch a, b := c.members[i], c.members[j]; {
		case a == b:
			return 0
		case a == c.Center:
			return -1
		case b == c.Center:
			return 1
		default:
			return cmp.Or(cmp.Compare(c.similarity[j], c.similarity[i]), cmp.Compare(r.Docs.URL(a), r.Docs.URL(b)))
		}
	})
	skip = min(max(skip, 0), len(order))
	var out []TopicalMember
	for _, i := range order[skip : skip+min(max(n, 0), len(order)-skip)] {
		out = append(out, TopicalMember{c.members[i], c.similarity[i]})
	}
	return out
}

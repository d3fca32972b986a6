package tree

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/center"
)

// Config holds the settings of Build. Only Thresholds and Order affect the tree.
type Config struct {
	Thresholds []float64    // minimum average similarity of two clusters that a level joins, from the lowest level up
	Order      center.Order // order in which CENTER scans the clusters of a level; ByID is the order of their centers
	Workers    int          // number of goroutines; 0 means 1
	Edges      int          // maximum number of edges between clusters in memory, about EdgeBytes each; 0: no limit
}

// MostLevels is the largest number of levels above the lowest one.
const MostLevels = 32

// EdgeBytes is the approximate memory of an edge between clusters: 12 bytes, and room to grow.
const EdgeBytes = 16

// Check returns an error if there are too many thresholds, or if they are not in (0, 1] or not descending.
func Check(thresholds []float64) error {
	if len(thresholds) > MostLevels {
		return fmt.Errorf("%d levels are more than %d", len(thresholds), MostLevels)
	}
	for i, t := range thresholds {
		switch {
		case !(t > 0 && t <= 1):
			return fmt.Errorf("threshold %g of level %d is not above 0 and at most 1", t, i+1)
		case i > 0 && t >= thresholds[i-1]:
			return fmt.Errorf("threshold %g of level %d is not below that of the level before, %g", t, i+1, thresholds[i-1])
		}
	}
	return nil
}

// Tree is a nesting of clusters. Level 0 is the lowest. Every level is a coarsening of the level below.
type Tree struct {
	lowest []uint32 // cluster of level 0 of each node of the graph
	levels []level
}

// level holds the clusters of one level, in the order of their centers.
type level struct {
	center []uint32 // node at the center of each cluster
	parent []uint32 // cluster of the next level; nil at the highest level
}

// Build builds a tree over a clustering of the nodes of g. lowest is the center of each node, as center.Cluster returns
// it. The center of a cluster of a higher level is the center of one of the clusters in it.
func Build(ctx context.Context, g center.Graph, lowest []uint32, c Config) (*Tree, error) {
	if err := Check(c.Thresholds); err != nil {
		return nil, err
	}
	if len(lowest) != g.Len() {
		return nil, fmt.Errorf("%d centers for a graph of %d nodes", len(lowest), g.Len())
	}
	bottom, err := number(lowest)
	if err != nil {
		return nil, err
	}
	t := &Tree{lowest: bottom.of, levels: []level{{center: bottom.centers}}}
	l := newLinks(g, bottom.of, len(bottom.centers))
	for _, threshold := range c.Thresholds {
		graph, err := l.graph(ctx, max(1, c.Workers), c.Edges)
		if err != nil {
			return nil, err
		}
		joined, err := number(center.Cluster(graph, c.Order.Nodes(graph, float32(threshold), nil), float32(threshold)))
		if err != nil {
			return nil, err
		}
		below := &t.levels[len(t.levels)-1]
		below.parent = joined.of
		above := level{center: make([]uint32, len(joined.centers))}
		for i, group := range joined.centers {
			above.center[i] = below.center[group]
		}
		t.levels = append(t.levels, above)
		l.join(joined.of, len(joined.centers))
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	return t, nil
}

// numbered is a clustering whose clusters are numbered in the order of their centers.
type numbered struct {
	of      []uint32 // number of the cluster of each node
	centers []uint32 // by number, ascending
}

// number numbers the clusters of a clustering, given the center of each node.
func number(centerOf []uint32) (numbered, error) {
	n := numbered{of: make([]uint32, len(centerOf))}
	for u, c := range centerOf {
		if int(c) == u {
			n.of[u] = uint32(len(n.centers))
			n.centers = append(n.centers, c)
		}
	}
	for u, c := range centerOf {
		if int64(c) >= int64(len(centerOf)) || centerOf[c] != c {
			return n, fmt.Errorf("node %d has the center %d, which is not a center", u, c)
		}
		n.of[u] = n.of[c]
	}
	return n, nil
}

// Levels returns the number of levels, the lowest included.
func (t *Tree) Levels() int { return len(t.levels) }

// Centers returns the center of the cluster of each node at a level, as center.Cluster returns it.
func (t *Tree) Centers(level int) []uint32 {
	out := make([]uint32, len(t.lowest))
	for u, cluster := range t.lowest {
		for l := range level {
			cluster = t.levels[l].parent[cluster]
		}
		out[u] = t.levels[level].center[cluster]
	}
	return out
}

package tree

import (
	"context"
	"fmt"
	"iter"

	"github.com/lshclust/lshclust/center"
)

// Config holds the settings of Build. Only Thresholds affects the tree.
type Config struct {
	Thresholds []float64 // minimum average similarity of clusters that are joined, from the lowest level up
	Workers    int       // number of goroutines; 0 means 1
	Links      int       // maximum number of links in memory, LinkBytes each; others are in temporary files; 0: no limit
	Dir        string    // folder for these files; "" means the default one
}

// MostLevels is the largest number of levels.
const MostLevels = 32

// Seed is the similarity of the pairs with which Build begins or, if it is greater, the threshold of the lowest level.
const Seed = 0.2

// step is the factor by which the threshold falls at most from one pass of CENTER to the next.
const step = 1.5

// Check returns an error if there are too many thresholds, or if they are not in (0, 1] or not descending.
func Check(thresholds []float64) error {
	if len(thresholds) > MostLevels {
		return fmt.Errorf("%d levels are more than %d", len(thresholds), MostLevels)
	}
	for i, t := range thresholds {
		switch {
		case !(t > 0 && t <= 1):
			return fmt.Errorf("threshold %g of level %d is not above 0 and at most 1", t, i)
		case i > 0 && t >= thresholds[i-1]:
			return fmt.Errorf("threshold %g of level %d is not below that of the level before, %g", t, i, thresholds[i-1])
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

// Build builds a tree over the nodes of g with a level for each threshold. Without thresholds, the clusters that Build
// begins with are the only level. The center of a cluster is the center of one of the clusters in it.
func Build(ctx context.Context, g center.Graph, c Config) (*Tree, error) {
	if err := Check(c.Thresholds); err != nil {
		return nil, err
	}
	from := Seed
	if len(c.Thresholds) > 0 {
		from = max(from, c.Thresholds[0])
	}
	t := &Tree{}
	joined := cluster(g, from)
	of, centers := joined.of, joined.centers // of what is clustered since the last level
	if len(c.Thresholds) == 0 {
		t.add(of, centers)
	}
	l := linksOf(g)
	defer func() { l.free() }()
	for _, threshold := range c.Thresholds {
		for at := range steps(from, threshold) {
			between, err := l.join(ctx, joined, c)
			if err != nil {
				return nil, err
			}
			l.free()
			l = between
			joined = cluster(&average{links: l}, at)
			of, centers = chosen(joined.of, of), chosen(centers, joined.centers)
		}
		t.add(of, centers)
		of, from = identity(len(centers)), threshold
	}
	return t, nil
}

// steps yields thresholds that fall from one to another, without the first.
func steps(from, to float64) iter.Seq[float64] {
	return func(yield func(float64) bool) {
		for t := from / step; t > to; t /= step {
			if !yield(t) {
				return
			}
		}
		yield(to)
	}
}

// add adds a level above the others, given the cluster of each cluster of the level below or, for the first level, of each
// node of the graph.
func (t *Tree) add(of, centers []uint32) {
	if len(t.levels) == 0 {
		t.lowest = of
	} else {
		t.levels[len(t.levels)-1].parent = of
	}
	t.levels = append(t.levels, level{center: centers})
}

// chosen returns the elements of a slice with some indexes.
func chosen(from, indexes []uint32) []uint32 {
	out := make([]uint32, len(indexes))
	for i, at := range indexes {
		out[i] = from[at]
	}
	return out
}

func identity(n int) []uint32 {
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(i)
	}
	return out
}

// numbered is a clustering whose clusters are numbered in the order of their centers.
type numbered struct {
	of      []uint32 // number of the cluster of each node
	centers []uint32 // by number, ascending
}

// cluster runs CENTER over a graph, and scans the node with the strongest edge first.
func cluster(g center.Graph, threshold float64) (n numbered) {
	least := float32(threshold)
	n.of = center.Cluster(g, center.BySimilarity.Nodes(g, least, nil), least)
	number := make([]uint32, len(n.of)) // of the centers
	for u, c := range n.of {
		if int(c) == u {
			number[u] = uint32(len(n.centers))
			n.centers = append(n.centers, c)
		}
	}
	n.of = chosen(number, n.of)
	return n
}

// Levels returns the number of levels.
func (t *Tree) Levels() int { return len(t.levels) }

// Centers returns the center of the cluster of each node at a level, as center.Cluster returns it.
func (t *Tree) Centers(level int) []uint32 {
	of := t.lowest
	for l := range level {
		of = chosen(t.levels[l].parent, of)
	}
	return chosen(t.levels[level].center, of)
}

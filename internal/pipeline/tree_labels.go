package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/topic/clusters"
)

// treeLabelling is the state of a step that labels nodes of the tree.
type treeLabelling struct {
	forest    *clusters.Forest
	labellers []*clusters.Labeller // for each worker
}

func (b treeStage) openTreeLabelling(from *opened, workers int) (l treeLabelling, err error) {
	if l.forest, err = b.readForest(from); err != nil {
		return l, err
	}
	t := openClustering(from)
	if err := from.Ready(); err != nil {
		return l, err
	}
	l.labellers, err = b.labellers(t, workers)
	return l, err
}

// labelsStep labels the nodes. Nodes are numbered in preorder, so each node above one in a part precedes it in the same part, or
// is above the first node of the part. A labeller computes the labels of the latter, too; there are no more of them than levels.
func (b treeStage) labelsStep() (*plan, error) {
	n, err := b.summed("tree", treeBuild)
	nodes, labels := int(n["out"]), int(n["leaves_of_two_or_more"]+n["out"]-n["in"])
	size := b.sizes.partLabels(nodes)
	return &plan{
		unit: "nodes", total: int64(nodes), parts: partsOf(nodes, size), several: b.sizes.labelsTogether(nodes, labels, nodes),
		open: func(_ context.Context, workers int, from *opened) (partFunc, error) {
			l, err := b.openTreeLabelling(from, workers)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, nodes)
				by := l.labellers[at.worker].NewTreeLabeller(l.forest)
				return nil, writeLabels(ctx, out, end-first, func(i int) []string { return by.Label(uint32(first + i)) })
			}, err
		},
	}, err
}

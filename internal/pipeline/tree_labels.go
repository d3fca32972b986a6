package pipeline

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/tables"
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

// label returns the label of a node, or nil for a document alone. above has the labels of the nodes above it.
func (l treeLabelling) label(by *clusters.TreeLabeller, node uint32, above map[uint32][]string) []string {
	if l.forest.Node(node).Size < 2 {
		return nil
	}
	var phrases []string
	for _, up := range l.nodesAbove(node) {
		phrases = append(phrases, above[up]...)
	}
	return by.Label(node, phrases)
}

// nodesAbove returns the nodes above a node, nearest first.
func (l treeLabelling) nodesAbove(node uint32) (out []uint32) {
	for up := l.forest.Node(node).Parent; up != tables.None; up = l.forest.Node(up).Parent {
		out = append(out, up)
	}
	return out
}

// labelsStep labels the nodes. Nodes are numbered in preorder, so each node above one in a part precedes it in the same part, or
// is above the first node of the part. The part computes the labels of the latter, too; there are no more of them than levels.
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
				above, by := map[uint32][]string{}, l.labellers[at.worker].NewTreeLabeller(l.forest)
				if first < end {
					for _, up := range slices.Backward(l.nodesAbove(uint32(first))) {
						above[up] = l.label(by, up, above)
					}
				}
				return nil, writeLabels(ctx, out, end-first, func(i int) []string {
					node := uint32(first + i)
					label := l.label(by, node, above)
					if l.forest.Node(node).Level > 0 {
						above[node] = label
					}
					return label
				})
			}, err
		},
	}, err
}

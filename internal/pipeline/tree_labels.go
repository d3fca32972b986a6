package pipeline

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
)

// treeLabelling is the state of a step that labels nodes of the tree.
type treeLabelling struct {
	forest    *topical.Forest
	labellers []*topical.TreeLabeller // for each worker
}

func (b treeStage) openTreeLabelling(from *opened, workers int) (l treeLabelling, err error) {
	if l.forest, err = b.readForest(from); err != nil {
		return l, err
	}
	t := openClustering(from)
	if err := from.Ready(); err != nil {
		return l, err
	}
	labellers, err := b.labellers(t, workers)
	for _, of := range labellers {
		l.labellers = append(l.labellers, of.NewTreeLabeller(l.forest))
	}
	return l, err
}

// label returns the label of a node, or nil for a document alone. above has the labels of the nodes above it.
func (l treeLabelling) label(worker int, node uint32, above map[uint32][]string) []string {
	if l.forest.Node(node).Size < 2 {
		return nil
	}
	var phrases []string
	for _, up := range l.nodesAbove(node) {
		phrases = append(phrases, above[up]...)
	}
	return l.labellers[worker].Label(node, phrases)
}

// nodesAbove returns the nodes above a node, nearest first.
func (l treeLabelling) nodesAbove(node uint32) (out []uint32) {
	for up := l.forest.Node(node).Parent; up != tables.None; up = l.forest.Node(up).Parent {
		out = append(out, up)
	}
	return out
}

// aboveStep labels the inner nodes. Nodes are numbered in preorder, so each node above one in a part precedes it in
// the same part, or is above the first node of the part. The part computes the labels of the latter, too; there are
// no more of them than levels.
func (b treeStage) aboveStep() (*plan, error) {
	n, err := b.summed("tree", treeBuild)
	nodes := int(n["out"] - n["in"])
	size := b.sizes.partLabels(nodes)
	return &plan{
		parts: partsOf(nodes, size), several: b.sizes.labelsTogether(nodes, nodes, int(n["out"])),
		open: func(_ context.Context, workers int, from *opened) (partFunc, error) {
			l, err := b.openTreeLabelling(from, workers)
			if err != nil {
				return nil, err
			}
			nodes := notLeaves(l.forest)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, len(nodes))
				above := map[uint32][]string{}
				if first < end {
					for _, up := range slices.Backward(l.nodesAbove(nodes[first])) {
						above[up] = l.label(at.worker, up, above)
					}
				}
				return nil, writeLabels(ctx, out, end-first, func(i int) []string {
					node := nodes[first+i]
					above[node] = l.label(at.worker, node, above)
					return above[node]
				})
			}, nil
		},
	}, err
}

// readAbove reads the labels of the inner nodes.
func (b treeStage) readAbove(ctx context.Context, f *topical.Forest) (map[uint32][]string, error) {
	nodes, labels := notLeaves(f), map[uint32][]string{}
	_, err := b.eachLabel(ctx, "tree", treeAbove, func(i int, label []string) {
		if i < len(nodes) {
			labels[nodes[i]] = label
		}
	})
	return labels, err
}

// leavesStep labels the leaves. A part writes a label for each node of a range, which is empty for an inner node.
func (b treeStage) leavesStep() (*plan, error) {
	n, err := b.summed("tree", treeBuild)
	nodes, labels := int(n["out"]), int(n["leaves_of_two_or_more"])
	size := b.sizes.partLabels(nodes)
	return &plan{
		unit: "nodes", total: int64(nodes), parts: partsOf(nodes, size), several: b.sizes.labelsTogether(nodes, labels, nodes),
		open: func(ctx context.Context, workers int, from *opened) (partFunc, error) {
			l, err := b.openTreeLabelling(from, workers)
			if err != nil {
				return nil, err
			}
			above, err := b.readAbove(ctx, l.forest)
			return func(ctx context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, nodes)
				return nil, writeLabels(ctx, out, end-first, func(i int) []string {
					if l.forest.Node(uint32(first+i)).Level > 0 {
						return nil
					}
					return l.label(at.worker, uint32(first+i), above)
				})
			}, err
		},
	}, err
}

// notLeaves returns the inner nodes in order.
func notLeaves(f *topical.Forest) (out []uint32) {
	for i := range f.Len() {
		if f.Node(uint32(i)).Level > 0 {
			out = append(out, uint32(i))
		}
	}
	return out
}

package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
)

// treeLabelling is the state of a step that labels nodes of the tree.
type treeLabelling struct {
	b         *build
	set       *tables.Set
	flat      *tables.Clusters
	forest    *topical.Forest
	stored    *tables.Tree            // of the forest
	labellers []*topical.TreeLabeller // by worker
}

func (b *build) openTreeLabelling(workers int) (*treeLabelling, error) {
	l := &treeLabelling{b: b}
	var err error
	if l.forest, l.stored, err = b.readForest(); err != nil {
		return nil, err
	}
	t, set, err := openClustering(b)
	if err != nil {
		l.stored.Close()
		return nil, err
	}
	l.set, l.flat = set, tables.Open(set, b.dir.Path(tables.ClustersFile), tables.OpenClusters)
	if err := set.Ready(); err != nil {
		l.stored.Close()
		return nil, err
	}
	labellers, err := b.labellers(t, workers)
	if err != nil {
		l.close()
		return nil, err
	}
	for _, of := range labellers {
		l.labellers = append(l.labellers, of.NewTreeLabeller(l.forest))
	}
	return l, nil
}

func (l *treeLabelling) close() {
	l.set.Close()
	l.stored.Close()
}

// err returns the first damage in what was read.
func (l *treeLabelling) err() error { return cmp.Or(l.set.Err(), l.stored.Err()) }

// label returns the label of a node, nil for a cluster of one document. above has the labels of the nodes above it. A leaf
// without siblings keeps the label of the flat cluster.
func (l *treeLabelling) label(worker int, node uint32, above map[uint32][]string) []string {
	switch n := l.forest.Node(node); {
	case n.Level == 0 && n.Parent == tables.None:
		return l.flat.Label(n.Center)
	case n.Size > 1:
		var phrases []string
		for _, up := range l.nodesAbove(node) {
			phrases = append(phrases, above[up]...)
		}
		return l.labellers[worker].Label(node, phrases)
	}
	return nil
}

// nodesAbove returns the nodes above a node, the nearest first.
func (l *treeLabelling) nodesAbove(node uint32) (out []uint32) {
	for up := l.forest.Node(node).Parent; up != tables.None; up = l.forest.Node(up).Parent {
		out = append(out, up)
	}
	return out
}

// aboveStep labels the nodes that are not leaves.
func (b *build) aboveStep(name string) (*step, error) {
	n, err := b.summed("tree", treeBuild)
	nodes := int(n["out"] - n["in"])
	return &step{
		name: name, parts: partsOf(nodes, b.sizes.partLabels(nodes)), several: b.sizes.labelsTogether(nodes, nodes, int(n["out"])),
		open: func(_ context.Context, workers int) (parter, error) {
			l, err := b.openTreeLabelling(workers)
			if err != nil {
				return nil, err
			}
			return aboveParter{l, notLeaves(l.forest)}, nil
		},
	}, err
}

type aboveParter struct {
	*treeLabelling
	nodes []uint32 // that are not leaves
}

// part writes the labels of a range of the nodes. Nodes are numbered in preorder, so the nodes above one of them are in
// the range before it, or above the first one. The labels of the latter are made again: there are no more than levels.
func (p aboveParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	from, to := rangeOf(i, p.b.sizes.partLabels(len(p.nodes)), len(p.nodes))
	above := map[uint32][]string{}
	if from < to {
		for _, up := range slices.Backward(p.nodesAbove(p.nodes[from])) {
			above[up] = p.label(worker, up, above)
		}
	}
	err := writeLabels(ctx, out, to-from, func(i int) []string {
		node := p.nodes[from+i]
		above[node] = p.label(worker, node, above)
		return above[node]
	})
	return nil, cmp.Or(err, p.err())
}

// readAbove reads the labels of the nodes that are not leaves.
func (b *build) readAbove(ctx context.Context, f *topical.Forest) (map[uint32][]string, error) {
	nodes, labels := notLeaves(f), map[uint32][]string{}
	_, err := b.eachLabel(ctx, "tree", treeAbove, func(i int, label []string) {
		if i < len(nodes) {
			labels[nodes[i]] = label
		}
	})
	return labels, err
}

// leavesStep labels the leaves.
func (b *build) leavesStep(name string) (*step, error) {
	n, err := b.summed("tree", treeBuild)
	flat, _ := b.dir.Stats("cluster")
	nodes, labels := int(n["out"]), int(flat.Counts["clusters_of_two_or_more"])
	return &step{
		name: name, told: "tree", unit: "nodes", total: int64(nodes), parts: partsOf(nodes, b.sizes.partLabels(nodes)),
		several: b.sizes.labelsTogether(nodes, labels, nodes),
		open: func(ctx context.Context, workers int) (parter, error) {
			l, err := b.openTreeLabelling(workers)
			if err != nil {
				return nil, err
			}
			above, err := b.readAbove(ctx, l.forest)
			if err != nil {
				l.close()
				return nil, err
			}
			return leavesParter{l, above}, nil
		},
	}, err
}

type leavesParter struct {
	*treeLabelling
	above map[uint32][]string // labels of the nodes that are not leaves
}

// part writes a label for each node of a range, an empty one if it is not a leaf.
func (p leavesParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	from, to := rangeOf(i, p.b.sizes.partLabels(p.forest.Len()), p.forest.Len())
	err := writeLabels(ctx, out, to-from, func(i int) []string {
		if p.forest.Node(uint32(from+i)).Level > 0 {
			return nil
		}
		return p.label(worker, uint32(from+i), p.above)
	})
	return nil, cmp.Or(err, p.err())
}

// notLeaves returns the nodes that are not leaves in their order.
func notLeaves(f *topical.Forest) (out []uint32) {
	for i := range f.Len() {
		if f.Node(uint32(i)).Level > 0 {
			out = append(out, uint32(i))
		}
	}
	return out
}

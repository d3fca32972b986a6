package pipeline

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/internal/parallel"
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
	above     map[uint32][]string     // labels of the nodes that are not leaves
}

func (b *build) openTreeLabelling(workers int) (*treeLabelling, error) {
	l := &treeLabelling{b: b, above: map[uint32][]string{}}
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

// label returns the label of a node, nil for a cluster of one document. The nodes above it must have theirs. A leaf
// without siblings keeps the label of the flat cluster.
func (l *treeLabelling) label(worker int, node uint32) []string {
	switch n := l.forest.Node(node); {
	case n.Level == 0 && n.Parent == tables.None:
		return l.flat.Label(n.Center)
	case n.Size > 1:
		return l.labellers[worker].Label(node, l.phrasesAbove(node))
	}
	return nil
}

func (l *treeLabelling) phrasesAbove(node uint32) (phrases []string) {
	for up := l.forest.Node(node).Parent; up != tables.None; up = l.forest.Node(up).Parent {
		phrases = append(phrases, l.above[up]...)
	}
	return phrases
}

// aboveStep labels the nodes that are not leaves.
func (b *build) aboveStep(name string) (*step, error) {
	return &step{name: name, parts: 1, together: true, open: func(context.Context, int) (parter, error) {
		l, err := b.openTreeLabelling(b.workers)
		return aboveParter{l}, err
	}}, nil
}

type aboveParter struct{ *treeLabelling }

// labelBlock is the number of nodes that a worker labels at a time, so that it labels siblings together.
const labelBlock = 16

// part labels the nodes depth by depth, and writes the labels in the order of the nodes.
func (p aboveParter) part(ctx context.Context, _, _ int, out *partFiles) (counts, error) {
	for _, some := range byDepth(p.forest) {
		made := make([][]string, len(some))
		err := parallel.Each(ctx, partsOf(len(some), labelBlock), len(p.labellers), func(worker, i int) error {
			for from, to := rangeOf(i, labelBlock, len(some)); from < to; from++ {
				made[from] = p.label(worker, some[from])
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		for i, node := range some {
			p.above[node] = made[i]
		}
	}
	nodes := notLeaves(p.forest)
	err := writeLabels(ctx, out, len(nodes), func(i int) []string { return p.above[nodes[i]] })
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
		name: name, told: "tree", unit: "nodes", total: int64(nodes), parts: partsOf(nodes, partLabels(nodes)),
		several: labelsTogether(nodes, labels, nodes),
		open: func(ctx context.Context, workers int) (parter, error) {
			l, err := b.openTreeLabelling(workers)
			if err != nil {
				return nil, err
			}
			if l.above, err = b.readAbove(ctx, l.forest); err != nil {
				l.close()
				return nil, err
			}
			return leavesParter{l}, nil
		},
	}, err
}

type leavesParter struct{ *treeLabelling }

// part writes a label for each node of a range, an empty one if it is not a leaf.
func (p leavesParter) part(ctx context.Context, worker, i int, out *partFiles) (counts, error) {
	from, to := rangeOf(i, partLabels(p.forest.Len()), p.forest.Len())
	err := writeLabels(ctx, out, to-from, func(i int) []string {
		if p.forest.Node(uint32(from+i)).Level > 0 {
			return nil
		}
		return p.label(worker, uint32(from+i))
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

// byDepth returns the nodes that are not leaves by the number of nodes above them.
func byDepth(f *topical.Forest) [][]uint32 {
	var out [][]uint32
	depth := map[uint32]int{} // of these nodes, which come after those above them
	for _, i := range notLeaves(f) {
		if up := f.Node(i).Parent; up != tables.None {
			depth[i] = depth[up] + 1
		}
		for len(out) <= depth[i] {
			out = append(out, nil)
		}
		out[depth[i]] = append(out[depth[i]], i)
	}
	return out
}

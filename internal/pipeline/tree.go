package pipeline

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/clusters"
	"github.com/lshclust/lshclust/internal/topic/tree"
)

// Steps of the stage tree.
const (
	treeBuild  = "tree-build"  // the tree without labels, in one part
	treeLabels = "tree-labels" // the labels, by ranges of nodes
)

// buildTree divides the nodes into topics and writes the table of these without labels.
func (b treeStage) buildTree(ctx context.Context, at partAt, out *partFiles) (counts, error) {
	t := openClustering(at.from)
	if err := at.from.Ready(); err != nil {
		return nil, err
	}
	c := tree.Defaults
	c.Workers, c.Links, c.Dir = b.workers, int(b.memory/8/tree.LinkBytes), filepath.Dir(out.path(""))
	built, err := t.Tree(ctx, c)
	if err != nil {
		return nil, err
	}
	f := t.Forest(built)
	w := tables.CreateTree(out.path(""), f.LeafOf)
	defer w.Abort()
	for i := range f.Len() {
		w.Add(f.Node(uint32(i)))
	}
	return countTree(f), w.Close()
}

// countTree counts all nodes as "out" and the leaves as "in".
func countTree(f *clusters.Forest) counts {
	c := counts{"out": int64(f.Len()), "in": 0, "leaves_of_two_or_more": 0}
	for i := range f.Len() {
		n := f.Node(uint32(i))
		if n.Level == 0 {
			c["in"]++
		}
		if n.Level == 0 && n.Size > 1 {
			c["leaves_of_two_or_more"]++
		}
		if n.Parent == tables.None && n.Level > 0 {
			c["roots_of_two_clusters_or_more"]++
			c["documents_below_them"] += int64(n.Size)
			c["largest_root"] = max(c["largest_root"], int64(n.Size))
		}
		c["levels"] = max(c["levels"], int64(n.Level)+1)
	}
	return c
}

// joinTree writes the table of the tree with its labels.
func (b treeStage) joinTree(ctx context.Context, from *opened) (run.StageStats, error) {
	n, err := b.summed("tree", treeBuild)
	if err != nil {
		return run.StageStats{}, err
	}
	f, err := b.readForest(from)
	if err != nil {
		return run.StageStats{}, err
	}
	w := tables.CreateTree(b.dir.Temp(tables.TreeFile), f.LeafOf)
	defer w.Abort()
	labels, err := b.eachLabel(ctx, "tree", treeLabels, func(i int, label []string) {
		if i < f.Len() {
			n := f.Node(uint32(i))
			n.Label = label
			w.Add(n)
		}
	})
	if err == nil && labels != f.Len() {
		err = fmt.Errorf("%d labels of %d nodes of the tree", labels, f.Len())
	}
	if err != nil {
		return run.StageStats{}, err
	}
	stats := run.StageStats{In: n["in"], Out: n["out"], Counts: n}
	delete(stats.Counts, "in")
	delete(stats.Counts, "out")
	return stats, w.Close()
}

// readForest opens the tree that the first step has built.
func (b treeStage) readForest(from *opened) (*clusters.Forest, error) {
	t := table(from, stepFile(treeBuild, "", 0), tables.OpenTree)
	if err := from.Ready(); err != nil {
		return nil, err
	}
	return clusters.ForestOf(t), nil
}

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

// labelsStep labels the nodes. Nodes are numbered in preorder, so each node above one in a part precedes it in the same
// part, or is above the first node of the part. A labeller computes the labels of the latter, too; there are no more of
// them than levels.
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

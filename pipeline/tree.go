package pipeline

import (
	"cmp"
	"context"
	"fmt"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topical"
	"github.com/lshclust/lshclust/run"
	"github.com/lshclust/lshclust/tree"
)

// The steps of the stage tree.
const (
	treeBuild  = "tree-build"  // the tree without labels, in one part
	treeAbove  = "tree-above"  // the labels of the nodes that are not leaves, by ranges of these nodes
	treeLeaves = "tree-leaves" // the labels of the leaves, by ranges of nodes
)

func (b *build) nesting() stage {
	return stage{name: "tree", outputs: []string{tables.TreeFile}, work: b.inSteps("tree", b.joinTree)}
}

// treeStep joins the topical clusters level by level to a tree.
func (b *build) treeStep(name string) (*step, error) {
	return &step{name: name, parts: 1, together: true, open: func(context.Context, int) (parter, error) { return treeParter{b}, nil }}, nil
}

type treeParter struct{ b *build }

func (treeParter) close() {}

// part writes the table of the tree, without labels.
func (p treeParter) part(ctx context.Context, _, _ int, out *partFiles) (counts, error) {
	t, set, err := openClustering(p.b)
	if err != nil {
		return nil, err
	}
	defer set.Close()
	flat := tables.Open(set, p.b.dir.Path(tables.ClustersFile), tables.OpenClusters)
	if err := set.Ready(); err != nil {
		return nil, err
	}
	c := p.b.config
	built, err := t.Tree(ctx, t.CentersIn(flat.Centers()), tree.Config{
		Thresholds: c.Tree, Order: c.Order, Workers: p.b.workers, Edges: int(p.b.memory / 4 / tree.EdgeBytes),
	})
	if err != nil {
		return nil, err
	}
	f := t.Forest(built)
	w, err := tables.CreateTree(out.path(""), f.LeafOf)
	if err != nil {
		return nil, err
	}
	defer w.Abort()
	for i := range f.Len() {
		w.Add(f.Node(uint32(i)))
	}
	stats := run.StageStats{Counts: map[string]int64{}}
	countTree(f, &stats)
	return countsOf(stats), cmp.Or(set.Err(), w.Close())
}

// countTree counts the nodes.
func countTree(f *topical.Forest, stats *run.StageStats) {
	stats.Out = int64(f.Len())
	for i := range f.Len() {
		n := f.Node(uint32(i))
		if n.Level == 0 {
			stats.In++
		}
		if n.Parent == tables.None && n.Level > 0 {
			stats.Counts["roots_of_two_clusters_or_more"]++
			stats.Counts["documents_below_them"] += int64(n.Size)
			stats.Counts["largest_root"] = max(stats.Counts["largest_root"], int64(n.Size))
		}
		stats.Counts["levels"] = max(stats.Counts["levels"], int64(n.Level)+1)
	}
}

// joinTree writes the table of the tree with its labels.
func (b *build) joinTree(ctx context.Context) (run.StageStats, error) {
	n, err := b.summed("tree", treeBuild)
	if err != nil {
		return run.StageStats{}, err
	}
	f, stored, err := b.readForest()
	if err != nil {
		return run.StageStats{}, err
	}
	defer stored.Close()
	w, err := tables.CreateTree(b.dir.Temp(tables.TreeFile), f.LeafOf)
	if err != nil {
		return run.StageStats{}, err
	}
	defer w.Abort()
	above, err := b.readAbove(ctx, f)
	if err != nil {
		return run.StageStats{}, err
	}
	leaves, err := b.eachLabel(ctx, "tree", treeLeaves, func(i int, label []string) {
		if i >= f.Len() {
			return
		}
		n := f.Node(uint32(i))
		if n.Label = label; n.Level > 0 {
			n.Label = above[uint32(i)]
		}
		w.Add(n)
	})
	if err == nil && leaves != f.Len() {
		err = fmt.Errorf("%d labels of %d nodes of the tree", leaves, f.Len())
	}
	return n.stats(), cmp.Or(err, stored.Err(), w.Close())
}

// readForest opens the tree that the first step has built. The table must stay open as long as the forest is used.
func (b *build) readForest() (*topical.Forest, *tables.Tree, error) {
	t, err := verified(b, b.dir.Path(stepFile(treeBuild, "", 0)), tables.OpenTree)
	if err != nil {
		return nil, nil, err
	}
	return topical.ForestOf(t), t, nil
}

package pipeline

import (
	"context"
	"errors"
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
func (b treeStage) joinTree(ctx context.Context) (run.StageStats, error) {
	n, err := b.summed("tree", treeBuild)
	if err != nil {
		return run.StageStats{}, err
	}
	from := &opened{Set: b.tables(), b: b.build}
	defer from.close()
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
	if err := errors.Join(err, from.Err()); err != nil {
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

package query

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/tree"
)

// TopicalNode is a node of the tree of topical clusters.
type TopicalNode struct {
	ID        string   // of a leaf that of its cluster; of other nodes, that of the cluster at the center, a point, and the level
	Parent    string   // "" for a root
	Level     int      // 0 for a leaf
	Depth     int      // number of nodes above
	Threshold float64  // of the level
	Label     []string // phrases that tell what distinguishes the node from its siblings, the best first; nil for a document alone
	Center    uint32   // document
	Size      int      // documents
	Clusters  int      // leaves below it; 1 for a leaf
	Children  int      // nodes right below it

	number uint32
}

// TopicalTree is the tree of the topical clusters of a run: at every level above the clusters, similar ones are joined
// (see package tree). A cluster that a level leaves as it is has no node of that level.
type TopicalTree struct {
	r     *Run
	nodes []tables.TreeNode
}

// TopicalTree returns the tree of the topical clusters.
func (r *Run) TopicalTree() (*TopicalTree, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	t := &TopicalTree{r: r, nodes: make([]tables.TreeNode, r.tree.Len())}
	for i := range t.nodes {
		if t.nodes[i] = r.tree.At(uint32(i)); t.nodes[i].Center == tables.None || t.nodes[i].Level > len(r.Config.Tree) {
			return nil, fmt.Errorf("node %d of the tree does not fit the run; lshclust info --check tells more", i)
		}
	}
	return t, r.Err()
}

// Levels returns the number of levels, the clusters of the run included.
func (t *TopicalTree) Levels() int { return len(t.r.Config.Tree) + 1 }

// Nodes yields all nodes, each parent before its children, with all nodes below it right after it. Siblings, and nodes
// without a parent, come in the order of their sizes, the largest first.
func (t *TopicalTree) Nodes() iter.Seq[TopicalNode] {
	return func(yield func(TopicalNode) bool) {
		for i := range t.nodes {
			if !yield(t.node(uint32(i))) {
				return
			}
		}
	}
}

// Roots returns the nodes without a parent.
func (t *TopicalTree) Roots() (out []TopicalNode) {
	for i := uint32(0); int(i) < len(t.nodes); i = t.nodes[i].End {
		out = append(out, t.node(i))
	}
	return out
}

// Children returns the nodes right below a node.
func (t *TopicalTree) Children(n TopicalNode) (out []TopicalNode) {
	for i := range t.below(n.number) {
		out = append(out, t.node(i))
	}
	return out
}

// below yields the numbers of the nodes right below a node.
func (t *TopicalTree) below(number uint32) iter.Seq[uint32] {
	return func(yield func(uint32) bool) {
		for i := number + 1; i < t.nodes[number].End; i = t.nodes[i].End {
			if !yield(i) {
				return
			}
		}
	}
}

// Path returns the nodes that a document is in, from the root to the cluster of the document.
func (t *TopicalTree) Path(id uint32) []TopicalNode {
	leaf := t.r.tree.Leaf(id)
	if int64(leaf) >= int64(len(t.nodes)) {
		return nil
	}
	return append(t.Above(t.node(leaf)), t.node(leaf))
}

// Above returns the nodes above a node, from the root down.
func (t *TopicalTree) Above(n TopicalNode) (out []TopicalNode) {
	for up := t.nodes[n.number].Parent; up != tables.None; up = t.nodes[up].Parent {
		out = append(out, t.node(up))
	}
	slices.Reverse(out)
	return out
}

// Cluster returns the topical cluster of a leaf.
func (t *TopicalTree) Cluster(n TopicalNode) (TopicalCluster, error) {
	return t.r.TopicalCluster(n.Center)
}

// Centers returns for every document the document at the center of its cluster at a level. Level 0 are the clusters of
// the run.
func (t *TopicalTree) Centers(level int) []uint32 {
	center := make([]uint32, len(t.nodes)) // by node, of the cluster of the level
	for i, n := range t.nodes {
		center[i] = n.Center
		if n.Parent != tables.None && t.nodes[n.Parent].Level <= level {
			center[i] = center[n.Parent]
		}
	}
	out := make([]uint32, t.r.Len())
	for id := range out {
		out[id] = uint32(id)
		if leaf := t.r.tree.Leaf(uint32(id)); leaf != tables.None {
			out[id] = center[leaf]
		}
	}
	return out
}

func (t *TopicalTree) node(i uint32) TopicalNode {
	out := t.r.treeNode(i)
	for up := t.nodes[i].Parent; up != tables.None; up = t.nodes[up].Parent {
		out.Depth++
	}
	for range t.below(i) {
		out.Children++
	}
	return out
}

// treeNode returns a node without its depth and without counting its children.
func (r *Run) treeNode(i uint32) TopicalNode {
	n := r.tree.At(i)
	out := TopicalNode{
		ID: tables.TreeID(r.docs.URL(n.Center), n.Level), Level: n.Level, Threshold: r.Config.Threshold, Label: n.Label, Center: n.Center,
		Size: int(n.Size), Clusters: int(n.Leaves), number: i,
	}
	if n.Level > 0 {
		out.Threshold = r.Config.Tree[n.Level-1]
	}
	if n.Parent != tables.None {
		up := r.tree.At(n.Parent)
		out.Parent = tables.TreeID(r.docs.URL(up.Center), up.Level)
	}
	return out
}

// TopicalTreeAt returns, for each level of a tree with other thresholds, the center of the cluster of every document.
// The lowest level is the topical clusters of the run. It uses the stored pairs and changes nothing in the run.
func (r *Run) TopicalTreeAt(ctx context.Context, thresholds []float64, workers int) ([][]uint32, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	built, err := r.nest(ctx, thresholds, workers)
	if err != nil {
		return nil, err
	}
	var out [][]uint32
	for level := range built.Levels() {
		centers, _ := r.topical().Spread(built.Centers(level))
		out = append(out, centers)
	}
	return out, r.Err()
}

// nest builds the tree of the nodes.
func (r *Run) nest(ctx context.Context, thresholds []float64, workers int) (*tree.Tree, error) {
	t := r.topical()
	centers := t.Centers(r.Config.Order, float32(r.Config.Threshold))
	return t.Tree(ctx, centers, tree.Config{Thresholds: thresholds, Order: r.Config.Order, Workers: workers})
}

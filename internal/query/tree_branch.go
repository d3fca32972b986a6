package query

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
)

// A TopicalTree reads all nodes. The functions below read a few, so that their cost does not depend on the size of the
// run. They do not count the children of nodes.

// TopicalPath returns the nodes of the tree that a document is in, from the root to the cluster of the document.
func (r *Run) TopicalPath(id uint32) []TopicalNode {
	if r.tree == nil {
		return nil
	}
	return r.treePath(r.tree.Leaf(id))
}

// treePath returns a node and those above it, from the root down. It is empty if there is no such node.
func (r *Run) treePath(at uint32) (out []TopicalNode) {
	for at != tables.None {
		n := r.tree.At(at)
		if n.Center == tables.None || n.Level > len(r.Config.Tree) {
			return nil // the table is damaged, which Err reports
		}
		out = append(out, r.treeNode(at))
		at = n.Parent
	}
	slices.Reverse(out)
	for i := range out {
		out[i].Depth = i
	}
	return out
}

// TopicalBranch returns a node of the tree by its id, as the last of its path from the root, and at most n of the nodes
// right below it without the first skip of them. The error wraps ErrNoCluster if the tree has no such node.
func (r *Run) TopicalBranch(id string, skip, n int) (path, below []TopicalNode, err error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, nil, err
	}
	leaf, levels, _ := strings.Cut(id, ".")
	center, err := r.holder(leaf)
	if err != nil {
		return nil, nil, err
	}
	level, err := strconv.Atoi(levels)
	if err != nil && levels != "" {
		return nil, nil, fmt.Errorf("%q: %w", id, ErrNoCluster)
	}
	for _, node := range r.TopicalPath(center) {
		if path = append(path, node); node.Level == level && node.Center == center {
			return path, r.branches(node.number, skip, n), nil
		}
	}
	return nil, nil, fmt.Errorf("%q: %w", id, ErrNoCluster)
}

// branches returns at most n of the nodes right below a node, without the first skip of them.
func (r *Run) branches(of uint32, skip, n int) (out []TopicalNode) {
	end := r.tree.At(of).End
	for i := of + 1; i < end && len(out) < n; i = r.tree.At(i).End {
		if skip > 0 {
			skip--
			continue
		}
		out = append(out, r.treeNode(i))
	}
	return out
}

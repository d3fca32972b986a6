package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/label"
	"github.com/lshclust/lshclust/internal/topic/tree"
	"github.com/lshclust/lshclust/internal/topical"
)

// TreeNode is a topic, a node of the tree (see package tree).
type TreeNode struct {
	ID       string `json:"id" doc:"of its center, a dot and the level"`
	Parent   string `json:"parent_id,omitempty" doc:"missing for a node at the top"`
	Level    int    `json:"level" doc:"0 for a leaf, else 1 more than the highest level of its children"`
	Label    string `json:"label" doc:"phrases that distinguish the node from its siblings, best first"`
	Size     int    `json:"size" doc:"documents"`
	Topics   int    `json:"topics" doc:"leaves below it; 1 for a leaf"`
	Children int    `json:"children" doc:"nodes right below it"`
	URL      string `json:"url" doc:"of the document at the center"`
	Name     string `json:"name" doc:"title of this document or, without one, what links call it or the end of its path"`
	Depth    int    `json:"depth" doc:"in the listing"`
	More     int    `json:"more,omitempty" doc:"nodes right below it that are not listed"`
	Above    string `json:"-"` // labels of the nodes above, for a node at which a listing begins
	Center   uint32 `json:"-"` // document

	number uint32
}

// TopicalRoots returns the nodes of the tree without a parent, largest first. Like the functions below, it does not
// set the fields for listings: Children, Name, Depth, More and Above.
func (r *Run) TopicalRoots() []TreeNode { return r.siblings(0, uint32(r.tree.Len())) }

// TopicalChildren returns the children of a node of the tree, largest first.
func (r *Run) TopicalChildren(n TreeNode) []TreeNode {
	return r.siblings(n.number+1, r.tree.At(n.number).End)
}

// siblings returns the topmost nodes in a range of numbers.
func (r *Run) siblings(from, end uint32) (out []TreeNode) {
	for i := from; i < end; i = r.tree.At(i).End {
		if n, ok := r.treeNode(i); ok {
			out = append(out, n)
		}
	}
	return out
}

// treeNode returns a node of the tree, or false if the table is damaged, which Err reports.
func (r *Run) treeNode(i uint32) (TreeNode, bool) {
	n := r.tree.At(i)
	if n.Center == tables.None {
		return TreeNode{}, false
	}
	url := r.docs.URL(n.Center)
	out := TreeNode{
		ID: tables.TreeID(url, n.Level), Level: n.Level, Label: label.Join(n.Label), Size: int(n.Size),
		Topics: int(n.Leaves), URL: url, Center: n.Center, number: i,
	}
	if n.Parent != tables.None {
		up := r.tree.At(n.Parent)
		out.Parent = tables.TreeID(r.docs.URL(up.Center), up.Level)
	}
	return out, true
}

// TopicalPath returns the nodes of the tree that contain a document, from the root to the leaf.
func (r *Run) TopicalPath(id uint32) (path []TreeNode) {
	if r.tree == nil {
		return nil
	}
	for at := r.tree.Leaf(id); at != tables.None; at = r.tree.At(at).Parent {
		n, ok := r.treeNode(at)
		if !ok {
			return nil
		}
		path = append(path, n)
	}
	slices.Reverse(path)
	return path
}

// TopicalBranch returns the path to the node of the tree with an id. The error wraps ErrNoCluster if there is none.
func (r *Run) TopicalBranch(id string) ([]TreeNode, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	of, _, _ := strings.Cut(id, ".")
	center, err := r.holder(of)
	if err != nil {
		return nil, err
	}
	path := r.TopicalPath(center)
	if i := slices.IndexFunc(path, func(n TreeNode) bool { return n.ID == id }); i >= 0 {
		return path[:i+1], nil
	}
	return nil, fmt.Errorf("%q: %w", id, ErrNoCluster)
}

// BestLinked returns at most n documents of a node of the tree: those that most hosts link to, then those that most
// pages link to. Ties are in the order of ids.
func (r *Run) BestLinked(of TreeNode, n int) []uint32 {
	return r.bestLinked(r.forest().Documents(of.number), n)
}

// DocumentsOf returns the documents of a node of the tree, leaf by leaf. The caller must not modify the slice.
func (r *Run) DocumentsOf(n TreeNode) []uint32 { return r.forest().Documents(n.number) }

// forest returns the documents of each node of the tree.
func (r *Run) forest() *topical.Forest {
	return Memo(r, func() *topical.Forest { return topical.ForestOf(r.tree) })
}

// BestLinkedMembers returns at most n members of a cluster in the order of BestLinked.
func (r *Run) BestLinkedMembers(of TopicalCluster, n int) []uint32 {
	return r.bestLinked(of.members, n)
}

func (r *Run) bestLinked(of []uint32, n int) (best []uint32) {
	for _, id := range of {
		if at, _ := slices.BinarySearchFunc(best, id, r.linked); at < n {
			best = slices.Insert(best, at, id)
			best = best[:min(len(best), n)]
		}
	}
	return best
}

// linked orders documents as BestLinked does.
func (r *Run) linked(a, b uint32) int {
	return cmp.Or(r.byLinks(a, b), cmp.Compare(a, b))
}

// TopicDocuments returns at most limit documents of a node of the tree after skip others, leaf by leaf, and those of a
// leaf in the order of BestLinked.
func (r *Run) TopicDocuments(of TreeNode, skip, limit int) (out []uint32) {
	for i := of.number; i < r.tree.At(of.number).End && len(out) < limit; i++ {
		if r.tree.At(i).Level > 0 {
			continue
		}
		own := r.forest().Documents(i)
		if skip < len(own) {
			own = slices.SortedFunc(slices.Values(own), r.linked)
			out = append(out, own[skip:min(len(own), skip+limit-len(out))]...)
		}
		skip = max(0, skip-len(own))
	}
	return out
}

// nest builds the tree of the nodes, with 200 MB of links in memory.
func (r *Run) nest(ctx context.Context) (*tree.Tree, error) {
	c := tree.Defaults
	c.Links = 1 << 24
	return r.topical().Tree(ctx, c)
}

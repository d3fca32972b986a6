package topics

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/clusters"
	"github.com/lshclust/lshclust/internal/topic/label"
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
	runs.Ref        // the document at the center
	Center   uint32 `json:"-"` // document

	number uint32
}

// Tops returns the topics of two or more documents without a parent, largest first. Like the functions below, it does not
// set the fields for listings: Children, Seen and Name.
func Tops(r *runs.Run) []TreeNode {
	all := siblings(r, 0, uint32(r.Tree.Len()))
	return slices.DeleteFunc(all, func(n TreeNode) bool { return n.Size < 2 })
}

// WithLabel returns the topics whose labels contain some words, largest first, without those below another one.
func WithLabel(r *runs.Run, words LabelWords) (out []TreeNode) {
	for i := uint32(0); i < uint32(r.Tree.Len()); {
		n, ok := treeNode(r, i)
		if !ok {
			return nil
		}
		i++
		if n.Size > 1 && words.In(n.Label) {
			out, i = append(out, n), max(i, r.Tree.At(n.number).End)
		}
	}
	slices.SortStableFunc(out, func(a, b TreeNode) int { return b.Size - a.Size })
	return out
}

// Children returns the children of a node of the tree, largest first.
func Children(r *runs.Run, n TreeNode) []TreeNode {
	return siblings(r, n.number+1, r.Tree.At(n.number).End)
}

// siblings returns the topmost nodes in a range of numbers.
func siblings(r *runs.Run, from, end uint32) (out []TreeNode) {
	for i := from; i < end; i = r.Tree.At(i).End {
		if n, ok := treeNode(r, i); ok {
			out = append(out, n)
		}
	}
	return out
}

// Leaves returns the leaves of a topic, or the topic itself if it is one.
func Leaves(r *runs.Run, of TreeNode) (out []TreeNode) {
	for i, end := of.number, r.Tree.At(of.number).End; i < end; i++ {
		if n, ok := treeNode(r, i); ok && n.Level == 0 {
			out = append(out, n)
		}
	}
	return out
}

// Within reports whether a topic is within another one.
func Within(r *runs.Run, n, other TreeNode) bool {
	return other.number < n.number && n.number < r.Tree.At(other.number).End
}

// treeNode returns a node of the tree, or false if the table is damaged, which Err reports.
func treeNode(r *runs.Run, i uint32) (TreeNode, bool) {
	n := r.Tree.At(i)
	if n.Center == tables.None {
		return TreeNode{}, false
	}
	url := r.Docs.URL(n.Center)
	out := TreeNode{
		ID: tables.TreeID(url, n.Level), Level: n.Level, Label: label.Join(n.Label), Size: int(n.Size),
		Topics: int(n.Leaves), Ref: runs.Ref{URL: url}, Center: n.Center, number: i,
	}
	if n.Parent != tables.None {
		up := r.Tree.At(n.Parent)
		out.Parent = tables.TreeID(r.Docs.URL(up.Center), up.Level)
	}
	return out, true
}

// PathTo returns the nodes of the tree that contain a document, from the root to the leaf: none if the run has no tree or a
// damaged one.
func PathTo(r *runs.Run, id uint32) (path []TreeNode) {
	if r.Tree == nil {
		return nil
	}
	for at := r.Tree.Leaf(id); at != tables.None; at = r.Tree.At(at).Parent {
		n, ok := treeNode(r, at)
		if !ok {
			return nil
		}
		path = append(path, n)
	}
	slices.Reverse(path)
	return path
}

// Branch returns the path to the node of the tree with an id. The error wraps ErrNoCluster if there is none.
func Branch(r *runs.Run, id string) ([]TreeNode, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	of, _, _ := strings.Cut(id, ".")
	center, err := runs.ClusterHolder(r, of)
	if err != nil {
		return nil, err
	}
	path := PathTo(r, center)
	if i := slices.IndexFunc(path, func(n TreeNode) bool { return n.ID == id }); i >= 0 {
		return path[:i+1], nil
	}
	return nil, fmt.Errorf("%q: %w", id, runs.ErrNoCluster)
}

// BestLinked returns at most n documents of a node of the tree: those that most hosts link to, then those that most
// pages link to. Ties are in the order of ids.
func BestLinked(r *runs.Run, of TreeNode, n int) []uint32 {
	return bestLinked(r, forest(r).Documents(of.number), n)
}

// DocumentsOf returns the documents of a node of the tree, leaf by leaf. The caller must not modify the slice.
func DocumentsOf(r *runs.Run, n TreeNode) []uint32 { return forest(r).Documents(n.number) }

// forest returns the documents of each node of the tree.
func forest(r *runs.Run) *clusters.Forest {
	return runs.Memo(r, func(r *runs.Run) *clusters.Forest { return clusters.ForestOf(r.Tree) })
}

// BestLinkedMembers returns at most n members of a cluster in the order of BestLinked.
func BestLinkedMembers(r *runs.Run, of TopicalCluster, n int) []uint32 {
	return bestLinked(r, of.members, n)
}

func bestLinked(r *runs.Run, of []uint32, n int) (best []uint32) {
	for _, id := range of {
		best = sets.Insert(best, id, n, func(a, b uint32) int { return linked(r, a, b) })
	}
	return best
}

// linked orders documents as BestLinked does.
func linked(r *runs.Run, a, b uint32) int {
	return cmp.Or(byLinks(r, a, b), cmp.Compare(a, b))
}

// Documents returns at most limit documents of a node of the tree after skip others, leaf by leaf, and those of a
// leaf in the order of BestLinked.
func Documents(r *runs.Run, of TreeNode, skip, limit int) (out []uint32) {
	for i, end := of.number, r.Tree.At(of.number).End; i < end && len(out) < limit; i++ {
		if r.Tree.At(i).Level > 0 {
			continue
		}
		own := forest(r).Documents(i)
		if skip < len(own) {
			own = slices.SortedFunc(slices.Values(own), func(a, b uint32) int { return linked(r, a, b) })
			out = append(out, own[skip:min(len(own), skip+limit-len(out))]...)
		}
		skip = max(0, skip-len(own))
	}
	return out
}

package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
)

// TreeAnswer lists nodes of the tree of topics. Each is followed by all nodes below it.
type TreeAnswer struct {
	Items []TreeNode `json:"items"`
	Total int        `json:"total" doc:"nodes at which the listing may begin, listed or not"`
}

// Tree asks for the tree of topics. Zero is no limit.
type Tree struct {
	Contains string // URL of a document; only its path is listed
	Label    string // words that the labels of the first nodes must contain
	ByLabel  bool   // order siblings by label rather than by size
	Reverse  bool
	Limit    int // maximum number of first nodes
	Each     int // maximum number of children of a node
	Depth    int // maximum number of levels
}

// BranchAnswer lists the nodes of the tree of topics that are right below another one, or at the top.
type BranchAnswer struct {
	Path  []TreeNode `json:"path" doc:"nodes from the top down to the one that was asked about; none if the nodes at the top were asked for"`
	Items []TreeNode `json:"items" doc:"largest first; topics of a single document are left out at the top"`
	Total int        `json:"total" doc:"number of these nodes, listed or not"`
	Portion
}

// Branch asks for the nodes right below a node of the tree, or for those at the top.
type Branch struct {
	ID     string `most:"20" pattern:"^[0-9a-f]{16}(\\.[0-9]{1,3})?$" doc:"id of the node whose children are listed; the nodes at the top are listed if it is missing"`
	Window `limit:"100"`
}

// Ask answers the question.
func (o Branch) Ask(_ context.Context, r *Run) (out *BranchAnswer, err error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	var below []TreeNode
	out = &BranchAnswer{Path: []TreeNode{}}
	if o.ID == "" {
		below = slices.DeleteFunc(topics.Roots(r), func(n TreeNode) bool { return n.Size == 1 })
	} else if out.Path, err = topics.Branch(r, o.ID); err != nil {
		return nil, err
	} else {
		below = topics.Children(r, out.Path[len(out.Path)-1])
	}
	out.Total = len(below)
	out.Items = Cut(&out.Portion, below, o.Window)
	for _, nodes := range [][]TreeNode{out.Path, out.Items} {
		for i, n := range nodes {
			nodes[i].Children, nodes[i].Name = len(topics.Children(r, n)), r.NameOf(n.Center)
		}
	}
	return out, r.Err()
}

// TopicMembers returns the documents of the node of the tree with an id, leaf by leaf, those of a leaf that most hosts link
// to first.
func TopicMembers(r *Run, id string, w Window) (*ClusterAnswer, error) {
	path, err := topics.Branch(r, id)
	if err != nil {
		return nil, err
	}
	n := path[len(path)-1]
	out := &ClusterAnswer{Cluster: Cluster{ID: n.ID, View: config.Topical, Size: n.Size, URL: n.URL, Name: r.NameOf(n.Center), Label: n.Label}, Items: []Member{}}
	out.Path, out.Labels = pathOf(path)
	for _, id := range topics.Documents(r, n, w.From, w.Rows()) {
		out.Items = append(out.Items, member(r, id, 0))
	}
	out.GoOn(w.From+len(out.Items), n.Size)
	return out, r.Err()
}

// treeListing is the state of a listing of the tree.
type treeListing struct {
	Tree
	r    *Run
	only map[string]bool // ids of the nodes to list; nil for all
	out  *TreeAnswer
}

// Ask answers the question.
func (o Tree) Ask(_ context.Context, r *Run) (*TreeAnswer, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	t := &treeListing{o, r, nil, &TreeAnswer{Items: []TreeNode{}}}
	roots, err := t.roots()
	if err != nil {
		return nil, err
	}
	t.out.Total = len(roots)
	for _, n := range upTo(t.ordered(roots), t.Limit) {
		t.add(n, 0)
	}
	return t.out, r.Err()
}

func upTo(nodes []TreeNode, limit int) []TreeNode {
	if limit > 0 {
		return nodes[:min(len(nodes), limit)]
	}
	return nodes
}

// roots returns the nodes at which the listing begins.
func (t *treeListing) roots() (out []TreeNode, err error) {
	if t.Contains != "" {
		id, err := Lookup(t.r, t.Contains)
		if err != nil {
			return nil, err
		}
		path := topics.PathTo(t.r, id)
		t.only, t.Depth, t.Each = map[string]bool{}, 0, 0
		for _, n := range path {
			t.only[n.ID] = true
		}
		return path[:min(1, len(path))], nil
	}
	out = topics.Roots(t.r)
	if t.Label != "" {
		out = t.labelled(topics.NewLabelWords(t.Label), out)
		slices.SortStableFunc(out, func(a, b TreeNode) int { return b.Size - a.Size })
	}
	return slices.DeleteFunc(out, func(n TreeNode) bool { return n.Size == 1 }), nil
}

// labelled returns, on each way down from some nodes, the first one whose label contains some words.
func (t *treeListing) labelled(words topics.LabelWords, from []TreeNode) (out []TreeNode) {
	for _, n := range from {
		if words.In(n.Label) {
			out = append(out, n)
		} else {
			out = append(out, t.labelled(words, topics.Children(t.r, n))...)
		}
	}
	return out
}

// ordered sorts siblings, which are sorted by size.
func (t *treeListing) ordered(nodes []TreeNode) []TreeNode {
	if t.ByLabel {
		slices.SortStableFunc(nodes, func(a, b TreeNode) int {
			return strings.Compare(strings.ToLower(a.Label), strings.ToLower(b.Label))
		})
	}
	if t.Reverse {
		slices.Reverse(nodes)
	}
	return nodes
}

// add adds a node and those below it.
func (t *treeListing) add(n TreeNode, depth int) {
	at, below := len(t.out.Items), topics.Children(t.r, n)
	n.Children, n.Name, n.Depth = len(below), t.r.NameOf(n.Center), depth
	if depth == 0 {
		path := topics.PathTo(t.r, n.Center)
		if i := slices.IndexFunc(path, func(p TreeNode) bool { return p.ID == n.ID }); i >= 0 { // not in a damaged table
			_, n.Above = pathOf(path[:i])
		}
	}
	t.out.Items = append(t.out.Items, n)
	if t.Depth > 0 && depth+1 >= t.Depth {
		return
	}
	if t.only != nil {
		below = slices.DeleteFunc(below, func(c TreeNode) bool { return !t.only[c.ID] })
	}
	shown := upTo(t.ordered(below), t.Each)
	for _, c := range shown {
		t.add(c, depth+1)
	}
	t.out.Items[at].More = len(below) - len(shown)
}

// pathOf returns the ids and the labels of some nodes.
func pathOf(nodes []TreeNode) (ids, labels string) {
	var id, label []string
	for _, n := range nodes {
		id, label = append(id, n.ID), append(label, n.Label)
	}
	return strings.Join(id, " "), strings.Join(label, " > ")
}

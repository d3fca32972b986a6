package answer

import (
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
)

// TreeAnswer lists nodes of the tree of topical clusters, each with all nodes below it right after it.
type TreeAnswer struct {
	Items []TreeNode `json:"items"`
	Total int        `json:"total" doc:"nodes at which the listing may begin, listed or not"`
}

// TreeNode is a node of the tree of topical clusters.
type TreeNode struct {
	ID        string  `json:"id" doc:"of a leaf that of its cluster"`
	Parent    string  `json:"parent_id,omitempty" doc:"missing for a node at the top"`
	Level     int     `json:"level" doc:"0 for a leaf"`
	Threshold float64 `json:"threshold" doc:"of the level"`
	Label     string  `json:"label" doc:"phrases that tell what distinguishes the node from its siblings, the best first"`
	Size      int     `json:"size" doc:"documents"`
	Clusters  int     `json:"clusters" doc:"leaves below it; 1 for a leaf"`
	Children  int     `json:"children" doc:"nodes right below it"`
	URL       string  `json:"url" doc:"of the document at the center"`
	Name      string  `json:"name" doc:"title of this document or, without one, the most common text of the links to it"`
	Depth     int     `json:"depth" doc:"in the listing"`
	More      int     `json:"more,omitempty" doc:"nodes right below it that are not listed"`
	Above     string  `json:"-"` // labels of the nodes above one at which the listing begins

	node query.TopicalNode
}

// TreeOptions say which nodes are listed. Zero is no limit.
type TreeOptions struct {
	Contains string // URL of a document whose path is listed
	Label    string // words that the labels of the first nodes have
	ByLabel  bool   // siblings come in the order of their labels, not of their sizes
	Reverse  bool
	Limit    int // first nodes
	Each     int // nodes right below another one
	Depth    int // nodes one below the other
}

// treeListing is what is needed to list the tree.
type treeListing struct {
	TreeOptions
	r    *query.Run
	tree *query.TopicalTree
	only map[string]bool // ids of the nodes to list; nil: all
	out  *TreeAnswer
}

// Tree lists the tree of the topical clusters.
func Tree(r *query.Run, o TreeOptions) (*TreeAnswer, error) {
	tree, err := r.TopicalTree()
	if err != nil {
		return nil, err
	}
	t := &treeListing{o, r, tree, nil, &TreeAnswer{Items: []TreeNode{}}}
	roots, err := t.roots()
	if err != nil {
		return nil, err
	}
	t.out.Total = len(roots)
	for _, n := range upTo(t.ordered(roots), t.Limit) {
		t.add(n, 0)
	}
	return t.out, nil
}

func upTo(nodes []query.TopicalNode, limit int) []query.TopicalNode {
	if limit > 0 {
		return nodes[:min(len(nodes), limit)]
	}
	return nodes
}

// roots returns the nodes at which the listing begins.
func (t *treeListing) roots() (out []query.TopicalNode, err error) {
	if t.Contains != "" {
		id, err := Lookup(t.r, t.Contains)
		if err != nil {
			return nil, err
		}
		path := t.tree.Path(id)
		t.only, t.Depth, t.Each = map[string]bool{}, 0, 0
		for _, n := range path {
			t.only[n.ID] = true
		}
		return path[:1], nil
	}
	out = t.tree.Roots()
	if t.Label != "" {
		out = t.labelled()
	}
	return slices.DeleteFunc(out, func(n query.TopicalNode) bool { return n.Size == 1 }), nil
}

// labelled returns the nodes whose labels have some words, without those below another one, the largest first.
func (t *treeListing) labelled() (out []query.TopicalNode) {
	words, has := query.NewLabelWords(t.Label), map[string]bool{} // has: ids of nodes that have them, or are below one
	for n := range t.tree.Nodes() {
		switch {
		case has[n.Parent]:
			has[n.ID] = true
		case words.In(n.Label):
			has[n.ID] = true
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b query.TopicalNode) int { return b.Size - a.Size })
	return out
}

// ordered sorts siblings, which are sorted by size.
func (t *treeListing) ordered(nodes []query.TopicalNode) []query.TopicalNode {
	if t.ByLabel {
		slices.SortStableFunc(nodes, func(a, b query.TopicalNode) int {
			return strings.Compare(strings.ToLower(strings.Join(a.Label, ", ")), strings.ToLower(strings.Join(b.Label, ", ")))
		})
	}
	if t.Reverse {
		slices.Reverse(nodes)
	}
	return nodes
}

// add adds a node and those below it.
func (t *treeListing) add(n query.TopicalNode, depth int) {
	at := len(t.out.Items)
	t.out.Items = append(t.out.Items, TreeNode{
		ID: n.ID, Parent: n.Parent, Level: n.Level, Threshold: n.Threshold, Label: strings.Join(n.Label, ", "), Size: n.Size, Clusters: n.Clusters,
		Children: n.Children, URL: t.r.URL(n.Center), Name: Name(t.r, n.Center), Depth: depth, node: n,
	})
	if depth == 0 {
		_, t.out.Items[at].Above = pathOf(t.tree.Above(n))
	}
	if t.Depth > 0 && depth+1 >= t.Depth {
		return
	}
	below := t.tree.Children(n)
	if t.only != nil {
		below = slices.DeleteFunc(below, func(c query.TopicalNode) bool { return !t.only[c.ID] })
	}
	shown := upTo(t.ordered(below), t.Each)
	for _, c := range shown {
		t.add(c, depth+1)
	}
	t.out.Items[at].More = len(below) - len(shown)
}

// pathOf returns the ids and the labels of some nodes.
func pathOf(nodes []query.TopicalNode) (ids, labels string) {
	var id, label []string
	for _, n := range nodes {
		id, label = append(id, n.ID), append(label, strings.Join(n.Label, ", "))
	}
	return strings.Join(id, " "), strings.Join(label, " > ")
}

// Members returns the cluster of a leaf with the members in a window, and with its path in the tree.
func (n *TreeNode) Members(r *query.Run, w Window) (*ClusterAnswer, error) {
	c, err := r.TopicalCluster(n.node.Center)
	if err != nil {
		return nil, err
	}
	out := topicalCluster(r, &c).Members(r, w)
	out.Path, out.Labels = pathOf(r.TopicalPath(n.node.Center))
	return out, nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/topic/label"
)

// What clusters --tree lists on a terminal unless flags say otherwise.
const (
	treeDepth    = 3
	treeChildren = 5
)

// treeNode is a node of the tree in data formats.
type treeNode struct {
	ID        string     `json:"id"`
	Parent    *string    `json:"parent_id"`
	Level     int        `json:"level"`
	Threshold float64    `json:"threshold"`
	Label     string     `json:"label"`
	Size      int        `json:"size"`
	Clusters  int        `json:"clusters"`
	Children  int        `json:"children"`
	Center    string     `json:"center"`
	Below     []treeNode `json:"below,omitempty"`

	node  query.TopicalNode
	depth int // in the listing
	more  int // children that are not listed
}

// treeListing is what is needed to list the tree.
type treeListing struct {
	*clusterList
	r     *query.Run
	tree  *query.TopicalTree
	depth int
	limit int
	only  map[string]bool // ids of the nodes to list; nil: all
}

// checkTree refuses flags that --tree does not have.
func (l *clusterList) checkTree() error {
	switch {
	case !l.tree && l.depth != 0:
		return usage(errors.New("--depth is for --tree"))
	case l.tree && l.view == "syntactic":
		return usage(errors.New("--tree is for topical clusters"))
	case l.tree && l.sort == query.SortByHosts:
		return usage(errors.New("--tree sorts by size or label"))
	case l.tree && l.skip > 0 && !l.members:
		return usage(errors.New("--tree has --skip only with --members"))
	}
	return nil
}

// listTree lists the tree of the topical clusters.
func (l *clusterList) listTree(r *query.Run) error {
	tree, err := r.TopicalTree()
	if err != nil {
		return err
	}
	t := &treeListing{clusterList: l, r: r, tree: tree, depth: l.depth, limit: l.limit}
	if l.format == formatTable && t.depth == 0 {
		t.depth = treeDepth
	}
	if l.format == formatTable && t.limit == 0 {
		t.limit = treeChildren
	}
	roots, err := t.roots()
	if err != nil {
		return err
	}
	var nodes []treeNode
	for _, n := range roots {
		nodes = append(nodes, t.listed(n, 0))
	}
	return t.write(printed, nodes)
}

// roots returns the nodes at which the listing begins.
func (t *treeListing) roots() ([]query.TopicalNode, error) {
	if t.contains != "" {
		ids, err := documentsOf(t.r, t.r.Lookup, []string{t.contains})
		if err != nil {
			return nil, err
		}
		path := t.tree.Path(ids[0])
		t.only, t.depth, t.limit = map[string]bool{}, len(path), 0
		for _, n := range path {
			t.only[n.ID] = true
		}
		return path[:1], nil
	}
	var out []query.TopicalNode
	if t.label == "" {
		out = t.tree.Roots()
	} else {
		out = t.labelled()
		if len(out) == 0 {
			return nil, fmt.Errorf("no node of the tree has %q in its label; lshclust related finds pages by URL", t.label)
		}
	}
	out = slices.DeleteFunc(out, func(n query.TopicalNode) bool { return n.Size == 1 })
	if t.format == formatTable {
		say("%s without another one above", count(len(out), "topical cluster"))
	}
	t.order(out)
	return out[:min(len(out), t.top)], nil
}

// labelled returns the nodes whose labels have the words of --label, without those below another one, the largest
// first.
func (t *treeListing) labelled() (out []query.TopicalNode) {
	has := map[string]bool{} // ids of nodes that have the words, or that are below one that does
	for n := range t.tree.Nodes() {
		switch {
		case has[n.Parent]:
			has[n.ID] = true
		case query.LabelHas(n.Label, t.label):
			has[n.ID] = true
			out = append(out, n)
		}
	}
	slices.SortStableFunc(out, func(a, b query.TopicalNode) int { return b.Size - a.Size })
	return out
}

// order sorts siblings, which are sorted by size, as --sort and --reverse say.
func (t *treeListing) order(nodes []query.TopicalNode) {
	if t.sort == query.SortByLabel {
		slices.SortStableFunc(nodes, func(a, b query.TopicalNode) int {
			return strings.Compare(strings.ToLower(label.Join(a.Label)), strings.ToLower(label.Join(b.Label)))
		})
	}
	if t.reverse {
		slices.Reverse(nodes)
	}
}

// listed returns a node as it is listed, with the nodes below it.
func (t *treeListing) listed(n query.TopicalNode, depth int) treeNode {
	out := treeNode{
		ID: n.ID, Level: n.Level, Threshold: n.Threshold, Label: label.Join(n.Label), Size: n.Size, Clusters: n.Clusters, Children: n.Children,
		Center: t.r.Document(n.Center).URL, node: n, depth: depth,
	}
	if n.Parent != "" {
		out.Parent = &n.Parent
	}
	if t.depth > 0 && depth+1 >= t.depth {
		return out
	}
	children := t.tree.Children(n)
	t.order(children)
	if t.only != nil {
		children = slices.DeleteFunc(children, func(c query.TopicalNode) bool { return !t.only[c.ID] })
	}
	shown := page(children, 0, t.limit)
	out.more = len(children) - len(shown)
	for _, c := range shown {
		out.Below = append(out.Below, t.listed(c, depth+1))
	}
	return out
}

func (t *treeListing) write(w io.Writer, nodes []treeNode) error {
	switch {
	case t.format == formatTable:
		return t.table(w, nodes)
	case t.members:
		return t.pages(w, nodes)
	case t.format == formatJSON:
		return writeJSON(w, nodes)
	}
	out := t.rows(w, "id", "parent_id", "level", "threshold", "label", "size", "clusters", "children", "center")
	var put func(nodes []treeNode) error
	put = func(nodes []treeNode) error {
		for _, n := range nodes {
			var parent any
			if n.Parent != nil {
				parent = *n.Parent
			}
			if err := errors.Join(out.row(n.ID, parent, n.Level, n.Threshold, n.Label, n.Size, n.Clusters, n.Children, n.Center), put(n.Below)); err != nil {
				return err
			}
		}
		return nil
	}
	if err := put(nodes); err != nil {
		return err
	}
	return out.close()
}

// leaves yields the leaves below some nodes that are listed.
func leaves(nodes []treeNode, yield func(treeNode) error) error {
	for _, n := range nodes {
		if n.Level == 0 {
			if err := yield(n); err != nil {
				return err
			}
		}
		if err := leaves(n.Below, yield); err != nil {
			return err
		}
	}
	return nil
}

// pages writes a row for each page below the nodes.
func (t *treeListing) pages(w io.Writer, nodes []treeNode) error {
	out := t.rows(w, "url", "title", "cluster_id", "similarity", "path", "labels")
	err := leaves(nodes, func(n treeNode) error {
		members, err := t.cluster(n)
		if err != nil {
			return err
		}
		var path, labels []string
		for _, up := range append(t.tree.Above(n.node), n.node) {
			path, labels = append(path, up.ID), append(labels, label.Join(up.Label))
		}
		for _, m := range members {
			if err := out.row(m.URL, orNull(m.Title), n.ID, m.Similarity, joinedCell(path, " ", t.format), joinedCell(labels, " > ", t.format)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return out.close()
}

// joinedCell returns a list as a cell: a list in JSON, one text elsewhere.
func joinedCell(list []string, between, format string) any {
	if format == formatJSON || format == formatJSONL {
		return list
	}
	return strings.Join(list, between)
}

// cluster returns the pages of a leaf, as --skip and --limit say.
func (t *treeListing) cluster(n treeNode) ([]query.TopicalMember, error) {
	c, err := t.tree.Cluster(n.node)
	return page(t.r.TopicalMembers(c), t.skip, t.clusterList.limit), err
}

// table shows the nodes as an indented tree.
func (t *treeListing) table(w io.Writer, nodes []treeNode) error {
	fmt.Fprintf(w, "%6s %8s  %s\n", "pages", "clusters", "label")
	var show func(n treeNode) error
	show = func(n treeNode) error {
		name := n.Label
		if name == "" {
			name = n.Center
		}
		if n.depth == 0 && n.Parent != nil {
			var above []string
			for _, up := range t.tree.Above(n.node) {
				above = append(above, label.Join(up.Label))
			}
			name += "  (in " + strings.Join(above, " > ") + ")"
		}
		indent := strings.Repeat("  ", n.depth)
		clusters := fmt.Sprint(n.Clusters)
		if n.Level == 0 {
			clusters = ""
		}
		fmt.Fprintf(w, "%6d %8s  %s%s\n", n.Size, clusters, indent, detail(name, 17+len(indent)))
		for _, c := range n.Below {
			if err := show(c); err != nil {
				return err
			}
		}
		if n.more > 0 {
			fmt.Fprintf(w, "%15s  %s  and %d more\n", "", indent, n.more)
		}
		if t.members && n.Level == 0 {
			return t.memberLines(w, n, indent)
		}
		return nil
	}
	for _, n := range nodes {
		if err := show(n); err != nil {
			return err
		}
	}
	return nil
}

// memberLines shows the pages of a leaf.
func (t *treeListing) memberLines(w io.Writer, n treeNode, indent string) error {
	members, err := t.cluster(n)
	for _, m := range members {
		fmt.Fprintf(w, "%15s  %s  %s\n", "", indent, detail(m.URL, 19+len(indent)))
	}
	if more := n.Size - t.skip - len(members); more > 0 {
		fmt.Fprintf(w, "%15s  %s  and %d more\n", "", indent, more)
	}
	return err
}

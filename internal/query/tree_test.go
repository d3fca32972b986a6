package query

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The tree is a forest over the topical clusters whose levels nest, and every document has a path to its cluster.
func TestTopicalTree(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 200))
	tree, err := r.TopicalTree()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r.TopicalCenters(), tree.Centers(0)); diff != "" {
		t.Fatalf("level 0 is not the clusters of the run: %s", diff)
	}
	again, err := r.TopicalTreeAt(t.Context(), r.Config.Tree, 2)
	if err != nil {
		t.Fatal(err)
	}
	for l := range tree.Levels() {
		if diff := cmp.Diff(again[l], tree.Centers(l)); diff != "" {
			t.Fatalf("level %d is not what the pairs give: %s", l, diff)
		}
	}
	documents, inner := 0, 0
	repeats, labels := 0, 0
	for n := range tree.Nodes() {
		if n.Parent != "" && len(n.Label) > 0 {
			labels++
			if slices.Contains(phrases(tree.Above(n)), n.Label[0]) {
				repeats++ // there is nothing else to say
			}
		}
	}
	if 10*repeats > labels || labels == 0 {
		t.Errorf("%d of %d labels begin like one above", repeats, labels)
	}
	for _, root := range tree.Roots() {
		if root.Parent != "" || root.Depth != 0 {
			t.Errorf("root %+v", root)
		}
		documents += root.Size
		if children := tree.Children(root); len(children) > 0 {
			inner++
			checkChildren(t, tree, root, children)
		}
	}
	if documents != r.Len() || inner == 0 {
		t.Errorf("%d documents below the roots, of %d; %d roots have children", documents, r.Len(), inner)
	}
	for id := range uint32(r.Len()) {
		path := tree.Path(id)
		leaf := path[len(path)-1]
		if of := r.TopicalMembership(id); leaf.ID != of.ID || leaf.Level != 0 || path[0].Parent != "" {
			t.Fatalf("document %d of cluster %s has the path %+v", id, of.ID, path)
		}
		for i, n := range path[1:] {
			if n.Parent != path[i].ID || n.Depth != i+1 || n.Level >= path[i].Level {
				t.Fatalf("document %d: %+v is below %+v", id, n, path[i])
			}
		}
	}
}

func checkChildren(t *testing.T, tree *TopicalTree, up TopicalNode, children []TopicalNode) {
	t.Helper()
	size, clusters := 0, 0
	for i, c := range children {
		size, clusters = size+c.Size, clusters+c.Clusters
		if c.Parent != up.ID || c.Size > 1 && len(c.Label) == 0 || i > 0 && c.Size > children[i-1].Size {
			t.Errorf("%+v is a child of %+v", c, up)
		}
		if below := tree.Children(c); len(below) > 0 {
			checkChildren(t, tree, c, below)
		}
	}
	if size != up.Size || clusters != up.Clusters || len(children) != up.Children || len(children) < 2 {
		t.Errorf("%+v has %d children of size %d", up, len(children), size)
	}
}

func phrases(nodes []TopicalNode) (out []string) {
	for _, n := range nodes {
		out = append(out, n.Label...)
	}
	return out
}

package topics

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
)

// sameNodes compares nodes of the tree.
var sameNodes = cmp.AllowUnexported(TreeNode{})

// TestTopicalTree checks that the tree is a forest over all documents with nested levels, that every document has a path
// to its leaf, that leaves list their documents, and that every node is found by its id.
func TestTopicalTree(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 200))
	for id := range uint32(r.Len()) {
		path := PathTo(r, id)
		leaf := path[len(path)-1]
		if own := Documents(r, leaf, 0, r.Len()); leaf.Level != 0 || path[0].Parent != "" || len(own) != leaf.Size || !slices.Contains(own, id) {
			t.Fatalf("document %d has the path %+v, whose leaf has the documents %v", id, path, own)
		}
		for i, n := range path[1:] {
			if n.Parent != path[i].ID || n.Level >= path[i].Level {
				t.Fatalf("document %d: %+v is below %+v", id, n, path[i])
			}
		}
	}
	w := treeWalk{t: t, r: r}
	documents, roots := 0, siblings(r, 0, uint32(r.Tree.Len()))
	for _, root := range roots {
		if root.Parent != "" {
			t.Errorf("root %+v", root)
		}
		documents += root.Size
		w.node(root, nil)
	}
	if documents != r.Len() || w.inner == 0 {
		t.Errorf("%d documents below the roots, of %d; %d nodes have children", documents, r.Len(), w.inner)
	}
	if 10*w.repeats > w.labels || w.labels == 0 {
		t.Errorf("%d of %d labels begin like one above", w.repeats, w.labels)
	}
	for _, id := range []string{"", "x", "0123456789abcdef", "0123456789abcdef.1", roots[0].ID + "9", roots[0].ID + ".x"} {
		if _, err := Branch(r, id); !errors.Is(err, runs.ErrNoCluster) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

// treeWalk checks the nodes of a tree and counts those with children, and labels.
type treeWalk struct {
	t                      *testing.T
	r                      *runs.Run
	inner, labels, repeats int
}

// node checks a node below others and all nodes below it.
func (w *treeWalk) node(n TreeNode, above []TreeNode) {
	path, err := Branch(w.r, n.ID)
	if diff := cmp.Diff(append(slices.Clone(above), n), path, sameNodes); diff != "" || err != nil {
		w.t.Fatalf("%s: %v %s", n.ID, err, diff)
	}
	if n.Parent != "" && len(n.Label) > 0 {
		w.labels++
		first, _, _ := strings.Cut(n.Label, ", ")
		if slices.ContainsFunc(above, func(up TreeNode) bool { return strings.Contains(up.Label+", ", first+", ") }) {
			w.repeats++ // there is nothing else to say
		}
	}
	children := Children(w.r, n)
	if len(children) == 0 {
		return
	}
	w.inner++
	size, topics := 0, 0
	var documents []uint32
	for i, c := range children {
		size, topics = size+c.Size, topics+c.Topics
		documents = append(documents, Documents(w.r, c, 0, c.Size)...)
		if c.Parent != n.ID || c.Size > 1 && len(c.Label) == 0 || i > 0 && c.Size > children[i-1].Size {
			w.t.Errorf("%+v is a child of %+v", c, n)
		}
		w.node(c, path)
	}
	if size != n.Size || topics != n.Topics || len(children) < 2 {
		w.t.Errorf("%+v has %d children of size %d", n, len(children), size)
	}
	skip := size / 3
	if got := Documents(w.r, n, skip, size/2); !slices.Equal(got, documents[skip:skip+size/2]) {
		w.t.Errorf("%+v has the documents %v from %d on, its children %v", n, got, skip, documents)
	}
}

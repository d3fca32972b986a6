package query

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TopicalPath and TopicalBranch find what the whole tree holds.
func TestTopicalBranch(t *testing.T) {
	r := opened(t, preset(t, "web"), samplePages(t, 200))
	tree, err := r.TopicalTree()
	if err != nil {
		t.Fatal(err)
	}
	same := cmp.Options{cmpopts.IgnoreUnexported(TopicalNode{}), cmpopts.IgnoreFields(TopicalNode{}, "Children", "Depth"), cmpopts.EquateEmpty()}
	for id := range uint32(r.Len()) {
		if diff := cmp.Diff(tree.Path(id), r.TopicalPath(id), same); diff != "" {
			t.Fatalf("document %d: %s", id, diff)
		}
	}
	inner := 0
	for n := range tree.Nodes() {
		path, below, err := r.TopicalBranch(n.ID, 0, 1000)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(append(tree.Above(n), n), path, same) + cmp.Diff(tree.Children(n), below, same); diff != "" {
			t.Fatalf("%s: %s", n.ID, diff)
		}
		if len(below) > 1 {
			inner++
			_, rest, err := r.TopicalBranch(n.ID, 1, 1)
			if diff := cmp.Diff(below[1:2], rest, same); diff != "" || err != nil {
				t.Fatalf("%s: %v %s", n.ID, err, diff)
			}
		}
	}
	if inner == 0 {
		t.Error("no node has two children")
	}
	for _, id := range []string{"", "x", "0123456789abcdef", "0123456789abcdef.1", tree.Roots()[0].ID + "9", tree.Roots()[0].ID + ".x"} {
		if _, _, err := r.TopicalBranch(id, 0, 1); !errors.Is(err, ErrNoCluster) {
			t.Errorf("%q: %v", id, err)
		}
	}
}

package runs

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/internal/topic/tree"
)

// checkTree rebuilds the tree of the topical clusters and compares everything but the labels.
func checkTree(ctx context.Context, r *Run) error {
	c := tree.Defaults
	c.Links = 1 << 24 // 200 MB in memory
	built, err := Topical(r).Tree(ctx, c)
	if err != nil {
		return err
	}
	want := Topical(r).Forest(built)
	if r.Tree.Len() != want.Len() {
		return fmt.Errorf("the tree has %d nodes, but the pairs give one of %d", r.Tree.Len(), want.Len())
	}
	for i := range want.Len() {
		got, w := r.Tree.At(uint32(i)), want.Node(uint32(i))
		if got.Level != w.Level || got.Parent != w.Parent || got.Center != w.Center || got.Size != w.Size || got.Leaves != w.Leaves || got.End != w.End {
			return fmt.Errorf("node %d of the tree is %+v, but the pairs give %+v", i, got, w)
		}
		if alone := w.Level == 0 && w.Size == 1; alone != (len(got.Label) == 0) {
			return fmt.Errorf("node %d of the tree, of %d documents, has the label %q", i, w.Size, got.Label)
		}
	}
	for id, leaf := range want.LeafOf {
		if got := r.Tree.Leaf(uint32(id)); got != leaf {
			return fmt.Errorf("document %d is in node %d of the tree, but the pairs give %d", id, got, leaf)
		}
	}
	return ctx.Err()
}

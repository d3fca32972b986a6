package runs

import (
	"context"
	"fmt"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
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

// checkInverted rebuilds the inverted lists from the bags and compares them.
func checkInverted(ctx context.Context, r *Run) error {
	of := tables.NodeBags{Bags: r.Bags, Nodes: r.Nodes}
	ends, from := inverted.Ends(of), uint32(0)
	if r.inverted.Segments() != len(ends) {
		return fmt.Errorf("%d segments of inverted lists, but the bags give %d", r.inverted.Segments(), len(ends))
	}
	var builder inverted.Builder
	for i, end := range ends {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.inverted.Check(i, builder.Build(of, from, end)); err != nil {
			return err
		}
		from = end
	}
	return nil
}

// checkSources checks that the pages that link to a document are sorted, distinct, as many as the document says and
// documents themselves, and that the linking sentences come from them. With bags from contents, pages that were not
// crawled are not documents.
func checkSources(ctx context.Context, r *Run) error {
	for id := range uint32(r.Len()) {
		list := r.Sources.Of(id)
		if n := r.Docs.InLinks(id); uint32(len(list)) != n {
			return fmt.Errorf("document %d has %d linking pages, but its row says %d", id, len(list), n)
		}
		for i, hash := range list {
			if i > 0 && hash <= list[i-1] {
				return fmt.Errorf("document %d: linking pages out of order", id)
			}
			if _, ok := r.Docs.ByHash(hash); !ok && r.Config.Bags != config.FromContent {
				return fmt.Errorf("document %d: the linking page %016x is not a document", id, hash)
			}
		}
		for _, q := range r.Evidence.Of(id) {
			if _, ok := slices.BinarySearch(list, q.Source); !ok {
				return fmt.Errorf("document %d: a sentence is on %016x, which does not link to it", id, q.Source)
			}
		}
		if id%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return ctx.Err()
}

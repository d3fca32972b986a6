package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/tables"
)

// treeRows writes topical_tree.parquet, one row for each node in the order of the tree.
func (p *publishing) treeRows(ctx context.Context, to share) (int64, error) {
	t := p.tree
	children := make([]int32, t.Len())
	for i := range uint32(t.Len()) {
		if up := t.At(i).Parent; up != tables.None {
			children[up]++
		}
	}
	return writeTable(ctx, to, func(add func(run.TopicalTreeRow) error) error {
		var path []string // ids from the root to the node
		var open []uint32 // numbers of these nodes
		for i := range uint32(t.Len()) {
			n := t.At(i)
			for len(open) > 0 && open[len(open)-1] != n.Parent {
				open, path = open[:len(open)-1], path[:len(path)-1]
			}
			row := run.TopicalTreeRow{
				Level: int32(n.Level), Depth: int32(len(path)), LabelTerms: n.Label, Size: int32(n.Size),
				Topics: int32(n.Leaves), Children: children[i], CenterURL: p.docs.URL(n.Center),
			}
			row.ID = tables.TreeID(row.CenterURL, n.Level)
			if len(path) > 0 {
				row.ParentID = path[len(path)-1]
			}
			open, path = append(open, i), append(path, row.ID)
			row.Path = append([]string(nil), path...)
			if err := add(row); err != nil {
				return err
			}
		}
		return t.Err()
	})
}

package query

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/lsh"
)

// SearchAmong is Search in an index of the candidates alone. Bags, signatures, keys and bounds are those of the run,
// but a bucket holds candidates only, so that no other document makes it too large to be paired in full. Every id must
// be one of the candidates.
func (r *Run) SearchAmong(ctx context.Context, candidates, ids []uint32, top int) ([][]Neighbour, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	nodes := r.nodesOf(candidates)
	sigs := lsh.Signatures{M: r.sigs.M}
	for _, n := range nodes {
		sigs.Rows = append(sigs.Rows, r.sigs.Row(int(n))...)
	}
	asked := r.nodesOf(ids)
	rows := make([]uint32, len(asked))
	for i, n := range asked {
		row, _ := slices.BinarySearch(nodes, n)
		rows[i] = uint32(row)
	}
	met, err := r.index.Candidates(ctx, sigs, r.searching(), rows)
	if err != nil {
		return nil, err
	}
	for _, m := range met {
		for i, row := range m {
			m[i] = nodes[row]
		}
	}
	among := map[uint32]bool{}
	for _, id := range candidates {
		among[id] = true
	}
	return r.lists(ctx, ids, asked, met, top, func(id uint32) bool { return among[id] })
}

package topics

import (
	"context"
	"errors"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
)

// EachClusterRow calls each with a row for every document, which says to which topical cluster it belongs.
func EachClusterRow(ctx context.Context, r *runs.Run, each func(run.TopicalClusterRow) error) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	centers := r.Clusters.Centers()
	size := make([]int32, len(centers))
	for _, c := range centers {
		size[c]++
	}
	for i, c := range centers {
		id := uint32(i)
		_, s := r.Clusters.Center(id)
		row := run.TopicalClusterRow{
			URL: r.Docs.URL(id), ClusterID: tables.ClusterID(r.Docs.URL(c)), ClusterSize: size[c], IsCenter: c == id, SimilarityToCenter: s,
			LabelTerms: r.Clusters.Label(c),
		}
		if err := errors.Join(ctx.Err(), each(row)); err != nil {
			return err
		}
	}
	return r.Err()
}

// EachPairRow calls each for every pair of the topical view once, the document with the lower id first. Only the first
// document of a node is in pairs with other nodes. Each of the others is in one pair with the first.
func EachPairRow(ctx context.Context, r *runs.Run, each func(run.TopicalPairRow) error) error {
	if err := r.Need(config.Topical); err != nil {
		return err
	}
	for node := range uint32(r.Pairs.Len()) {
		members := r.Nodes.Members(node)
		if len(members) == 0 {
			break // the table is damaged
		}
		row := run.TopicalPairRow{URLA: r.Docs.URL(members[0]), Similarity: 1}
		for _, id := range members[1:] {
			row.URLB = r.Docs.URL(id)
			if err := each(row); err != nil {
				return err
			}
		}
		for _, e := range r.Pairs.Neighbours(node) {
			if e.To < node {
				continue
			}
			row.URLB, row.Similarity = r.Docs.URL(r.Nodes.First(e.To)), e.Similarity
			if err := each(row); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return r.Err()
}

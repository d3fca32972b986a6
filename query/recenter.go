package query

import (
	"fmt"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/urls"
)

// Rules returns the rules of canonical URLs by which the run named its documents.
func (r *Run) Rules() *urls.Rules { return r.rules }

// Centers returns the center of the topical cluster of every document; it points into the table.
func (r *Run) Centers() []uint32 { return r.clusters.Centers() }

// Recenter runs CENTER anew over the stored pairs at another threshold, in the order of the run, and returns the center
// of every document. A threshold below the similarity from which on the run has stored pairs is an error.
func (r *Run) Recenter(threshold float64) ([]uint32, error) {
	if err := r.Need(config.Topical); err != nil {
		return nil, err
	}
	if threshold < r.Config.Similarity || threshold > 1 {
		return nil, fmt.Errorf("threshold %g: the run has stored pairs of similarity %g to 1", threshold, r.Config.Similarity)
	}
	centers := center.Cluster(r.pairs, r.order(float32(threshold)), float32(threshold))
	out := make([]uint32, r.Len())
	for id := range out {
		out[id] = uint32(id)
		if node := r.nodes.Of(uint32(id)); node != tables.None {
			out[id] = r.nodes.First(centers[node])
		}
	}
	return out, r.Err()
}

// order is the order of CENTER's scan in the run, nil for that of the ids.
func (r *Run) order(threshold float32) []uint32 {
	if r.Config.Order == "id" {
		return nil
	}
	weight := make([]uint32, r.nodes.Len())
	for i := range weight {
		weight[i] = uint32(len(r.nodes.Members(uint32(i))))
	}
	if r.Config.Order == "degree" {
		return center.ByDegree(r.pairs, threshold, weight)
	}
	return center.BySimilarity(r.pairs, threshold, weight)
}

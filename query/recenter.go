package query

import (
	"fmt"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/tables"
)

// Rules returns the rules of canonical URLs by which the run named its documents.
func (r *Run) Rules() *crawl.Rules { return r.rules }

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
	centers := center.Cluster(r.pairs, r.Config.Order.Nodes(r.pairs, float32(threshold), r.nodeSize), float32(threshold))
	out := make([]uint32, r.Len())
	for id := range out {
		out[id] = uint32(id)
		if node := r.nodes.Of(uint32(id)); node != tables.None {
			out[id] = r.nodes.First(centers[node])
		}
	}
	return out, r.Err()
}

// nodeSize returns the number of documents of a node.
func (r *Run) nodeSize(node uint32) int { return len(r.nodes.Members(node)) }

package query

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/resemble"
)

// Recluster clusters the pages anew under another policy, from the stored pairs alone, and returns the clusters of
// two pages or more with their members, the largest first. The policy can ask for no less than the run has stored.
func (r *Run) Recluster(ctx context.Context, p resemble.Policy) ([]Group, error) {
	if err := r.Need(pipeline.Syntactic); err != nil {
		return nil, err
	}
	switch {
	case p.Threshold < r.Config.Resemblance:
		return nil, fmt.Errorf("resemblance %g: the run has stored pairs from %g on; build one with --resemblance %g", p.Threshold, r.Config.Resemblance, p.Threshold)
	case p.Containment > 0 && p.Containment < r.Config.Containment:
		return nil, fmt.Errorf("containment %g: the run has stored pairs from %g on; build one with --containment %g", p.Containment, r.Config.Containment, p.Containment)
	}
	c, err := resemble.Cluster(ctx, r.equal, r.similar.All(), resemble.ClusterConfig{Policy: p})
	if err != nil {
		return nil, err
	}
	var out []Group
	for _, g := range c.Groups() {
		out = append(out, r.group(g, c.Members(g), true))
	}
	sortGroups(out)
	return out, nil
}

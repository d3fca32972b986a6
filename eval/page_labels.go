package eval

import (
	"fmt"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// EvaluatePageLabels measures the syntactic clusters against the labels: all pages of a cluster should have one label, while a
// label may have many texts, so that recall is low where they are.
func EvaluatePageLabels(g *gold.Gold, r *query.Run, o score.Options) (score.ClusterScores, error) {
	of, err := r.SyntacticRepresentatives()
	if err != nil {
		return score.ClusterScores{}, err
	}
	d, err := score.NewDirectory(g.Labels, 1)
	if err != nil {
		return score.ClusterScores{}, err
	}
	m, err := Find(r, d)
	if err != nil {
		return score.ClusterScores{}, err
	}
	if _, err := d.CheckLevels(func(i int) bool { return m.IDs[i] != NoDocument }, "the run holds"); err != nil {
		return score.ClusterScores{}, fmt.Errorf("%s: %w", g.Name, err)
	}
	return d.ScoreClusters(m.Clusters("syntactic", of), o), nil
}

package eval

import (
	"fmt"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// EvaluatePageLabels measures the syntactic clusters against labels. All pages of a cluster should have the same label.
// A label may have many texts, and where it does, recall is low.
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

package eval

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
)

// TreeScores tells how well the tree of the topical clusters agrees with a directory, level by level and as a whole.
type TreeScores struct {
	Levels []CurvePoint      `json:"levels"` // the clusters of each level of the tree with its threshold; the first are those of the run
	Whole  []score.TreeLevel `json:"whole"`  // for each level of the directory
	Flat   []score.TreeLevel `json:"flat"`   // the same for the clusters of the run alone
}

// Tree scores the tree of a run, or, with thresholds, the tree that these give.
func Tree(ctx context.Context, r *query.Run, d *score.Directory, m *Match, thresholds []float64, workers int, o score.Options) (*TreeScores, error) {
	var centers [][]uint32
	if thresholds == nil {
		thresholds = r.Config.Tree
		t, err := r.TopicalTree()
		if err != nil {
			return nil, err
		}
		for level := range t.Levels() {
			centers = append(centers, t.Centers(level))
		}
	} else {
		var err error
		if centers, err = r.TopicalTreeAt(ctx, thresholds, workers); err != nil {
			return nil, err
		}
	}
	out := &TreeScores{}
	var levels []score.Clusters
	for level, of := range centers {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		threshold := r.Config.Threshold
		if level > 0 {
			threshold = thresholds[level-1]
		}
		c := m.Clusters(fmt.Sprintf("tree level %d", level), of)
		levels = append(levels, c)
		out.Levels = append(out.Levels, CurvePoint{Threshold: threshold, Scores: d.ScoreClusters(c, o)})
	}
	out.Whole, out.Flat = d.ScoreTree(levels, o), d.ScoreTree(levels[:1], o)
	return out, nil
}

// Figures lists the figures of the tree as a whole under their names in tables.
func (t *TreeScores) Figures() (out []score.Named) {
	for i, l := range t.Whole {
		out = append(out,
			score.Named{Name: fmt.Sprintf("dendrogram_purity_%d", l.Level), Figure: l.Purity},
			score.Named{Name: fmt.Sprintf("chance_dendrogram_purity_%d", l.Level), Figure: l.Chance},
			score.Named{Name: fmt.Sprintf("flat_dendrogram_purity_%d", l.Level), Figure: t.Flat[i].Purity})
	}
	return out
}

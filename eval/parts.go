package eval

import (
	"fmt"

	"github.com/lshclust/lshclust/eval/score"
)

// Part is a part of an evaluation: a way to find related pages, the queries with some number of in-links, or a
// clustering.
type Part struct {
	Name     string        // "related", "inlinks 2", "baseline stored", "clusters", "threshold 0.1"
	CoLinked string        // as in score.RankingScores
	Figures  []score.Named // in a fixed order
}

// Parts lists all figures of an evaluation: those of the run first, then the baselines and the clusters.
func (e *Evaluation) Parts() []Part {
	var out []Part
	for i := range e.Related {
		s := &e.Related[i]
		out = append(out, Part{"related", s.CoLinked, s.Figures()})
		for j := range s.InLinks {
			b := &s.InLinks[j]
			out = append(out, Part{"inlinks " + b.Name, s.CoLinked, b.Scores.Figures()})
		}
	}
	for _, b := range e.Baselines {
		for i := range b.Related {
			out = append(out, Part{"baseline " + b.Name, b.Related[i].CoLinked, b.Related[i].Figures()})
		}
	}
	out = append(out, Part{"clusters", "kept", e.Clusters.Figures()})
	if e.Tree != nil {
		for i := range e.Tree.Levels {
			out = append(out, Part{fmt.Sprintf("tree level %d", i), "kept", e.Tree.Levels[i].Scores.Figures()})
		}
		out = append(out, Part{"tree", "kept", e.Tree.Figures()})
	}
	for i := range e.Curve {
		out = append(out, Part{e.Curve[i].Name(), "kept", e.Curve[i].Scores.Figures()})
	}
	return out
}

// Name returns the name of the point among the parts of an evaluation. It names the order only if several were asked
// for.
func (p *CurvePoint) Name() string {
	if p.Order == "" {
		return fmt.Sprintf("threshold %g", p.Threshold)
	}
	return fmt.Sprintf("threshold %g, order %s", p.Threshold, p.Order)
}

package pipeline

import (
	"context"
	"math"

	"github.com/lshclust/lshclust/internal/run"
	"github.com/lshclust/lshclust/resemble"
)

// estimateRows is similarRows for a run that keeps sketches.
func (p *publishing) estimateRows(ctx context.Context, to share) (int64, error) {
	return writeTable(ctx, to, func(add func(run.SyntacticEstimateRow) error) error {
		err := p.equalRows(func(r run.SyntacticPairRow) error {
			return add(run.SyntacticEstimateRow{
				URLA: r.URLA, URLB: r.URLB, Resemblance: r.Resemblance, AInB: r.AInB, BInA: r.BInA, Relation: r.Relation,
			})
		})
		if err != nil {
			return err
		}
		for pair, err := range p.syntactic.similar.All() {
			if err != nil {
				return err
			}
			if err := add(p.estimateRow(pair)); err != nil {
				return err
			}
		}
		return nil
	})
}

func (p *publishing) estimateRow(pair resemble.Pair) run.SyntacticEstimateRow {
	row := run.SyntacticEstimateRow{
		URLA: p.pageURL(pair.A), URLB: p.pageURL(pair.B), Resemblance: float32(pair.Resemblance()),
		Relation: pair.Relation(p.b.config.Resemblance), Estimated: pair.Estimated(), Samples: int32(min(pair.Sample.Union(), math.MaxInt32)),
	}
	if row.Estimated {
		row.StdError = float32(pair.Sample.StdErr())
	}
	if !row.Estimated || p.b.config.Sketcher().Kind.Containment() {
		row.AInB, row.BInA = float32(pair.ContainmentAB()), float32(pair.ContainmentBA())
	}
	return row
}

package eval

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/center"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/query"
	"golang.org/x/sync/errgroup"
)

// CurvePoint holds the scores of the clusters at one threshold of CENTER, in one order of its scan.
type CurvePoint struct {
	Threshold float64             `json:"threshold"`
	Order     center.Order        `json:"order,omitempty"` // empty if only the order of the run was asked for
	Scores    score.ClusterScores `json:"scores"`
}

// Curve clusters the stored pairs of a run again at each threshold and in each order of o, and scores the clusters. The
// points are sorted by order, in the order in which the orders are given, and then likewise by threshold.
func Curve(ctx context.Context, r *query.Run, d *score.Directory, m *Match, o Options, measure score.Options) ([]CurvePoint, error) {
	var out []CurvePoint
	orders := o.Orders
	if len(orders) == 0 {
		orders = []center.Order{""}
	}
	for _, order := range orders {
		for _, t := range o.Thresholds {
			out = append(out, CurvePoint{Threshold: t, Order: order})
		}
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(1, o.Workers))
	for i := range out {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			p := &out[i]
			order := p.Order
			if order == "" {
				order = r.Config.Order
			}
			centers, err := r.TopicalCentersAt(p.Threshold, order)
			if err == nil {
				p.Scores = d.ScoreClusters(m.Clusters(p.Name(), centers), measure)
			}
			return err
		})
	}
	return out, g.Wait()
}

// Best returns the index of the first point with the greatest B-cubed F at a level, or -1 if none has one.
func Best(curve []CurvePoint, level int) int {
	best := -1
	var most float64
	for i, p := range curve {
		f := p.Scores.Levels[level-1].BCubed.F
		if f.Defined() && (best < 0 || f.Value > most) {
			best, most = i, f.Value
		}
	}
	return best
}

// CurveOrders returns the distinct orders of a curve, in its order.
func CurveOrders(curve []CurvePoint) (out []center.Order) {
	for _, p := range curve {
		if !slices.Contains(out, p.Order) {
			out = append(out, p.Order)
		}
	}
	return out
}

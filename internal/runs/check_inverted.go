package runs

import (
	"context"
	"fmt"

	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// checkInverted rebuilds the inverted lists from the bags and compares them.
func checkInverted(ctx context.Context, r *Run) error {
	of := tables.NodeBags{Bags: r.Bags, Nodes: r.Nodes}
	ends, from := inverted.Ends(of), uint32(0)
	if r.inverted.Segments() != len(ends) {
		return fmt.Errorf("%d segments of inverted lists, but the bags give %d", r.inverted.Segments(), len(ends))
	}
	var builder inverted.Builder
	for i, end := range ends {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.inverted.Check(i, builder.Build(of, from, end)); err != nil {
			return err
		}
		from = end
	}
	return nil
}

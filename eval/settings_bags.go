package eval

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/pipeline"
)

// gathered holds what the inputs say of each document, and the raw bags of the targets.
type gathered struct {
	*pipeline.Gathered
	raw map[uint32][]bags.Weighted
}

// bags keeps the raw bags of some documents.
func (m *gathered) bags(ctx context.Context, ids map[uint32]bool) error {
	m.raw = map[uint32][]bags.Weighted{}
	id := uint32(0)
	for bag, err := range m.RawBags(ctx) {
		if err != nil {
			return err
		}
		if ids[id] {
			m.raw[id] = slices.Clone(bag)
		}
		id++
	}
	return nil
}

// vectors returns the bags of the targets of a directory, empty ones for those that are no documents.
func (m *gathered) vectors(d *score.Directory, w *bags.Weigher) []vector {
	vectors := make([]vector, d.Len())
	for i := range vectors {
		id, ok := m.Find(d.URL(i))
		if !ok {
			continue
		}
		bag := w.Weigh(m.raw[id])
		for j, t := range bag.Terms {
			vectors[i].add(t, float64(bag.Counts[j]))
		}
	}
	return vectors
}

package eval

import (
	"context"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/pipeline"
)

// gathered holds the result of reading the inputs, and the raw bags of the targets.
type gathered struct {
	*pipeline.Gathered
	raw map[uint32]*bags.Raw
}

// bags stores the raw bags of the documents with the given ids in raw.
func (m *gathered) bags(ctx context.Context, ids map[uint32]bool) error {
	m.raw = map[uint32]*bags.Raw{}
	id := uint32(0)
	for bag, err := range m.RawBags(ctx) {
		if err != nil {
			return err
		}
		if ids[id] {
			m.raw[id] = bag.Clone()
		}
		id++
	}
	return nil
}

// vectors returns the bags of the targets of a directory. A target that is not a document has an empty bag.
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

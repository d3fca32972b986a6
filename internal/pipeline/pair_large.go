package pipeline

import (
	"context"

	"github.com/lshclust/lshclust/internal/mapped"
	"github.com/lshclust/lshclust/lsh"
)

// bucketsStep finds the nodes in large buckets.
func (b pairStage) bucketsStep() (*plan, error) {
	return b.keysStep("", func(p *pairing, index *lsh.Index, _ *opened) (func(context.Context, lsh.Keys, *partFiles) (counts, error), error) {
		return func(ctx context.Context, keys lsh.Keys, out *partFiles) (counts, error) {
			return nil, p.writeBuckets(ctx, index, keys, out.path(""))
		}, nil
	})
}

// bucketColumns hold the nodes in large buckets of some keys, as lsh.LargeBuckets returns them.
type bucketColumns struct {
	first mapped.Starts          `lsh:"first"` // of each key
	row   mapped.Numbers[uint64] `lsh:"row,stream"`
}

// writeBuckets writes the nodes in large buckets of some keys.
func (p *pairing) writeBuckets(ctx context.Context, index *lsh.Index, keys lsh.Keys, path string) error {
	var c bucketColumns
	w := createColumns(path, &c)
	defer w.Abort()
	err := index.LargeBuckets(ctx, p.sigs.All(), p.lshConfig(), keys, func(_ int, rows []uint64) error {
		c.row.AddAll(rows)
		c.first.Add(len(rows))
		return nil
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// largeStep combines what bucketsStep found for each node at all keys.
func (b pairStage) largeStep() (*plan, error) {
	nodes := b.countNodes()
	size := largeNodes(b.sizes, nodes)
	parts := partsOf(nodes, size)
	var found []string
	for _, p := range b.partsOfStep("pair", b.stage("pair").index(pairBuckets)) {
		found = append(found, p.Files...)
	}
	return &plan{
		parts: parts, several: b.severalOf(parts, 0, found...),
		open: func(_ context.Context, _ int, from *opened) (partFunc, error) {
			_, index, err := openIndex(b, from)
			if err != nil {
				return nil, err
			}
			large := openBuckets(from)
			return func(_ context.Context, at partAt, out *partFiles) (counts, error) {
				first, end := rangeOf(at.number, size, nodes)
				return nil, writePlaces(index, large, first, end, out.path(""))
			}, from.Ready()
		},
	}, nil
}

// largeParts is the number of parts of the step above which parts grow. The files of all parts are open at the same
// time.
const largeParts = 32

// largeNodes returns the number of nodes of each part of the step.
func largeNodes(s sizes, nodes int) int { return max(s.nodes, (nodes+largeParts-1)/largeParts) }

// openBuckets returns the nodes in large buckets, by key.
func openBuckets(from *opened) (large [][]uint64) {
	for _, f := range stepFiles(from, "pair", pairBuckets, openWork[bucketColumns]) {
		c := f.of
		for key := range c.first.Len() - 1 {
			begin, end := c.first.Span(key, c.row.Len())
			large = append(large, c.row.Slice(begin, end))
		}
	}
	return large
}

// placeColumns hold the lsh.Places of some nodes.
type placeColumns struct {
	heads mapped.Numbers[uint64] `lsh:"heads"`
	place mapped.Numbers[uint32] `lsh:"place,stream"`
}

// writePlaces writes the lsh.Places of some nodes.
func writePlaces(index *lsh.Index, large [][]uint64, from, to int, path string) error {
	var c placeColumns
	w := createColumns(path, &c)
	defer w.Abort()
	err := index.EachPlaces(large, from, to, func(head []uint64, places []uint32) {
		c.heads.AddAll(head)
		c.place.AddAll(places)
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// openLarge returns what all parts of largeStep wrote, and the number of nodes of each. It verifies all of it,
// because searches use it without checks.
func (b pairStage) openLarge(from *opened, nodes int) (size int, all []lsh.Places) {
	for _, f := range stepFiles(from, "pair", pairLarge, openWork[placeColumns]) {
		from.Do(func() error {
			all = append(all, lsh.Places{Heads: f.of.heads.All(), Place: f.of.place.All()})
			return f.Verify()
		})
	}
	return largeNodes(b.sizes, nodes), all
}

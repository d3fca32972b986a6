package pipeline

import (
	"context"
	"errors"

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

// writeBuckets writes the nodes in large buckets of some keys, as lsh.LargeBuckets returns them, and where those of
// each key begin.
func (p *pairing) writeBuckets(ctx context.Context, index *lsh.Index, keys lsh.Keys, path string) error {
	w := mapped.Create(path, workKind, workVersion)
	defer w.Abort()
	first, row := w.Side("first", 8), w.Section("row", 8)
	n := uint64(0)
	first.U64(n)
	err := index.LargeBuckets(ctx, p.sigs.All(), p.lshConfig(), keys, func(_ int, rows []uint64) error {
		for _, r := range rows {
			row.U64(r)
		}
		n += uint64(len(rows))
		first.U64(n)
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
			p, index, err := openIndex(b, from)
			if err != nil {
				return nil, err
			}
			large := p.openBuckets(from)
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
func (p *pairing) openBuckets(from *opened) (large [][]uint64) {
	for i := range partsOf(p.config.Keys, p.b.sizes.partKeys(p.nodes.Len(), p.config.Keys)) {
		f := workFile(from, stepFile(pairBuckets, "", i), openColumns)
		from.Do(func() error {
			first, errFirst := mapped.View[uint64](f, "first")
			row, errRow := mapped.View[uint64](f, "row")
			if err := errors.Join(errFirst, errRow); err != nil {
				return err
			}
			for i := range first.Len() - 1 {
				large = append(large, row.Slice(int(first.At(i)), int(first.At(i+1))))
			}
			return f.Err()
		})
	}
	return large
}

// writePlaces writes the lsh.Places of some nodes.
func writePlaces(index *lsh.Index, large [][]uint64, from, to int, path string) error {
	w := mapped.Create(path, workKind, workVersion)
	defer w.Abort()
	heads, place := w.Side("heads", 8), w.Section("place", 4)
	err := index.EachPlaces(large, from, to, func(head []uint64, places []uint32) {
		for _, word := range head {
			heads.U64(word)
		}
		for _, at := range places {
			place.U32(at)
		}
	})
	if err != nil {
		return err
	}
	return w.Close()
}

// openLarge returns what all parts of largeStep wrote, and the number of nodes of each. It verifies all of it,
// because searches use it without checks.
func (b pairStage) openLarge(from *opened, nodes int) (size int, all []lsh.Places) {
	size = largeNodes(b.sizes, nodes)
	for i := range partsOf(nodes, size) {
		f := workFile(from, stepFile(pairLarge, "", i), openColumns)
		from.Do(func() error {
			heads, errHeads := mapped.View[uint64](f, "heads")
			place, errPlace := mapped.View[uint32](f, "place")
			all = append(all, lsh.Places{Heads: heads.All(), Place: place.All()})
			return errors.Join(errHeads, errPlace, f.Verify())
		})
	}
	return size, all
}

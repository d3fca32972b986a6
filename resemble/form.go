package resemble

import (
	"context"

	"github.com/lshclust/lshclust/extsort"
	"golang.org/x/sync/errgroup"
)

// formBatch is the number of pairs in the lists that a worker takes at a time.
const formBatch = 1 << 16

// batch is a number of lists.
type batch struct {
	ids   []uint32 // of all lists
	ends  []int    // the place in ids where each ends
	short []int    // how many documents of each have the key as their own
}

// form appends the pairs of every list, and of long lists some of them.
func (j *selfJoin) form(ctx context.Context, out []*extsort.Appender) error {
	g, ctx := errgroup.WithContext(ctx)
	batches := make(chan batch, len(out))
	g.Go(func() error {
		defer close(batches)
		return j.readLists(func(b batch) error {
			select {
			case batches <- b:
				return nil
			case <-ctx.Done():
				return ctx.Err()
			}
		})
	})
	for _, a := range out {
		g.Go(func() error {
			f := former{j, newCombiner(a, j.res)}
			for b := range batches {
				if err := f.batch(b); err != nil {
					return err
				}
			}
			return f.combiner.close()
		})
	}
	return g.Wait()
}

// readLists reads all lists in batches, and reports the documents of those that are not paired all with all.
func (j *selfJoin) readLists(put func(batch) error) error {
	var b batch
	pairs := uint64(0)
	err := j.lists.read(j.maxCommon, func(key uint64, ids []uint32, short int) error {
		if j.unpaired != nil && j.capped(len(ids), short) {
			for _, id := range ids {
				j.unpaired(key, id)
			}
		}
		b.ids = append(b.ids, ids...)
		b.ends, b.short = append(b.ends, len(b.ids)), append(b.short, short)
		if pairs += allPairs(len(ids)); pairs < formBatch {
			return nil
		}
		full := b
		b, pairs = batch{}, 0
		return put(full)
	})
	if err != nil {
		return err
	}
	return put(b)
}

type former struct {
	*selfJoin
	combiner combiner
}

func (f *former) batch(b batch) error {
	at := 0
	for i, end := range b.ends {
		if err := f.list(b.ids[at:end], b.short[i]); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// list forms the pairs of one list: those of the documents that come first, in ascending order, and of these with the
// others.
func (f *former) list(ids []uint32, short int) error {
	reach := short
	if f.capped(len(ids), short) {
		reach = f.reach
	}
	own, long := ids[:short], ids[short:]
	for i, a := range own {
		near := own[i+1 : min(len(own), i+1+reach)]
		if i == 0 {
			near = own[1:]
		}
		for _, b := range near {
			f.combiner.add(uint64(a)<<32 | uint64(b))
		}
		if err := f.combiner.spill(); err != nil {
			return err
		}
	}
	for _, b := range long {
		for _, a := range own[:reach] {
			f.combiner.add(uint64(min(a, b))<<32 | uint64(max(a, b)))
		}
		if err := f.combiner.spill(); err != nil {
			return err
		}
	}
	return nil
}

package resemble

import (
	"context"

	"github.com/lshclust/lshclust/extsort"
	"golang.org/x/sync/errgroup"
)

// formBatch is the number of pairs in the runs that a worker takes at a time.
const formBatch = 1 << 16

// batch is some runs.
type batch struct {
	ids  []uint32 // of all runs
	ends []int    // where in ids each ends
}

// form appends the pairs of every run, of long runs some.
func (j *join) form(ctx context.Context, out []*extsort.Appender) error {
	g, ctx := errgroup.WithContext(ctx)
	batches := make(chan batch, len(out))
	g.Go(func() error {
		defer close(batches)
		return j.readRuns(func(b batch) error {
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

// readRuns puts all runs in batches, and tells of those that are not paired all with
// all.
func (j *join) readRuns(put func(batch) error) error {
	var b batch
	pairs := uint64(0)
	err := j.runs.read(j.maxCommon, func(key uint64, ids []uint32) error {
		if len(ids) > j.limit && j.unpaired != nil {
			for _, id := range ids {
				j.unpaired(key, id)
			}
		}
		b.ids = append(b.ids, ids...)
		b.ends = append(b.ends, len(b.ids))
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
	*join
	combiner combiner
}

func (f *former) batch(b batch) error {
	at := 0
	for _, end := range b.ends {
		if err := f.run(b.ids[at:end]); err != nil {
			return err
		}
		at = end
	}
	return nil
}

// run forms the pairs of one run, in which ids ascend.
func (f *former) run(ids []uint32) error {
	reach := len(ids)
	if len(ids) > f.limit {
		reach = f.reach
	}
	for i, a := range ids {
		near := ids[i+1 : min(len(ids), i+1+reach)]
		if i == 0 {
			near = ids[1:]
		}
		for _, b := range near {
			f.combiner.add(uint64(a)<<32 | uint64(b))
		}
		if err := f.combiner.spill(); err != nil {
			return err
		}
	}
	return nil
}

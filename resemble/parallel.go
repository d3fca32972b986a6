package resemble

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// blockOf is the number of documents that a goroutine takes at a time.
const blockOf = 256

// each calls work for every number below n, on several goroutines that take blocks of numbers. worker is 0 to
// workers-1.
func each(ctx context.Context, n, workers int, work func(worker int, i uint32) error) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for w := range workers {
		g.Go(func() error {
			for {
				to := int(next.Add(blockOf))
				from := to - blockOf
				if from >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for i := from; i < min(to, n); i++ {
					if err := work(w, uint32(i)); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}

// inOrder works on the jobs that feed puts, on several goroutines, and passes the results to take in the order of the
// jobs, on one goroutine. It holds a few jobs for each goroutine at a time.
func inOrder[J, R any](ctx context.Context, workers int, feed func(put func(J) error) error, work func(worker int, j J) (R, error), take func(R) error) error {
	g, ctx := errgroup.WithContext(ctx)
	type job struct {
		j   J
		out chan R
	}
	jobs, order := make(chan job), make(chan job, 4*workers)
	g.Go(func() error {
		defer close(order)
		defer close(jobs)
		return feed(func(j J) error {
			todo := job{j, make(chan R, 1)}
			for _, c := range []chan job{order, jobs} {
				select {
				case c <- todo:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		})
	})
	for w := range workers {
		g.Go(func() error {
			for j := range jobs {
				r, err := work(w, j.j)
				if err != nil {
					return err
				}
				j.out <- r
			}
			return nil
		})
	}
	g.Go(func() error {
		for j := range order {
			select {
			case r := <-j.out:
				if err := take(r); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	return g.Wait()
}

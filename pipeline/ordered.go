package pipeline

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// ordered computes work(0) … work(n-1) on several workers and gives the results to take in that order, on one
// goroutine. At most twice as many results as workers wait to be taken.
func ordered[T any](ctx context.Context, n, workers int, work func(worker, i int) (T, error), take func(i int, t T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	type slot chan T
	slots := make(chan slot, workers)
	jobs := make(chan struct {
		i   int
		out slot
	})
	g.Go(func() error { // hands out the work, and the places of its results in order
		defer close(slots)
		defer close(jobs)
		for i := range n {
			out := make(slot, 1)
			select {
			case slots <- out:
			case <-ctx.Done():
				return ctx.Err()
			}
			select {
			case jobs <- struct {
				i   int
				out slot
			}{i, out}:
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		return nil
	})
	for w := range workers {
		g.Go(func() error {
			for j := range jobs {
				t, err := work(w, j.i)
				if err != nil {
					return err
				}
				j.out <- t
			}
			return nil
		})
	}
	g.Go(func() error {
		i := 0
		for s := range slots {
			select {
			case t := <-s:
				if err := take(i, t); err != nil {
					return err
				}
			case <-ctx.Done():
				return ctx.Err()
			}
			i++
		}
		return ctx.Err()
	})
	return g.Wait()
}

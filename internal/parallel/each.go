// Package parallel spreads work over several goroutines. There is one function for each use of the results:
//
//   - [Each] calls a function for each number below n, in no particular order. It is for results that go into a
//     slice, each into its own place, and for work without results.
//   - [Ordered] does the same and passes the results to the caller in order of the numbers, in whatever order they
//     were computed. The bytes of waiting results are bounded.
//   - [Stream] is Ordered over the values of an iterator instead of numbers.
//
// An item must not wait for another one, because they may not be worked on at the same time.
//
// All three return the first error after every goroutine has ended, and stop early if the context is cancelled.
package parallel

import (
	"context"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// Each calls work(worker, i) for every i below n. It uses at most workers goroutines, numbered from 0, so that each
// can have its own buffers; it assigns the numbers in ascending order.
func Each(ctx context.Context, n, workers int, work func(worker, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	var next atomic.Int64
	for w := range min(max(1, workers), n) {
		g.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= n {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := work(w, i); err != nil {
					return err
				}
			}
		})
	}
	return g.Wait()
}

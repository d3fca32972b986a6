package resemble

import (
	"context"
	"errors"

	"github.com/lshclust/lshclust/internal/parallel"
)

// blockOf is the number of documents that a goroutine takes at a time.
const blockOf = 256

// each calls work for every number below n, on several goroutines that take blocks of numbers. worker is 0 to
// workers-1.
func each(ctx context.Context, n, workers int, work func(worker int, i uint32) error) error {
	return parallel.Each(ctx, (n+blockOf-1)/blockOf, workers, func(worker, block int) error {
		for i := block * blockOf; i < min((block+1)*blockOf, n); i++ {
			if err := work(worker, uint32(i)); err != nil {
				return err
			}
		}
		return nil
	})
}

// inOrder works on the jobs that feed puts, on several goroutines, and gives the
// results to take in the order of the jobs, on one goroutine. A few results for each
// worker wait at a time.
func inOrder[J, R any](ctx context.Context, workers int, feed func(put func(J) error) error, work func(worker int, j J) (R, error), take func(R) error) error {
	jobs := func(yield func(J, error) bool) {
		err := feed(func(j J) error {
			if !yield(j, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			var none J
			yield(none, err)
		}
	}
	return parallel.Stream(ctx, jobs, workers, int64(4*workers), func(worker int, j J, emit func(R, int) error) error {
		r, err := work(worker, j)
		if err != nil {
			return err
		}
		return emit(r, 1)
	}, take)
}

// errStopped ends feed when nobody takes its jobs any more.
var errStopped = errors.New("stopped")

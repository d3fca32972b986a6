package resemble

import (
	"context"
	"errors"
	"iter"

	"github.com/lshclust/lshclust/internal/parallel"
)

// blockOf is the number of documents that a goroutine takes at a time.
const blockOf = 256

// each calls work for every number below n on several goroutines, which take blocks of numbers. worker is 0 to
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

// sequence returns what each passes to its argument, which is valid until the loop goes on.
func sequence[T any](each func(put func(T) error) error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		err := each(func(x T) error {
			if !yield(x, nil) {
				return errStopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			var none T
			yield(none, err)
		}
	}
}

// errStopped ends a function whose results are no longer wanted.
var errStopped = errors.New("stopped")

package resemble

import (
	"context"
	"errors"

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

// errStopped ends a function whose results are no longer wanted.
var errStopped = errors.New("stopped")

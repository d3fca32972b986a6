package lsh

import (
	"context"
	"errors"
	"iter"
)

// errStopped stops a search whose caller has left the loop.
var errStopped = errors.New("the caller has stopped")

// All yields the pairs that Pairs emits, in the goroutine of the caller. It ignores c.Workers. The order of the pairs
// depends on the signatures, the index and c.Memory alone. If the signatures, the index or c cannot be used, All yields
// a single error.
func (x *Index) All(sigs Signatures, c Config) iter.Seq2[Pair, error] {
	c.Workers = 1
	return func(yield func(Pair, error) bool) {
		_, err := x.Pairs(context.Background(), sigs, c, func(_ int, pairs []Pair) error {
			for _, p := range pairs {
				if !yield(p, nil) {
					return errStopped
				}
			}
			return nil
		}, nil)
		if err != nil && !errors.Is(err, errStopped) {
			yield(Pair{}, err)
		}
	}
}

package api

import (
	"context"
	"sync"
)

// background is a figure of a run that takes as long as reading much of its tables. It is computed once, when it is
// first asked for.
type background[T any] struct {
	once sync.Once
	made chan struct{} // closed when the fields below are set
	of   T
	err  error
}

// get returns the figure. The computation goes on in the background if the context ends before it does, and the next
// question finds its result. Until then, the answer is that the server is busy, with the reason why.
func (b *background[T]) get(ctx context.Context, r *Run, why string, compute func(ctx context.Context) (T, error)) (of T, err error) {
	b.once.Do(func() {
		b.made = make(chan struct{})
		r.work.Go(func() {
			defer close(b.made)
			b.of, b.err = compute(r.ctx)
		})
	})
	select {
	case <-b.made:
		return b.of, b.err
	case <-ctx.Done():
		return of, Busy(why, 10)
	}
}

package api

import (
	"context"
	"sync"
)

// kept are results that take long to make, are made once for a run, and are kept as long as it is open.
type kept struct {
	sync.Mutex
	by map[string]*result
}

// result is a kept result. The fields of and err are set when made is closed.
type result struct {
	made chan struct{}
	of   any
	err  error
}

// Kept returns the result with a name of a run. The first caller has it made in the background. If the context ends
// before it is made, Kept returns a problem with the text of busy, the work goes on, and a later call finds the result.
func Kept[T any](ctx context.Context, r *Run, name, busy string, do func(context.Context) (T, error)) (T, error) {
	k := r.kept.get(name, func(k *result) {
		r.work.Go(func() {
			defer close(k.made)
			k.of, k.err = do(r.ctx)
		})
	})
	select {
	case <-k.made:
		of, _ := k.of.(T)
		return of, k.err
	case <-ctx.Done():
		var none T
		return none, Busy(busy, 10)
	}
}

// get returns the result with a name, a new one if there is none, after it called begin with it.
func (all *kept) get(name string, begin func(*result)) *result {
	all.Lock()
	defer all.Unlock()
	k := all.by[name]
	if k == nil {
		if all.by == nil {
			all.by = map[string]*result{}
		}
		k = &result{made: make(chan struct{})}
		all.by[name] = k
		begin(k)
	}
	return k
}

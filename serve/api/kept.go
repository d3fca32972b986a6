package api

import (
	"context"
	"sync"
)

// kept holds results that are expensive. Each is computed once for a run and kept until the run is closed.
type kept struct {
	sync.Mutex
	by map[question]*result
}

// question identifies a result by its name and the other run, or nil.
type question struct {
	name  string
	older *Run
}

// result is a kept result. Its value and err are set when made is closed.
type result struct {
	made chan struct{}
	of   any
	err  error
}

// Kept returns the named result about a run or, if older is not nil, about two runs. The first caller starts the
// computation in the background; closing a run stops it. If the context ends first, Kept returns a problem with the
// text of busy; the computation continues, and a later call returns its result.
func Kept[T any](ctx context.Context, r, older *Run, name, busy string, do func(context.Context) (T, error)) (T, error) {
	k := r.kept.get(question{name, older}, func(k *result) {
		ctx, done := r.ctx, func() {}
		if older != nil {
			ctx, done = older.during(ctx)
		}
		r.work.Go(func() {
			defer done()
			defer close(k.made)
			k.of, k.err = do(ctx)
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

// during returns a context that also ends when the run is closed. The run is not closed before done is called.
func (r *Run) during(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(r.ctx, cancel)
	r.work.Add(1)
	return ctx, func() { stop(); cancel(); r.work.Done() }
}

// get returns the result for a question. If there is none, it adds one and calls begin with it. It forgets results
// about older runs that were replaced.
func (all *kept) get(q question, begin func(*result)) *result {
	all.Lock()
	defer all.Unlock()
	for asked := range all.by {
		if asked.older != nil && asked.older.ctx.Err() != nil {
			delete(all.by, asked)
		}
	}
	k := all.by[q]
	if k == nil {
		if all.by == nil {
			all.by = map[question]*result{}
		}
		k = &result{made: make(chan struct{})}
		all.by[q] = k
		begin(k)
	}
	return k
}

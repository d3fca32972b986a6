package api

import (
	"context"
	"sync"
)

// kept are results that take long to make, are made once for a run, and are kept as long as it is open.
type kept struct {
	sync.Mutex
	by map[question]*result
}

// question is what a result answers: by its name, and with which other run, nil for none.
type question struct {
	name  string
	older *Run
}

// result is a kept result. The fields of and err are set when made is closed.
type result struct {
	made chan struct{}
	of   any
	err  error
}

// Kept returns the result with a name of a run, or of a run and an older one unless that is nil. The first caller has it
// made in the background; closing a run cuts that short. If the context ends before it is made, Kept returns a problem
// with the text of busy, the work goes on, and a later call finds the result.
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

// during returns a context that ends when the run is closed, too. The run is not closed before done is called.
func (r *Run) during(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(r.ctx, cancel)
	r.work.Add(1)
	return ctx, func() { stop(); cancel(); r.work.Done() }
}

// get returns the result of a question, a new one if there is none, after it called begin with it. It forgets those of
// older runs that were replaced.
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

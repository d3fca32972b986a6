package runs

import (
	"context"
	"reflect"
	"sync"
)

// results holds results that are expensive. Each is computed once for a run and kept until the run is closed.
type results struct {
	ctx  context.Context // ends when the run is closed
	stop context.CancelFunc
	work sync.WaitGroup // of the computations

	sync.Mutex
	by map[about]*result
}

// about identifies a result by its name and the other run, or nil.
type about struct {
	name  string
	older *Run
}

// result is a result that is kept. Its value and err are set when made is closed.
type result struct {
	made chan struct{}
	of   any
	err  error
}

// Busy is the error for a result that is still being computed, in words.
type Busy string

func (e Busy) Error() string { return string(e) }

// Result returns the named result about a run or, if older is not nil, about two runs. The first caller starts the
// computation in the background; closing a run stops it. If the context ends first, the error is busy; the computation
// continues, and a later call returns its result.
func Result[T any](ctx context.Context, r, older *Run, name string, busy Busy, do func(context.Context) (T, error)) (T, error) {
	k := r.results.get(about{name, older}, func(k *result) {
		ctx, done := r.results.ctx, func() {}
		if older != nil {
			ctx, done = older.during(ctx)
		}
		r.results.work.Go(func() {
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
		return none, busy
	}
}

// during returns a context that also ends when the run is closed. The run is not closed before done is called.
func (r *Run) during(ctx context.Context) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(r.results.ctx, cancel)
	r.results.work.Add(1)
	return ctx, func() { stop(); cancel(); r.results.work.Done() }
}

// get returns a result. If there is none, it adds one and calls begin with it. It forgets results
// about older runs that were replaced.
func (all *results) get(q about, begin func(*result)) *result {
	all.Lock()
	defer all.Unlock()
	for asked := range all.by {
		if asked.older != nil && asked.older.results.ctx.Err() != nil {
			delete(all.by, asked)
		}
	}
	k := all.by[q]
	if k == nil {
		if all.by == nil {
			all.by = map[about]*result{}
		}
		k = &result{made: make(chan struct{})}
		all.by[q] = k
		begin(k)
	}
	return k
}

// Memo returns a value that is made on first use, once for each run and type.
func Memo[T any](r *Run, make func(*Run) T) T {
	r.memoLock.Lock()
	once := r.memos[reflect.TypeFor[T]()]
	if once == nil {
		once = sync.OnceValue(func() any { return make(r) })
		r.memos[reflect.TypeFor[T]()] = once
	}
	r.memoLock.Unlock()
	return once().(T)
}

// Close stops the computations, waits for them to end and closes the tables. No question may be in progress.
func (r *Run) Close() error {
	r.results.stop()
	r.results.work.Wait()
	return r.set.Close()
}

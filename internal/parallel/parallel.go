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
	"cmp"
	"context"
	"iter"
	"sync"
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

// Ordered calls work for every i below n on several goroutines, as [Each] does, and passes what work emits to take,
// on one goroutine, in order of the numbers. An item may emit any number of results, each with its size in bytes.
//
// Results of later items wait in memory, up to budget bytes together; a worker that would exceed the budget waits,
// too. The worker of the current item waits only for take, so that an item of any size can be processed. So take must
// not wait for a worker, and work must not hold anything that another item needs while it emits.
func Ordered[T any](ctx context.Context, n, workers int, budget int64, work func(worker, i int, emit func(T, int) error) error, take func(i int, t T) error) error {
	i := -1
	numbers := func() (int, error, bool) {
		i++
		return i, nil, i < n
	}
	return ordered(ctx, numbers, min(workers, n), budget, work, take)
}

// Stream is [Ordered] over the jobs that an iterator yields. It takes one job at a time as workers become free. The
// iterator is not left before Stream returns; an error that it yields ends the work.
func Stream[J, T any](ctx context.Context, jobs iter.Seq2[J, error], workers int, budget int64, work func(worker int, j J, emit func(T, int) error) error, take func(T) error) error {
	next, stop := iter.Pull2(jobs)
	defer stop()
	return ordered(ctx, next, workers, budget, work, func(_ int, t T) error { return take(t) })
}

func ordered[J, T any](ctx context.Context, jobs func() (J, error, bool), workers int, budget int64, work func(worker int, j J, emit func(T, int) error) error, take func(i int, t T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	q := &queue[J, T]{jobs: jobs, budget: budget}
	q.changed = sync.NewCond(&q.mu)
	stop := context.AfterFunc(ctx, func() { q.fail(context.Cause(ctx)) })
	defer stop()
	for w := range max(1, workers) {
		g.Go(func() error {
			for {
				i, j, ok, err := q.next()
				if err != nil {
					return err
				}
				if !ok {
					return ctx.Err()
				}
				if err := work(w, j, func(t T, size int) error { return q.put(i, t, int64(size)) }); err != nil {
					return err
				}
				q.end(i)
			}
		})
	}
	g.Go(func() error {
		for {
			i, t, ok, err := q.take()
			if err != nil || !ok {
				return err
			}
			if err := take(i, t); err != nil {
				return err
			}
		}
	})
	return g.Wait()
}

// queue holds the results of the items until it is their turn.
type queue[J, T any] struct {
	feeding sync.Mutex // held while a job is fetched, so that jobs are numbered in their order
	jobs    func() (J, error, bool)

	mu      sync.Mutex
	changed *sync.Cond
	items   []item[T] // from the current one on, as far as they were started
	turn    int       // number of the current item, whose results are being taken
	last    bool      // whether there are no more jobs
	held    int64     // bytes of all waiting results
	budget  int64
	err     error
}

type item[T any] struct {
	waiting []emitted[T]
	ended   bool
}

type emitted[T any] struct {
	t    T
	size int64
}

const (
	// atOnce is the number of results of the current item that may wait for take.
	atOnce = 4
	// ahead is the number of items that may be started or done after the current one, which bounds the queue if
	// results are small or items emit none.
	ahead = 1024
)

// next returns the next job with its number. ok is false if there is none, or if another goroutine has failed.
func (q *queue[J, T]) next() (i int, j J, ok bool, err error) {
	q.feeding.Lock()
	defer q.feeding.Unlock()
	if !q.free() {
		return 0, j, false, nil
	}
	j, err, ok = q.jobs()
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil || !ok {
		q.last = true
		q.changed.Broadcast()
		return 0, j, false, err
	}
	q.items = append(q.items, item[T]{})
	return q.turn + len(q.items) - 1, j, true, nil
}

// free waits until another item may start. It returns false if none will.
func (q *queue[J, T]) free() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.err == nil && !q.last && len(q.items) > ahead {
		q.changed.Wait()
	}
	return q.err == nil && !q.last
}

// put adds to the results of an item.
func (q *queue[J, T]) put(i int, t T, size int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.err == nil && (i == q.turn && len(q.items[0].waiting) >= atOnce || i > q.turn && q.held+size > q.budget) {
		q.changed.Wait()
	}
	if q.err != nil {
		return q.err
	}
	at := &q.items[i-q.turn]
	at.waiting = append(at.waiting, emitted[T]{t, size})
	q.held += size
	q.changed.Broadcast()
	return nil
}

func (q *queue[J, T]) end(i int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items[i-q.turn].ended = true
	q.changed.Broadcast()
}

// take waits for the next result in order; ok is false after the last one.
func (q *queue[J, T]) take() (i int, t T, ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.err == nil && (len(q.items) > 0 || !q.last) {
		switch {
		case len(q.items) > 0 && len(q.items[0].waiting) > 0:
			at := &q.items[0]
			first := at.waiting[0]
			at.waiting[0] = emitted[T]{} // lets the garbage collector free it
			at.waiting = at.waiting[1:]
			q.held -= first.size
			q.changed.Broadcast()
			return q.turn, first.t, true, nil
		case len(q.items) > 0 && q.items[0].ended:
			q.items[0] = item[T]{}
			q.items = q.items[1:]
			q.turn++
			q.changed.Broadcast()
		default:
			q.changed.Wait()
		}
	}
	return 0, t, false, q.err
}

func (q *queue[J, T]) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.err = cmp.Or(q.err, err)
	q.changed.Broadcast()
}

package pipeline

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
)

// ordered calls work(0) … work(n-1) on several workers and passes what they emit to take, on one goroutine, in the order of
// the items. Results of later items wait in memory, up to budget bytes together; a worker that would exceed the budget waits
// too. The worker of the current item waits only for take, so that an item of any size goes through. take must not wait for
// a worker, and work must not hold anything that another item needs while it emits.
func ordered[T any](ctx context.Context, n, workers int, budget int64, work func(worker, i int, emit func(T, int) error) error, take func(i int, t T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	q := &queue[T]{items: make([]item[T], n), budget: budget}
	q.changed = sync.NewCond(&q.mu)
	stop := context.AfterFunc(ctx, func() { q.fail(context.Cause(ctx)) })
	defer stop()
	for w := range workers {
		g.Go(func() error {
			for {
				i, ok := q.next()
				if !ok {
					return ctx.Err()
				}
				if err := work(w, i, func(t T, size int) error { return q.put(i, t, int64(size)) }); err != nil {
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
type queue[T any] struct {
	mu      sync.Mutex
	changed *sync.Cond
	items   []item[T]
	begun   int   // items that were handed out
	turn    int   // the item whose results are taken
	held    int64 // bytes of all that waits
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

// atOnce is the number of results of the current item that may wait for take.
const atOnce = 4

// next hands out the next item.
func (q *queue[T]) next() (i int, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err != nil || q.begun == len(q.items) {
		return 0, false
	}
	q.begun++
	return q.begun - 1, true
}

// put adds to the results of an item.
func (q *queue[T]) put(i int, t T, size int64) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.err == nil && (i == q.turn && len(q.items[i].waiting) >= atOnce || i > q.turn && q.held+size > q.budget) {
		q.changed.Wait()
	}
	if q.err != nil {
		return q.err
	}
	q.items[i].waiting = append(q.items[i].waiting, emitted[T]{t, size})
	q.held += size
	q.changed.Broadcast()
	return nil
}

func (q *queue[T]) end(i int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items[i].ended = true
	q.changed.Broadcast()
}

// take waits for the next result in order; ok is false after the last one.
func (q *queue[T]) take() (i int, t T, ok bool, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.err == nil && q.turn < len(q.items) {
		at := &q.items[q.turn]
		switch {
		case len(at.waiting) > 0:
			first := at.waiting[0]
			at.waiting[0] = emitted[T]{} // let go of it
			at.waiting = at.waiting[1:]
			q.held -= first.size
			q.changed.Broadcast()
			return q.turn, first.t, true, nil
		case at.ended:
			at.waiting = nil
			q.turn++
			q.changed.Broadcast()
		default:
			q.changed.Wait()
		}
	}
	return 0, t, false, q.err
}

func (q *queue[T]) fail(err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.err == nil {
		q.err = err
	}
	q.changed.Broadcast()
}

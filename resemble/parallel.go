package resemble

import (
	"context"
	"errors"
	"iter"

	"github.com/lshclust/lshclust/internal/extsort"
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

// sorting is a Sorter with an Appender for each worker.
type sorting struct {
	sorter *extsort.Sorter
	out    []*extsort.Appender
}

func newSorting(c extsort.Config, r Resources, memory int64) (*sorting, error) {
	c.Memory, c.Dir, c.Workers = memory, r.Dir, r.workers()
	s := new(sorting)
	var err error
	if s.sorter, err = extsort.New(c); err != nil {
		return nil, err
	}
	for range r.workers() {
		s.out = append(s.out, s.sorter.Appender())
	}
	return s, nil
}

// records ends the input and passes every record, in order, to take.
func (s *sorting) records(ctx context.Context, take func(rec []byte) error) error {
	for _, a := range s.out {
		if err := a.Close(); err != nil {
			return err
		}
	}
	return s.sorter.Each(ctx, take)
}

func (s *sorting) close() { _ = s.sorter.Close() }

package resemble

import (
	"context"

	"github.com/lshclust/lshclust/internal/extsort"
)

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

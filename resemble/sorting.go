package resemble

import (
	"context"

	"github.com/lshclust/lshclust/extsort"
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

// flush ends the input.
func (s *sorting) flush() error {
	var err error
	for _, a := range s.out {
		if err == nil {
			err = a.Close()
		}
	}
	return err
}

// records ends the input and passes every record, in order, to take.
func (s *sorting) records(ctx context.Context, take func(rec []byte) error) error {
	if err := s.flush(); err != nil {
		return err
	}
	return s.sorter.Each(ctx, take)
}

func (s *sorting) close() {
	_ = s.flush()
	_ = s.sorter.Close()
}

package rounds

import (
	"context"
	"encoding/binary"
	"iter"

	"github.com/lshclust/lshclust/extsort"
)

// spool passes records on, sorted.
type spool struct {
	n      int64
	sorter *extsort.Sorter
	to     *extsort.Appender
	it     *extsort.Iterator // after sort
	ahead  bool              // the current record of it was not taken
}

func newSpool(c extsort.Config) (*spool, error) {
	s, err := extsort.New(c)
	if err != nil {
		return nil, err
	}
	return &spool{sorter: s, to: s.Appender()}, nil
}

func (d *Local) spool() (*spool, error) {
	c := d.Sort
	c.Size = RecordSize
	return newSpool(c)
}

func (s *spool) add(rec []byte) error {
	s.n++
	return s.to.Append(rec)
}

func (s *spool) sort(ctx context.Context) (err error) {
	if err = s.to.Close(); err == nil {
		s.it, err = s.sorter.Sort(ctx)
	}
	return err
}

// until yields the next records whose first number is less than end. There are none before sort.
func (s *spool) until(end uint32) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		if s.it == nil {
			return
		}
		for s.ahead || s.it.Next() {
			if s.ahead = binary.BigEndian.Uint32(s.it.Record()) >= end; s.ahead {
				return
			}
			if !yield(s.it.Record(), nil) {
				return
			}
		}
		if err := s.it.Err(); err != nil {
			yield(nil, err)
		}
	}
}

func (s *spool) close() {
	if s.sorter == nil {
		return
	}
	s.to.Close()
	if s.it != nil {
		s.it.Close()
	}
	s.sorter.Close()
}

package extsort

import (
	"context"
	"iter"
	"slices"
	"sync"
)

// merged is a batch of sorted records, or the error that ended the merge.
type merged struct {
	records []byte
	err     error
}

// batches yields the sorted records in batches. A single buffer needs no merge.
func (s *Sorter) batches(ctx context.Context, p *pool) iter.Seq2[[]byte, error] {
	if len(s.runs) > 0 || len(s.sorted) != 1 {
		return func(yield func([]byte, error) bool) { s.mergeLast(ctx, p, yield) }
	}
	return func(yield func([]byte, error) bool) {
		for b := range slices.Chunk(s.sorted[0], s.layout.batch) {
			if ctx.Err() != nil {
				yield(nil, context.Cause(ctx))
				return
			}
			if !yield(b, nil) {
				return
			}
		}
	}
}

// mergeLast does the last merge: of the runs on disk and the buffers in memory. A goroutine merges ahead; it ends after the
// last record, on an error, and when yield returns false. A batch is valid until the next one.
func (s *Sorter) mergeLast(ctx context.Context, p *pool, yield func([]byte, error) bool) {
	sources := p.sources(ctx, s.runs)
	for _, b := range s.sorted {
		sources = append(sources, source{rest: b})
	}
	full, empty := make(chan merged, batches+1), make(chan []byte, batches) // neither ever blocks a sender
	for range batches {
		empty <- make([]byte, s.layout.batch)
	}
	ctx, cancel := context.WithCancel(ctx)
	var ahead sync.WaitGroup
	defer ahead.Wait()
	defer cancel()
	ahead.Go(func() {
		defer close(full)
		m := s.kernel.merger(sources, s.uniqueKey())
		for {
			select {
			case <-ctx.Done():
				full <- merged{err: context.Cause(ctx)}
				return
			case b := <-empty:
				n, err := m.fill(b)
				if err != nil {
					full <- merged{err: err}
				}
				if err != nil || n == 0 {
					return
				}
				full <- merged{records: b[:n]}
			}
		}
	})
	for m := range full {
		if !yield(m.records, m.err) || m.err != nil {
			return
		}
		empty <- m.records[:cap(m.records)]
	}
}

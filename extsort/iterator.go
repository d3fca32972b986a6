package extsort

import (
	"context"
	"slices"
)

// iterator reads sorted records. A goroutine merges ahead of it, or passes on parts of the only buffer. The goroutine
// ends after the last record, on an error, and on close.
type iterator struct {
	size, stride int
	rec, rest    []byte
	batch        []byte
	full, empty  chan []byte // empty is nil if batches are not reused
	cancel       context.CancelFunc
	done         chan struct{}
	err          error
	mergeErr     error // written before full is closed
}

// iterate starts the last merge: of the runs on disk and the buffers in memory. A single buffer needs no merge.
func (s *Sorter) iterate(ctx context.Context, p *pool) *iterator {
	ctx, cancel := context.WithCancel(ctx)
	it := &iterator{
		size: s.c.Size, stride: s.layout.stride,
		full: make(chan []byte, batches), empty: make(chan []byte, batches),
		cancel: cancel, done: make(chan struct{}),
	}
	if len(s.runs) == 0 && len(s.sorted) == 1 {
		it.empty = nil
		go it.hand(ctx, s.sorted[0], s.layout.batch)
		return it
	}
	sources := p.sources(ctx, s.runs)
	for _, b := range s.sorted {
		sources = append(sources, source{rest: b})
	}
	for range batches {
		it.empty <- make([]byte, s.layout.batch)
	}
	go it.produce(ctx, s.kernel.merger, sources, s.uniqueKey())
	return it
}

func (it *iterator) produce(ctx context.Context, newMerger func([]source, int) merger, sources []source, key int) {
	defer close(it.done)
	defer close(it.full)
	m := newMerger(sources, key)
	for {
		select {
		case <-ctx.Done():
			it.mergeErr = context.Cause(ctx)
			return
		case b := <-it.empty:
			n, err := m.fill(b[:cap(b)])
			if err != nil || n == 0 {
				it.mergeErr = err
				return
			}
			it.full <- b[:n] // does not block, since the channel has room for all batches
		}
	}
}

// hand passes on a sorted buffer in batches.
func (it *iterator) hand(ctx context.Context, sorted []byte, batch int) {
	defer close(it.done)
	defer close(it.full)
	for b := range slices.Chunk(sorted, batch) {
		if ctx.Err() == nil {
			select {
			case it.full <- b:
				continue
			case <-ctx.Done():
			}
		}
		it.mergeErr = context.Cause(ctx)
		return
	}
}

// next advances to the next record and reports whether there is one. The record is valid until the next call.
func (it *iterator) next() bool {
	if len(it.rest) == 0 && !it.nextBatch() {
		return false
	}
	it.rec, it.rest = it.rest[:it.size:it.size], it.rest[it.stride:]
	return true
}

// nextBatch returns the current batch for reuse and takes the next one.
func (it *iterator) nextBatch() bool {
	if it.batch != nil && it.empty != nil {
		it.empty <- it.batch
		it.batch = nil
	}
	b, ok := <-it.full
	if !ok {
		it.rec = nil
		if it.err == nil {
			it.err = it.mergeErr
		}
		return false
	}
	it.batch, it.rest = b, b
	return true
}

// close ends the merge and waits for its goroutine. It returns the error that ended the iteration, if any.
func (it *iterator) close() error {
	it.cancel()
	<-it.done
	it.rest, it.rec, it.batch = nil, nil, nil
	return it.err
}

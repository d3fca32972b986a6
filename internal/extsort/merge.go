package extsort

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"iter"
	"os"
	"slices"
	"sync"
)

// pool is the memory that merges read into, cut into blocks.
type pool struct {
	blocks [][]byte
}

// pool cuts the free memory into blocks. Sorted buffers stay where they are; the scratch alone is at least a quarter of
// the memory.
func (s *Sorter) pool() *pool {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := &pool{}
	if len(s.runs) == 0 {
		s.free, s.scratch = nil, nil
		return p
	}
	for _, b := range slices.Concat(s.free, s.scratch) {
		for b = b[:cap(b)]; len(b) >= s.layout.block; b = b[s.layout.block:] {
			p.blocks = append(p.blocks, b[:s.layout.block:s.layout.block])
		}
	}
	for len(p.blocks) < minFanIn {
		p.blocks = append(p.blocks, make([]byte, s.layout.block))
	}
	s.free, s.scratch = nil, nil
	return p
}

// minFanIn is the smallest number of blocks, two to merge and one to write.
const minFanIn = 3

// reduce merges runs into longer ones until one merge can read all of them. Each pass reads one file, writes another,
// and removes the first.
func (s *Sorter) reduce(ctx context.Context, p *pool) error {
	for len(s.runs) > len(p.blocks) {
		if err := s.pass(ctx, p); err != nil {
			return err
		}
	}
	return nil
}

// pass merges groups of runs, each with one run fewer than there are blocks.
func (s *Sorter) pass(ctx context.Context, p *pool) error {
	s.mu.Lock()
	f, err := s.newFileLocked()
	s.mu.Unlock()
	if err != nil {
		return err
	}
	fan := len(p.blocks) - 1
	out := p.blocks[fan]
	var merged []run
	for group := range slices.Chunk(s.runs, fan) {
		r, err := s.mergeTo(ctx, f, group, p, out)
		if err != nil {
			return err
		}
		merged = append(merged, r)
	}
	old := s.files[0]
	s.files, s.runs = s.files[1:], merged
	return old.remove()
}

// mergeTo merges a group of runs into one run of f.
func (s *Sorter) mergeTo(ctx context.Context, f *spill, group []run, p *pool, out []byte) (run, error) {
	var total int64
	for _, g := range group {
		total += g.bytes
	}
	r := run{file: f, offset: f.reserve(total), block: s.layout.block}
	m := s.kernel.merger(p.sources(ctx, group), s.uniqueKey())
	for {
		n, err := m.fill(out)
		if err == nil && n > 0 {
			err = r.append(out[:n])
		}
		if err != nil {
			return run{}, err
		}
		if n == 0 {
			break
		}
	}
	return r, nil
}

// sources assigns a block to each run.
func (p *pool) sources(ctx context.Context, runs []run) []source {
	out := make([]source, len(runs))
	for i, r := range runs {
		out[i] = r.source(ctx, p.blocks[i])
	}
	return out
}

// uniqueKey returns the number of key bytes by which to drop equal records, or 0 to drop none.
func (s *Sorter) uniqueKey() int {
	if s.c.Unique {
		return s.c.Key
	}
	return 0
}

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

// spillFile has the methods of a file that the sorter needs. Tests use one that fails.
type spillFile interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
}

func createSpill(dir string) (spillFile, error) { return os.CreateTemp(dir, "extsort-*.tmp") }

// spill is a file that holds many runs, so that few files are open however many runs there are. Several goroutines
// write runs next to each other.
type spill struct {
	f    spillFile
	mu   sync.Mutex
	size int64
}

// run is a sorted run in a file: records without gaps or framing. The checksums stay in memory, since a run does not
// outlive the process.
type run struct {
	file   *spill
	offset int64
	bytes  int64
	block  int      // bytes per CRC; the last block is shorter
	crcs   []uint32 // CRC-32C
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// reserve returns the offset of n bytes that no other goroutine writes to.
func (f *spill) reserve(n int64) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	at := f.size
	f.size += n
	return at
}

// remove closes and deletes the file.
func (f *spill) remove() error {
	return errors.Join(f.f.Close(), os.Remove(f.f.Name()))
}

// writeRun writes the sorted records of b as a run.
func (f *spill) writeRun(b []byte, block int) (run, error) {
	r := run{file: f, offset: f.reserve(int64(len(b))), block: block}
	for len(b) > 0 {
		n := min(len(b), block)
		if err := r.append(b[:n]); err != nil {
			return run{}, err
		}
		b = b[n:]
	}
	return r, nil
}

// append writes the next block of a run, whose bytes must have been reserved.
func (r *run) append(b []byte) error {
	if n, err := r.file.f.WriteAt(b, r.offset+r.bytes); err != nil {
		return fmt.Errorf("extsort: %s at byte %d: %w", r.file.f.Name(), r.offset+r.bytes+int64(n), err)
	}
	r.crcs = append(r.crcs, crc32.Checksum(b, castagnoli))
	r.bytes += int64(len(b))
	return nil
}

// source reads the run block by block into buf.
func (r run) source(ctx context.Context, buf []byte) source {
	var done int64
	return source{more: func() ([]byte, error) {
		if err := ctx.Err(); err != nil {
			return nil, context.Cause(ctx)
		}
		b := buf[:min(int64(r.block), r.bytes-done)]
		if len(b) == 0 {
			return nil, nil
		}
		if err := r.read(b, done); err != nil {
			return nil, err
		}
		done += int64(len(b))
		return b, nil
	}}
}

// read reads the block that starts at byte at of the run and checks it.
func (r run) read(b []byte, at int64) error {
	n, err := r.file.f.ReadAt(b, r.offset+at)
	switch {
	case n == len(b) && crc32.Checksum(b, castagnoli) == r.crcs[at/int64(r.block)]:
		return nil
	case n == len(b):
		err = fmt.Errorf("%w: checksum does not match", ErrCorrupt)
	case errors.Is(err, io.EOF):
		err = fmt.Errorf("%w: the file was cut", ErrCorrupt)
	}
	return fmt.Errorf("extsort: %s at byte %d: %w", r.file.f.Name(), r.offset+at+int64(n), err)
}

package extsort

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"sync"
)

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

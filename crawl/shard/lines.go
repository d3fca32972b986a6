package shard

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
)

// reader reads the uncompressed bytes of a file. After a *record.Skip for damage, it goes on with what follows.
type reader struct {
	m    *stream.Members // of a compressed file
	file *os.File        // a plain file
}

func (f *File) reader() (*reader, error) {
	if f.packing == stream.Plain {
		file, err := os.Open(f.Path)
		return &reader{file: file}, err
	}
	in, err := stream.Open(f.Path)
	if err != nil {
		return nil, errors.Unwrap(err)
	}
	m, err := stream.NewMembers(in, f.options.Memory)
	if err == nil {
		m.Kind = f.packing
		if err = m.Next(); err != nil && !errors.Is(err, io.EOF) {
			err = nil // Buf returns it again
		}
	}
	return &reader{m: m}, err
}

func (r *reader) Close() error {
	if r.m == nil {
		return r.file.Close()
	}
	return r.m.Close()
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	if r.m == nil {
		return r.file.Read(p)
	}
	for {
		n, err := r.m.Buf.Read(p)
		if errors.Is(err, io.EOF) {
			err = r.m.Next()
		}
		if n > 0 && (err == nil || errors.Is(err, io.EOF)) {
			return n, nil
		}
		if errors.Is(err, io.EOF) {
			return 0, io.EOF
		}
		if err != nil {
			skip := r.m.Damaged(err)
			passed, again := r.m.Resync(stream.IsText)
			if again != nil && !errors.Is(again, io.EOF) {
				err = fmt.Errorf("%w; then %w", err, again)
			}
			skip.Err, skip.Passed = fmt.Errorf("%w; %d compressed bytes are passed over", err, passed), passed
			return n, skip
		}
	}
}

// block is a part of the stream.
type block struct {
	data   []byte
	offset int64
	long   bool         // data is a piece of a line that is too long
	ends   bool         // it is the last one
	damage *record.Skip // there is no data, but damage
	lost   int          // bytes of an unfinished line before the damage, which are in no block
}

const blockSize = 256 << 10

// blocks cuts a stream into blocks of whole lines.
type blocks struct {
	r      *reader
	max    int64 // bytes of a line
	buf    []byte
	n      int   // bytes in buf
	used   int   // of these, bytes of the last block
	offset int64 // of buf[0] in the stream
	long   bool  // within a line that is too long
	ended  bool
	damage *record.Skip // what follows the bytes in buf
}

func newBlocks(r *reader, max int64) *blocks {
	return &blocks{r: r, max: max, buf: make([]byte, blockSize)}
}

// fill reads as much as there is room for, and at least one line unless it is too long.
func (b *blocks) fill() error {
	b.n = copy(b.buf, b.buf[b.used:b.n])
	b.offset += int64(b.used)
	b.used = 0
	for !b.ended && b.damage == nil {
		if b.n == len(b.buf) {
			if b.long || int64(b.n) > b.max || bytes.IndexByte(b.buf, '\n') >= 0 {
				return nil
			}
			b.buf = append(b.buf, make([]byte, len(b.buf))...)
		}
		n, err := b.r.Read(b.buf[b.n:])
		b.n += n
		switch {
		case errors.As(err, &b.damage):
		case errors.Is(err, io.EOF):
			b.ended = true
		case err != nil:
			return err
		}
	}
	return nil
}

// next returns the next block, or io.EOF.
func (b *blocks) next() (out block, err error) {
	if err := b.fill(); err != nil {
		return out, err
	}
	out.offset, out.data, out.long = b.offset, b.buf[:b.n], b.long
	first, last := bytes.IndexByte(out.data, '\n')+1, bytes.LastIndexByte(out.data, '\n')+1
	switch stops := b.ended || b.damage != nil; {
	case b.long && first > 0:
		out.data, out.ends, b.long = out.data[:first], true, false
	case b.long && stops:
		out.ends, b.long = true, false
	case b.long:
	case b.ended && b.n > 0:
	case last > 0:
		out.data = out.data[:last]
	case b.damage != nil:
		out.data, out.damage, out.lost, b.damage = nil, b.damage, b.n, nil
		b.n = 0
	case b.ended:
		return out, io.EOF
	default:
		out.long, b.long = true, true
	}
	b.used = len(out.data)
	return out, nil
}

package stream

import (
	"bufio"
	"context"
	"io"
	"os"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/record"
)

// Input is an open file before any decompression. It counts the bytes read.
type Input struct {
	path   string
	File   io.ReadCloser
	Seek   io.Seeker // nil if the file cannot be read twice
	bytes  int64
	Raw    *bufio.Reader
	Reopen func() (*Input, error) // opens another input of the same bytes; nil if that is impossible
	read   atomic.Int64           // bytes read from file, some of which may still be in Raw
}

// RawSize is the size of the buffer of compressed bytes.
const RawSize = 256 << 10

// Open opens a file, or standard input if path is "-". The error is a *Skip.
func Open(path string) (*Input, error) {
	if path == "-" {
		return New(path, io.NopCloser(os.Stdin), nil, -1), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &record.Skip{Pos: record.Position{File: path}, Reason: record.ReasonUnreadableFile, Err: err}
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() { // a pipe
		return New(path, f, nil, -1), nil
	}
	in := New(path, f, f, info.Size())
	in.Reopen = func() (*Input, error) { return Open(path) }
	return in, nil
}

// New returns an input that reads f. If f can be read only once, seek must be nil and size -1.
func New(name string, f io.ReadCloser, seek io.Seeker, size int64) *Input {
	in := &Input{path: name, File: f, Seek: seek, bytes: size}
	in.Raw = bufio.NewReaderSize(counter{in}, RawSize)
	return in
}

type counter struct{ in *Input }

func (c counter) Read(p []byte) (int, error) {
	n, err := c.in.File.Read(p)
	c.in.read.Add(int64(n))
	return n, err
}

// RawOffset returns the offset in the file of the next byte of Raw.
func (in *Input) RawOffset() int64 { return in.read.Load() - int64(in.Raw.Buffered()) }

// Rewind moves to an offset of the file. An input that cannot seek stays where it is.
func (in *Input) Rewind(to int64) error {
	if in.Seek == nil {
		return nil
	}
	if ahead := to - in.RawOffset(); ahead >= 0 && ahead <= int64(in.Raw.Buffered()) {
		_, err := in.Raw.Discard(int(ahead))
		return err
	}
	if _, err := in.Seek.Seek(to, io.SeekStart); err != nil {
		return err
	}
	in.read.Store(to)
	in.Raw.Reset(counter{in})
	return nil
}

// ContextReader stops reading when its context is done.
type ContextReader struct {
	Context context.Context
	From    io.Reader
}

// Read implements io.Reader.
func (c ContextReader) Read(p []byte) (int, error) {
	if err := c.Context.Err(); err != nil {
		return 0, err
	}
	return c.From.Read(p)
}

// Skip returns a skip of this input.
func (in *Input) Skip(r record.Reason, err error) *record.Skip {
	return &record.Skip{Pos: record.Position{File: in.path}, Reason: r, Err: err}
}

// ReaderAt returns a reader of the file that counts the bytes it reads. ok is false if the input is a stream.
func (in *Input) ReaderAt() (at io.ReaderAt, ok bool) {
	at, ok = in.File.(io.ReaderAt)
	if !ok || in.Seek == nil {
		return nil, false
	}
	return counterAt{in, at}, true
}

// counterAt counts the bytes read through ReaderAt, for progress.
type counterAt struct {
	in *Input
	at io.ReaderAt
}

func (c counterAt) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.at.ReadAt(p, off)
	c.in.read.Add(int64(n))
	return n, err
}

// CanSeek reports whether the input can be read more than once.
func (in *Input) CanSeek() bool { return in.Seek != nil }

// Name, Size, Offset and Close implement these methods of record.Source for sources that embed an input.

// Name returns the path that was given to Open.
func (in *Input) Name() string { return in.path }

// Size returns the size of the file, -1 if it is not known.
func (in *Input) Size() int64 { return in.bytes }

// Offset returns the number of bytes of the file that have been read.
func (in *Input) Offset() int64 { return in.read.Load() }

// Close closes the file.
func (in *Input) Close() error { return in.File.Close() }

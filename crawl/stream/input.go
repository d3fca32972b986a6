package stream

import (
	"bufio"
	"io"
	"os"
	"sync/atomic"

	"github.com/lshclust/lshclust/crawl/record"
)

// Input is one opened file, before any decompression. It knows how many bytes were consumed.
type Input struct {
	path   string
	File   io.ReadCloser
	Seek   io.Seeker // nil when the file cannot be read twice
	bytes  int64
	Raw    *bufio.Reader
	Reopen func() (*Input, error) // another input of the same bytes; nil if there is none
	read   atomic.Int64           // bytes taken from file, part of which may still be in raw
}

// RawSize is the size of the buffer of compressed bytes.
const RawSize = 256 << 10

// Open opens a file, or standard input for "-". The error is a *Skip.
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

// New makes an input of a stream. seek is nil and size -1 for a stream that can be read once only.
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

// RawOffset is the place in the file of the next byte of raw.
func (in *Input) RawOffset() int64 { return in.read.Load() - int64(in.Raw.Buffered()) }

// Rewind goes to an offset; without seeking it stays where it is.
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

// Skip returns a skip of this input.
func (in *Input) Skip(r record.Reason, err error) *record.Skip {
	return &record.Skip{Pos: record.Position{File: in.path}, Reason: r, Err: err}
}

// ReaderAt reads in place, and counts what is read; ok is false for a stream.
func (in *Input) ReaderAt() (at io.ReaderAt, ok bool) {
	at, ok = in.File.(io.ReaderAt)
	if !ok || in.Seek == nil {
		return nil, false
	}
	return counterAt{in, at}, true
}

// counterAt counts what is read in place, for progress.
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

// Name, Size, Offset and Close serve the sources that embed an input.

// Name returns the path as it was given to Open.
func (in *Input) Name() string { return in.path }

// Size returns the size of the file, -1 if it is not known.
func (in *Input) Size() int64 { return in.bytes }

// Offset returns how many bytes of the file have been read.
func (in *Input) Offset() int64 { return in.read.Load() }

// Close closes the file.
func (in *Input) Close() error { return in.File.Close() }

package crawl

import (
	"bufio"
	"errors"
	"io"
	"os"
	"sync/atomic"
)

// input is one opened file, before any decompression. It knows how many bytes were consumed.
type input struct {
	name   string
	file   io.ReadCloser
	seek   io.Seeker // nil when the file cannot be read twice
	size   int64
	raw    *bufio.Reader
	reopen func() (*input, error) // another input of the same bytes; nil if there is none
	read   atomic.Int64           // bytes taken from file, part of which may still be in raw
}

const rawBuffer = 256 << 10

func openInput(path string) (*input, error) {
	if path == "-" {
		return newInput(path, io.NopCloser(os.Stdin), nil, -1), nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, &Skip{Pos: Position{File: path}, Reason: ReasonUnreadableFile, Err: err}
	}
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() { // a pipe
		return newInput(path, f, nil, -1), nil
	}
	in := newInput(path, f, f, info.Size())
	in.reopen = func() (*input, error) { return openInput(path) }
	return in, nil
}

func newInput(name string, f io.ReadCloser, seek io.Seeker, size int64) *input {
	in := &input{name: name, file: f, seek: seek, size: size}
	in.raw = bufio.NewReaderSize(counter{in}, rawBuffer)
	return in
}

type counter struct{ in *input }

func (c counter) Read(p []byte) (int, error) {
	n, err := c.in.file.Read(p)
	c.in.read.Add(int64(n))
	return n, err
}

// offset is the place in the file of the next byte of raw.
func (in *input) offset() int64 { return in.read.Load() - int64(in.raw.Buffered()) }

// rewind goes to an offset; without seeking it stays where it is.
func (in *input) rewind(to int64) error {
	if in.seek == nil {
		return nil
	}
	if ahead := to - in.offset(); ahead >= 0 && ahead <= int64(in.raw.Buffered()) {
		_, err := in.raw.Discard(int(ahead))
		return err
	}
	if _, err := in.seek.Seek(to, io.SeekStart); err != nil {
		return err
	}
	in.read.Store(to)
	in.raw.Reset(counter{in})
	return nil
}

func (in *input) skip(r Reason, err error) *Skip {
	return &Skip{Pos: Position{File: in.name}, Reason: r, Err: err}
}

// Name, Size, Offset and Close serve the sources that embed an input.

func (in *input) Name() string  { return in.name }
func (in *input) Size() int64   { return in.size }
func (in *input) Offset() int64 { return in.read.Load() }
func (in *input) Close() error  { return in.file.Close() }

func isEOF(err error) bool { return errors.Is(err, io.EOF) }

package framed

import (
	"errors"
	"io/fs"
	"os"
	"sync"
)

// File is a file of frames that is being written. Several goroutines may call its methods at the same time.
type File struct {
	mu     sync.Mutex
	f      *os.File
	frames uint64
	err    error // the first one
	closed bool
}

// Create creates a file, or truncates it.
func Create(path string) (*File, error) {
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	return &File{f: f}, nil
}

// Append writes a block as one piece of the stream. The first Head bytes of the block are room for the head of the
// frame; the rest is the payload. Append overwrites the block. The caller may reuse it.
func (f *File) Append(block []byte) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return &fs.PathError{Op: "write", Path: f.f.Name(), Err: fs.ErrClosed}
	}
	for len(block) > Head && f.err == nil {
		end := min(len(block), Head+maxPayload)
		f.frame(block[:end])
		block = block[end-Head:] // the next head replaces bytes that are already written
	}
	return f.err
}

// frame writes one frame. Its payload follows the room for its head.
func (f *File) frame(b []byte) {
	putHead(b, b[Head:], f.frames)
	f.frames++
	_, f.err = f.f.Write(b)
}

// Close ends the file and returns the first error of writing. A second Close does nothing.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	if f.err == nil {
		f.frame(make([]byte, Head))
	}
	return errors.Join(f.err, f.f.Close())
}

// Writer writes a stream to a file. Only one goroutine may use it.
type Writer struct {
	to  *File
	buf []byte // room for a head, then bytes that are not yet written
}

// The buffer of a Writer grows from firstSize to fullSize, so that a small file takes little memory.
const (
	firstSize = 4 << 10
	fullSize  = Head + writerPayload
)

// NewWriter returns a Writer to a file. Its Close closes the file.
func NewWriter(to *File) *Writer {
	return &Writer{to, make([]byte, Head, firstSize)}
}

// Write buffers p and writes all full frames.
func (w *Writer) Write(p []byte) (int, error) {
	n := len(p)
	for len(p) > 0 {
		took := min(len(p), cap(w.buf)-len(w.buf))
		w.buf, p = append(w.buf, p[:took]...), p[took:]
		switch {
		case len(w.buf) < cap(w.buf):
		case cap(w.buf) < fullSize:
			w.buf = append(make([]byte, 0, min(fullSize, 4*cap(w.buf))), w.buf...)
		default:
			if err := w.flush(); err != nil {
				return n - len(p), err
			}
		}
	}
	return n, nil
}

func (w *Writer) flush() error {
	err := w.to.Append(w.buf)
	w.buf = w.buf[:Head]
	return err
}

// Close writes the remaining bytes and closes the file.
func (w *Writer) Close() error { return errors.Join(w.flush(), w.to.Close()) }

// WriteFile writes a whole file.
func WriteFile(path string, b []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	w := NewWriter(f)
	_, err = w.Write(b)
	return errors.Join(err, w.Close())
}

package frames

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Reader reads a stream. Only one goroutine may use it.
type Reader struct {
	from   io.Reader
	at     int64 // in the stream
	buf    []byte
	totals totals
	err    error
}

// NewReader begins to read a stream.
func NewReader(from io.Reader) (*Reader, error) {
	r := &Reader{from: from, totals: totals{}}
	b := make([]byte, headerSize)
	if err := r.fill(b); err != nil {
		return nil, err
	}
	want := header()
	if string(b[:len(magic)]) != magic {
		return nil, fmt.Errorf("%w: the input is no stream of frames", ErrDamaged)
	}
	if string(b) != string(want) {
		return nil, fmt.Errorf("%w: frames of version %d, and this program reads version %d", ErrDamaged, binary.LittleEndian.Uint32(b[len(magic):]), version)
	}
	return r, nil
}

// Next returns the next frame, which is valid until the next call, and io.EOF after the end frame.
func (r *Reader) Next() (f *Frame, err error) {
	if r.err == nil {
		f, r.err = r.next()
	}
	return f, r.err
}

func (r *Reader) next() (*Frame, error) {
	at := r.at
	r.buf = slices.Grow(r.buf[:0], prefixSize)[:prefixSize]
	if err := r.fill(r.buf); err != nil {
		return nil, err
	}
	n := int(binary.LittleEndian.Uint32(r.buf))
	if n > mostBody {
		return nil, fmt.Errorf("%w: the frame at byte %d of the stream has %d bytes", ErrDamaged, at, n)
	}
	r.buf = slices.Grow(r.buf, n)[:prefixSize+n]
	if err := r.fill(r.buf[prefixSize:]); err != nil {
		return nil, err
	}
	f, err := parse(r.buf[:prefixSize], r.buf[prefixSize:])
	if err != nil {
		return nil, fmt.Errorf("%w; the frame is at byte %d of the stream", err, at)
	}
	if f.Kind == End {
		return nil, r.end(f.Data)
	}
	r.totals.add(&f)
	return &f, nil
}

// end returns io.EOF if the stream ends as it should.
func (r *Reader) end(body []byte) error {
	if len(body) > 0 {
		var want []Total
		if err := json.Unmarshal(body, &want); err != nil {
			return fmt.Errorf("%w: the end frame: %w", ErrDamaged, err)
		}
		if have := r.totals.list(); !slices.Equal(have, want) {
			return fmt.Errorf("%w: the stream holds %v, and its end frame counts %v", ErrDamaged, have, want)
		}
	}
	switch n, err := io.ReadFull(r.from, make([]byte, 1)); {
	case n > 0:
		return fmt.Errorf("%w: there are bytes after the end frame", ErrDamaged)
	case errors.Is(err, io.EOF):
		return io.EOF
	default:
		return err
	}
}

func (r *Reader) fill(b []byte) error {
	n, err := io.ReadFull(r.from, b)
	r.at += int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: the stream was cut at byte %d: it has no end frame", ErrDamaged, r.at)
	}
	return err
}

// raw returns the bytes of the frame that Next has returned.
func (r *Reader) raw() []byte { return r.buf }

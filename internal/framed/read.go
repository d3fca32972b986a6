package framed

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// Reader reads a file of frames from start to end. Errors about the contents are an *Error.
type Reader struct {
	f    *os.File
	head [Head]byte // head of the next frame
	next uint64     // number of the next frame
	at   int64      // offset of the next frame
	buf  []byte     // payload of the current frame
	rest []byte     // what is left of it
	err  error
}

// Open opens a file.
func Open(path string) (*Reader, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{f: f}
	r.err = r.fill(r.head[:], 0)
	return r, nil
}

// Read reads verified bytes. It returns io.EOF only after the last frame of a complete file.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if err := r.more(); err != nil {
		return 0, err
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// ReadByte reads one verified byte.
func (r *Reader) ReadByte() (byte, error) {
	if err := r.more(); err != nil {
		return 0, err
	}
	c := r.rest[0]
	r.rest = r.rest[1:]
	return c, nil
}

// more reads the next frame if the current one is used up.
func (r *Reader) more() error {
	if len(r.rest) > 0 {
		return nil
	}
	if r.err == nil {
		r.buf, r.err = r.frame(r.buf[:0])
		r.rest = r.buf
	}
	return r.err
}

// frame appends the payload of the next frame to dst and reads the head of the frame after it.
func (r *Reader) frame(dst []byte) ([]byte, error) {
	n := int(binary.LittleEndian.Uint32(r.head[:]))
	crc := binary.LittleEndian.Uint32(r.head[4:])
	if n > maxPayload {
		return dst, r.wrong("a frame of %d bytes is too long", n)
	}
	if n == 0 {
		return dst, r.end(crc)
	}
	from, to := len(dst), len(dst)+n
	dst = slices.Grow(dst, n+Head)
	if err := r.fill(dst[from:to+Head], r.at+Head); err != nil {
		return dst, err
	}
	dst = dst[:to]
	if sum(dst[from:], r.next) != crc {
		return dst[:from], r.wrong("checksum does not match")
	}
	copy(r.head[:], dst[to:to+Head])
	r.next, r.at = r.next+1, r.at+Head+int64(n)
	return dst, nil
}

// end returns io.EOF if the file ends as it should.
func (r *Reader) end(crc uint32) error {
	if sum(nil, r.next) != crc {
		return r.wrong("checksum does not match")
	}
	switch n, err := r.f.Read(make([]byte, 1)); {
	case n > 0:
		return r.wrong("there are bytes after the last frame")
	case err == nil:
		return io.ErrNoProgress
	default:
		return err
	}
}

func (r *Reader) wrong(what string, args ...any) error {
	return &Error{r.f.Name(), r.at, fmt.Sprintf(what, args...)}
}

// fill reads all of b from the given offset of the file.
func (r *Reader) fill(b []byte, at int64) error {
	n, err := io.ReadFull(r.f, b)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return &Error{r.f.Name(), at + int64(n), "the file was cut"}
	}
	return err
}

// Close closes the file.
func (r *Reader) Close() error { return r.f.Close() }

// ReadFile reads a whole file.
func ReadFile(path string) ([]byte, error) {
	r, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	info, err := r.f.Stat()
	if err != nil {
		return nil, err
	}
	b := make([]byte, 0, info.Size()) // room for every payload together with the next head
	for r.err == nil {
		b, r.err = r.frame(b)
	}
	if errors.Is(r.err, io.EOF) {
		return b, nil
	}
	return nil, r.err
}

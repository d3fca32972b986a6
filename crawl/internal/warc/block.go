package warc

import (
	"errors"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
)

// readBlock reads a block of n bytes, which may extend over several members, and keeps at most maxRecord of them. If
// own is set, the record keeps the block, and readBlock allocates new memory. The error is io.EOF if the input or the
// member of the record ends early.
func (s *Source) readBlock(n int64, own bool) (data []byte, m payload.Room, err error) {
	want := int(min(n, s.opts.MaxRecord()))
	m = s.opts.NewRoom()
	if !own {
		m, data = s.room, s.scratch[:0]
	}
	defer func() {
		if !own {
			s.room, s.scratch = m, data
		}
	}()
	for len(data) < want {
		// The buffer grows in steps, so that a wrong length allocates at most twice as much as there is data.
		step := min(want-len(data), max(len(data), 1<<20))
		if m.Large(len(data) + step) {
			data = m.Grow(data, step)
		} else {
			data = grow(data, step)
		}
		n, err := io.ReadFull(s.Buf, data[len(data):len(data)+step])
		data = data[:len(data)+n]
		if err == nil {
			continue
		}
		if !errors.Is(err, io.EOF) && (!errors.Is(err, io.ErrUnexpectedEOF) || !s.memberEnded()) {
			return data, m, err
		}
		if err := s.continued(); err != nil {
			return data, m, err
		}
	}
	return data, m, s.passOver(n - int64(want))
}

// memberEnded reports whether the io.ErrUnexpectedEOF that io.ReadFull returned comes from the end of a member rather
// than from broken gzip data.
func (s *Source) memberEnded() bool {
	_, err := s.Buf.Peek(1)
	return err == nil || errors.Is(err, io.EOF)
}

// continued moves to the next member in the middle of a block. If that member begins with a record, the block ends and
// the error is io.EOF.
func (s *Source) continued() error {
	if err := s.Next(); err != nil {
		return err
	}
	if head, _ := s.Buf.Peek(s.look); s.begins(head) {
		return io.EOF
	}
	return nil
}

// passOver discards the part of a record that exceeds the limit. It stops early where another record begins.
func (s *Source) passOver(n int64) error {
	for n > 0 {
		b, err := s.Buf.Peek(int(min(n, stream.BufferSize)))
		if i := s.find(b); i >= 0 {
			_, _ = s.Buf.Discard(i)
			return nil
		}
		m := max(len(b)-s.keep, min(len(b), 1))
		if err != nil || int64(len(b)) == n {
			m = len(b)
		}
		_, _ = s.Buf.Discard(m)
		n -= int64(m)
		switch {
		case err == nil:
		case !errors.Is(err, io.EOF):
			return err
		case n > 0:
			if err := s.continued(); err != nil {
				return err
			}
		}
	}
	return nil
}

// grow returns b with room for n more bytes.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	c := make([]byte, len(b), len(b)+n)
	copy(c, b)
	return c
}

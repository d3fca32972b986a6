package warc

import (
	"errors"
	"io"

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/crawl/stream"
)

// readBlock reads n bytes, over ends of members, and keeps maxRecord of them: in memory of their own if the
// record wants it. io.EOF when the input or the record's member ends early.
func (s *Source) readBlock(n int64, own bool) (data []byte, m payload.Room, err error) {
	want := int(min(n, s.opts.MaxRecord()))
	if m = s.opts.NewRoom(); !own {
		m, data = s.room, s.scratch[:0]
	}
	defer func() {
		if !own {
			s.room, s.scratch = m, data
		}
	}()
	for len(data) < want {
		// Growth in steps: a length that lies allocates no more than twice what is there.
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

// memberEnded tells io.ReadFull's ErrUnexpectedEOF at the end of a member from that of broken gzip.
func (s *Source) memberEnded() bool {
	_, err := s.Buf.Peek(1)
	return err == nil || errors.Is(err, io.EOF)
}

// continued goes to the next member in the middle of a block; a member that begins a record ends the block.
func (s *Source) continued() error {
	if err := s.Next(); err != nil {
		return err
	}
	if head, _ := s.Buf.Peek(s.look); s.begins(head) {
		return io.EOF
	}
	return nil
}

// passOver discards the rest of a record that is above the limit, and stops where a record begins.
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

// grow makes room for n more bytes.
func grow(b []byte, n int) []byte {
	if cap(b)-len(b) >= n {
		return b
	}
	c := make([]byte, len(b), len(b)+n)
	copy(c, b)
	return c
}

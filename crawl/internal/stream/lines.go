package stream

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// Lines reads a text file, compressed or not, line by line. After damage, it continues with the next readable line.
type Lines struct {
	*Members
	Opts  *record.Options
	Limit int64 // maximum length of a line; 0 means Options.MaxLine
	End   byte  // the last byte of a line; 0 means a line feed
	seen  int64 // lines read so far
	Pos   int64 // offset of the next byte in the uncompressed stream
}

// readLine reads the next line with its line ending into a buffer of m. It skips a line that is too long and sets long.
func (s *Lines) readLine(m *payload.Room) (line []byte, long bool, err error) {
	limit, end := s.maxLine(), cmp.Or(s.End, '\n')
	for {
		part, err := s.Buf.ReadSlice(end)
		s.Pos += int64(len(part))
		if int64(len(line)+len(part)) > limit {
			long, line = true, nil
			m.Free()
		}
		if !long {
			line = m.Append(line, part)
		}
		switch {
		case err == nil:
			return line, long, nil
		case errors.Is(err, io.EOF): // a line may continue in the next member
			if err := s.Next(); err != nil {
				return line, long, err
			}
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

// Here is NextLine for a line that is in the buffer as a whole. It returns the line with its line ending and byte order
// mark, without copying it; it is valid until the next call.
func (s *Lines) Here() (pos record.Position, line []byte, ok bool) {
	b, _ := s.Buf.Peek(s.Buf.Buffered())
	n := bytes.IndexByte(b, '\n') + 1
	if n == 0 {
		return pos, nil, false
	}
	pos = record.Position{File: s.Name(), Offset: s.Pos, Record: s.seen + 1}
	s.Take(n)
	s.seen++
	return pos, b[:n], true
}

func (s *Lines) maxLine() int64 {
	if s.Limit > 0 {
		return min(s.Limit, s.Opts.MaxLine)
	}
	return s.Opts.MaxLine
}

// Ahead returns the bytes of the text that are in the buffer, at least one, without consuming them. The error is io.EOF or
// damage, after which [Lines.Damage] goes on.
func (s *Lines) Ahead() ([]byte, error) {
	for {
		_, err := s.Buf.Peek(1)
		if n := s.Buf.Buffered(); n > 0 {
			return s.Buf.Peek(n)
		}
		if errors.Is(err, io.EOF) { // a text may continue in the next member
			err = s.Next()
		}
		if err != nil {
			return nil, err
		}
	}
}

// Take consumes n bytes that Ahead has returned.
func (s *Lines) Take(n int) {
	_, _ = s.Buf.Discard(n)
	s.Pos += int64(n)
}

// NextLine reads the next line into m. It returns the position at which the line begins, and the line without its line
// ending and byte order mark. The error is a *Skip, a *MemoryError or io.EOF.
func (s *Lines) NextLine(m *payload.Room) (record.Position, []byte, error) {
	pos := record.Position{File: s.Name(), Offset: s.Pos, Record: s.seen + 1}
	line, long, err := s.readLine(m)
	little := (*record.MemoryError)(nil)
	switch {
	case errors.As(err, &little):
		m.Free()
		return pos, nil, err
	case err != nil && !errors.Is(err, io.EOF):
		m.Free()
		return pos, nil, s.Damage(err, pos)
	case long:
		s.seen++
		return pos, nil, &record.Skip{Pos: pos, Reason: record.ReasonLineTooLong, Err: fmt.Errorf("%d bytes, limit %d", s.Pos-pos.Offset, s.maxLine())}
	case len(line) == 0 && err != nil:
		return pos, nil, err
	}
	s.seen++
	line = bytes.TrimRight(line, "\r\n")
	if pos.Offset == 0 {
		line = bytes.TrimPrefix(line, payload.Utf8BOM)
	}
	return pos, line, nil
}

// Damage returns the skip for broken compression and moves to the next readable member. It drops an unfinished line.
func (s *Lines) Damage(err error, pos record.Position) *record.Skip {
	skip := s.Damaged(err)
	lost := s.Pos - pos.Offset
	passed, rerr := s.Resync(IsText)
	if rerr != nil && !errors.Is(rerr, io.EOF) {
		err = fmt.Errorf("%w; then %w", err, rerr)
	}
	skip.Err = fmt.Errorf("member at compressed byte %d: %w; %d compressed bytes passed over, with %d of an unfinished line",
		skip.Pos.Offset, err, passed, lost)
	skip.Pos, skip.Passed = pos, passed
	if lost > 0 {
		s.seen++
	}
	return skip
}

// IsText reports whether head may be part of a text. It need not be the start of a line, because after damage a member
// may begin in the middle of one.
func IsText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}

// CanBegin reports whether BeginAt can begin with the line at any position. It can in a file that is neither compressed
// nor decoded.
func (s *Lines) CanBegin() bool { return s.Kind == Plain && s.utf16 == nil && s.CanSeek() }

// BeginAt makes NextLine continue with the line at a position.
func (s *Lines) BeginAt(at record.Position) error {
	s.seen, s.Pos = at.Record-1, at.Offset
	return s.GoTo(at.Offset)
}

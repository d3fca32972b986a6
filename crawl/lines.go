package crawl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
)

// lines reads a compressed text line by line. After damage it goes on with the next line that can be read.
type lines struct {
	*members
	opts  *Options
	limit int64 // of a line; 0: Options.MaxLine
	seen  int64 // lines so far
	pos   int64 // of the next byte in the uncompressed stream
}

// readLine reads the next line, with its end, into a buffer of m. It skips a line that is too long.
func (s *lines) readLine(m *room) (line []byte, long bool, err error) {
	limit := s.maxLine()
	for {
		part, err := s.buf.ReadSlice('\n')
		s.pos += int64(len(part))
		if int64(len(line)+len(part)) > limit {
			long, line = true, nil
			m.free()
		}
		if !long {
			line = m.append(line, part)
		}
		switch {
		case err == nil:
			return line, long, nil
		case isEOF(err): // a line may go on in the next member
			if err := s.next(); err != nil {
				return line, long, err
			}
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, false, err
		}
	}
}

func (s *lines) maxLine() int64 {
	if s.limit > 0 {
		return min(s.limit, s.opts.MaxLine)
	}
	return s.opts.MaxLine
}

// nextLine reads the next line into m. It returns the line without its end and without a byte order mark, and where it begins. The
// error is a *Skip or io.EOF.
func (s *lines) nextLine(m *room) (Position, []byte, error) {
	pos := Position{File: s.name, Offset: s.pos, Record: s.seen + 1}
	line, long, err := s.readLine(m)
	switch {
	case err != nil && !isEOF(err):
		m.free()
		return pos, nil, s.damage(err, pos)
	case long:
		s.seen++
		return pos, nil, &Skip{Pos: pos, Reason: ReasonLineTooLong, Err: fmt.Errorf("%d bytes, limit %d", s.pos-pos.Offset, s.maxLine())}
	case len(line) == 0 && err != nil:
		return pos, nil, err
	}
	s.seen++
	line = bytes.TrimRight(line, "\r\n")
	if pos.Offset == 0 {
		line = bytes.TrimPrefix(line, utf8BOM)
	}
	return pos, line, nil
}

// damage reports broken compression, with what could be read of a last line given up, and moves on.
func (s *lines) damage(err error, pos Position) *Skip {
	skip := s.damaged(err)
	lost := s.pos - pos.Offset
	passed, rerr := s.resync(isText)
	if rerr != nil && !isEOF(rerr) {
		err = fmt.Errorf("%w; then %w", err, rerr)
	}
	skip.Err = fmt.Errorf("member at compressed byte %d: %w; %d compressed bytes passed over, with %d of an unfinished line", skip.Pos.Offset, err, passed, lost)
	skip.Pos, skip.Passed = pos, passed
	if lost > 0 {
		s.seen++
	}
	return skip
}

// isText accepts the start of any text: after damage, a member may begin in the middle of a line.
func isText(head []byte) bool {
	for _, c := range head {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	return true
}

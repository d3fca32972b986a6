package table

import (
	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// ahead holds lines that were read to find the end of a row, or to learn about the table, and that are read again.
type ahead struct {
	text  []byte // the lines from the next one on, each with a line feed behind it
	room  payload.Room
	lines []aheadLine
	next  mark
	pos   record.Position // of the next line
	end   *textLine       // the error behind the lines, nil if it is not known
}

// aheadLine holds the length of a line, and the bytes that it takes in the file.
type aheadLine struct{ text, file uint32 }

// mark is a place in the lines read ahead.
type mark struct{ line, at int }

// textLine is a line with its position.
type textLine struct {
	pos  record.Position
	text []byte
	room payload.Room // holds text
	err  error
}

// line returns the next line of the table.
func (s *tableSource) line() textLine {
	a := &s.ahead
	l := textLine{room: s.Opts.NewRoom()}
	switch {
	case a.next.line < len(a.lines):
		text, _ := s.peek()
		l.pos, l.text = a.pos, l.room.Append(nil, text)
		a.drop()
	case a.end != nil:
		l, a.end = *a.end, nil
	default:
		l.pos, l.text, l.err = s.NextLine(&l.room)
	}
	return l
}

// peek returns the next line without consuming it. ok is false if no line follows.
func (s *tableSource) peek() (text []byte, ok bool) {
	m := s.ahead.next
	return s.step(&m)
}

// step returns the line at a mark and moves the mark behind it. ok is false if no line is there.
func (s *tableSource) step(m *mark) (text []byte, ok bool) {
	a := &s.ahead
	if m.line == len(a.lines) && !s.readAhead() {
		return nil, false
	}
	n := int(a.lines[m.line].text)
	text = a.text[m.at : m.at+n]
	m.line, m.at = m.line+1, m.at+n+1
	return text, true
}

// readAhead reads one more line ahead.
func (s *tableSource) readAhead() bool {
	a := &s.ahead
	if a.end != nil {
		return false
	}
	l, before := textLine{room: s.Opts.NewRoom()}, s.Pos
	if l.pos, l.text, l.err = s.NextLine(&l.room); l.err != nil {
		a.end = &l
		return false
	}
	if len(a.lines) == 0 {
		a.pos = l.pos
	}
	a.lines = append(a.lines, aheadLine{uint32(len(l.text)), uint32(s.Pos - before)})
	a.text = append(a.room.Append(a.text, l.text), '\n')
	l.room.Free()
	return true
}

// drop consumes the next line.
func (a *ahead) drop() {
	l := a.lines[a.next.line]
	a.next.line, a.next.at = a.next.line+1, a.next.at+int(l.text)+1
	a.pos.Offset += int64(l.file)
	a.pos.Record++
	if a.next.line == len(a.lines) {
		a.next, a.lines = mark{}, a.lines[:0]
		if a.text = a.text[:0]; cap(a.text) > maxRowBytes || a.room.Files() != nil {
			a.text = nil
			a.room.Free()
		}
	}
}

// take consumes the lines up to a mark and appends them to a row.
func (a *ahead) take(l *textLine, to mark) {
	l.text = append(l.room.Grow(l.text, 1+to.at-a.next.at), '\n')
	l.text = append(l.text, a.text[a.next.at:to.at-1]...)
	a.dropTo(to)
}

// dropTo consumes the lines up to a mark.
func (a *ahead) dropTo(m mark) {
	for n := m.line - a.next.line; n > 0; n-- {
		a.drop()
	}
}

// offset returns the offset in the file of the next line.
func (s *tableSource) offset() int64 {
	if len(s.ahead.lines) == 0 {
		return s.Pos
	}
	return s.ahead.pos.Offset
}

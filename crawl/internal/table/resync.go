package table

import (
	"bytes"
	"fmt"
	"math"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// A stray quote at the start of a field opens a field that a later quote closes, or none. The lines between are rows
// then, not text. The source tells by three signs: the row that results has another number of fields; a line in it is a
// row with quotes of its own, which would be doubled if the line were text; or all lines up to the closing quote are
// rows. A row begins with an address in the column of the URL.
//
// After a stray quote, reading goes on at the next row. Whether a line closes a field does not depend on the line that
// opened it. What was searched once is therefore not searched again, and a table of quotes alone takes linear time.

// strayRows is the number of rows up to the closing quote that make a quote a stray one.
const strayRows = 3

// complete appends lines to a row until its quotes, q on its first line, are closed. It returns false for a stray quote.
func (s *tableSource) complete(l *textLine, q quotes) bool {
	if l.pos.Offset < s.searched {
		return false
	}
	lines, size := maxRowLines, int64(maxRowBytes)
	if s.layout.Rows == pageRows {
		lines, size = maxPageLines, s.Opts.MaxRecord()
	}
	begin, fields, run := s.ahead.next, q.seps+1, 0
	last, at := l.pos.Offset, s.offset()
	for m, n := begin, 0; n < lines && int64(len(l.text)+m.at-begin.at) < size; n++ {
		text, ok := s.step(&m)
		if !ok {
			break
		}
		last, at = at, at+int64(s.ahead.lines[m.line-1].file)
		more := s.scan(text, true)
		fields += more.seps
		kind := s.kindOf(text)
		if kind == plainRow && run == n {
			run++
		}
		if kind == quotedRow || run > 0 && q.odd || more.odd && (run >= strayRows || s.comma == '\t') {
			break
		}
		if !more.open {
			rows := run == n && run >= strayRows && s.hasAddress(text)
			if !rows && fields > s.shape.least && fields-trailing(text, s.comma) <= s.shape.most {
				s.ahead.take(l, m)
				return true
			}
			break
		}
	}
	s.searched = last
	return false
}

// trailing returns the number of separators at the end of a line.
func trailing(line []byte, comma byte) int {
	return len(line) - len(bytes.TrimRight(line, string(comma)))
}

// lineKind says whether a line within a quoted field would be a row.
type lineKind int

const (
	textOnly lineKind = iota
	plainRow
	quotedRow // with quotes that a quoted field cannot hold
)

// kindOf tells what a line would be if it were not in a quoted field.
func (s *tableSource) kindOf(line []byte) lineKind {
	if !s.shape.addresses || !s.hasAddress(line) {
		return textOnly
	}
	q := s.scan(line, false)
	switch fits := s.shape.fits(q.seps + 1); {
	case q.odd:
		return textOnly
	case !q.any && fits && q.seps+1 == s.shape.most:
		return plainRow
	case q.any && !q.open && fits, q.open && q.seps < s.shape.most && !q.bare:
		return quotedRow
	}
	return textOnly
}

// hasAddress reports whether a line has an address in the column of the URL.
func (s *tableSource) hasAddress(line []byte) bool {
	if !bytes.Contains(line[:min(len(line), 1<<16)], []byte("://")) {
		return false
	}
	row, _ := s.split(line, s.shape.key+1, new(payload.Room))
	if s.shape.key >= len(row) {
		return false
	}
	key := payload.Trimmed(row[s.shape.key])
	return isAddress(key) && !strings.ContainsAny(key, " \t\n")
}

// passOver consumes the lines after a stray quote up to the next row, and returns the *Skip for them. In a table without
// addresses, every line may be a row.
func (s *tableSource) passOver(pos record.Position) error {
	lines := 1
	for s.shape.addresses {
		text, ok := s.peek()
		if !ok || s.hasAddress(text) {
			break
		}
		s.ahead.drop()
		lines++
	}
	passed := s.offset() - pos.Offset
	why := fmt.Errorf("a quote that is not closed; %d bytes passed over", passed)
	if lines > 1 {
		why = fmt.Errorf("a quote that is not closed; %d lines, %d bytes passed over", lines, passed)
	}
	return &record.Skip{Pos: pos, Reason: record.ReasonBadRow, Passed: passed, Err: why}
}

// pairUp reports whether quotes are special in a table with tabs: at the start of the file, more of the quotes that open
// at the start of a field close at the end of one than not.
func (s *tableSource) pairUp() bool {
	pairs, odd, open, fields, run := 0, 0, false, 0, 0
	for text := range s.lines(math.MaxInt) {
		q := s.scan(text, open)
		if kind := s.kindOf(text); kind == plainRow && open {
			run++
		}
		if open && (q.odd || run == strayRows) {
			odd++
			open, q = false, s.scan(text, false)
		}
		switch {
		case q.odd:
			odd++
			open = false
			continue
		case !open:
			fields, run = 1, 0
		case !q.open && s.shape.fits(fields+q.seps):
			pairs++
		case !q.open:
			odd++
		}
		fields += q.seps
		open = q.open
	}
	if open && s.ahead.end != nil {
		odd++
	}
	return pairs >= odd
}

package table

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
)

// tableSource reads text tables of pages or links. Fields are separated by tabs, commas, semicolons or bars. Either a
// header line names the columns, or the table has no header and consists of links: source, target and perhaps the
// anchor.
//
// A quoted field may contain the separator, line endings and doubled quotes. A quote that is never closed, or only by a
// later row, affects only its own row: the source reads the lines after it again as rows (see complete). In a table
// with tabs, quotes may also be text; the start of the file tells.
type tableSource struct {
	stream.Lines
	dialect
	ahead    ahead
	layout   Layout
	shape    shape
	tabs     bool  // quotes are special although the separator is a tab
	searched int64 // a quote that opens before this offset has no end
	rows     int64 // rows begun
	useful   bool  // a row had all that a page or a link needs
	failed   bool
	begun    bool
	head     []byte // the header, which programs that append to a table write again
}

// shape says how many fields the rows have.
type shape struct {
	columns   int  // names in the header; 0 for a table without one
	least     int  // fields that a row must have more than: those at the end may be left out
	most      int  // fields that a row may have
	key       int  // the column of the URL or the source
	addresses bool // the first row has an address there
}

const (
	maxRowLines  = 1000      // of a link row
	maxRowBytes  = 1 << 20   // of a link row
	maxPageLines = 1 << 20   // of a row that is a page
	maxPreamble  = 3         // lines at the start that may be the header, not counting comments
	maxComments  = 1000      // lines at the start that begin with #
	maxHeader    = 20        // lines of a header after the first
	maxColumns   = 1 << 14   // of a table
	judgedBytes  = 1 << 20   // the start of a file, which tells what quotes mean
	longestLine  = 1<<32 - 1 // see ahead

	plainColumns = 3 // of a table without names
)

// OpenCSV reads the members as a table.
func OpenCSV(m *stream.Members, o *record.Options) record.Source {
	head, _ := m.Buf.Peek(payload.SniffLen)
	s := &tableSource{Lines: stream.Lines{Members: m, Opts: o, Limit: maxRowBytes, End: lineEnd(bytes.TrimPrefix(head, payload.Utf8BOM))}}
	s.ahead.room = o.NewRoom()
	return s
}

func (s *tableSource) Format() string { return "csv" }

// Close releases the lines read ahead and closes the file.
func (s *tableSource) Close() error {
	s.ahead.room.Free()
	return s.Lines.Close()
}

// Records implements record.Source.
func (s *tableSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return record.Iterate(ctx, s.next)
}

// next returns a record, a *Skip, or io.EOF. For an empty line it returns neither a record nor an error.
func (s *tableSource) next() (*record.Record, error) {
	rec, err := s.row()
	if errors.Is(err, io.EOF) && !s.failed && !s.useful && s.rows > 0 {
		s.failed, err = true, s.layout.Useless(record.Position{File: s.Name()}, s.rows)
	}
	return rec, err
}

func (s *tableSource) row() (*record.Record, error) {
	if s.failed {
		return nil, io.EOF
	}
	if !s.begun {
		s.begun = true
		if err := s.header(); err != nil {
			return nil, err
		}
	}
	l := s.line()
	if l.err != nil || len(bytes.TrimSpace(l.text)) == 0 || bytes.Equal(l.text, s.head) {
		l.room.Free()
		return nil, l.err
	}
	for m := s.ahead.next; s.escapes && endsEscaped(l.text) && int64(len(l.text)) < s.Limit; m = s.ahead.next {
		if _, ok := s.step(&m); !ok {
			break
		}
		s.ahead.take(&l, m)
	}
	if s.mayQuote(l.text) && !s.escapes {
		q := s.scan(l.text, false)
		if q.open && (s.comma != '\t' || s.tabs && !q.odd) && !s.complete(&l, q) && s.comma != '\t' {
			l.room.Free()
			return nil, s.passOver(l.pos)
		}
	}
	rec := &record.Record{Pos: l.pos, End: s.offset(), Data: l.text, Opts: s.Opts, Decode: s.decode, Room: l.room}
	s.rows++
	if !s.useful {
		row, _ := s.fields(rec)
		v := s.values(row, &rec.Room)
		s.useful = v.Useful(s.layout.Rows, s.Opts)
	}
	return rec, nil
}

// decode returns the page of a row.
func (s *tableSource) decode(r *record.Record) (record.Page, error) {
	row, n := s.fields(r)
	if !s.shape.fits(n) {
		return record.Page{}, r.Skip(record.ReasonBadRow, "", fmt.Errorf("%d columns, not %d", n, s.shape.most))
	}
	v := s.values(row, &r.Room)
	for _, name := range r.Opts.Columns {
		i := s.layout.Index(name)
		if i < 0 || i >= len(row) {
			r.Columns = append(r.Columns, nil)
			continue
		}
		r.Columns = append(r.Columns, row[i])
	}
	if s.shape.addresses && s.layout.Rows == pageRows && s.shape.key < len(row) {
		if url := payload.Trimmed(v.url(fieldURL)); isOdd(url) {
			r.Notes = append(r.Notes, r.Skip(record.ReasonOddURL, url, errors.New("the first row has a web address there")))
		}
	}
	return PageOf(r, &v, s.layout.Rows)
}

// isOdd reports whether the URL of a row is no URL, unlike those of other rows.
func isOdd(url string) bool {
	host, _, _ := strings.Cut(url, "/")
	return url != "" && !strings.Contains(url, ":") && !urls.IsHostName(host)
}

// fields splits a row into its fields. In a table with tabs, quotes that do not pair up in the row are text.
func (s *tableSource) fields(r *record.Record) (row [][]byte, n int) {
	most := s.shape.most
	if s.shape.columns == 0 {
		most++
	}
	d := s.dialect
	if s.tabs && s.mayQuote(r.Data) {
		q := s.scan(r.Data, false)
		d.literal = !q.any || q.odd || q.open
	}
	return d.split(r.Data, most, &r.Room)
}

// values assigns the fields of a row to their meanings. Fields that a short row leaves out are empty.
func (s *tableSource) values(row [][]byte, room *payload.Room) (v Values) {
	for f, i := range s.layout.At {
		switch {
		case i >= 0 && i < len(row):
			v.Of[f] = row[i]
		case i >= 0:
			v.Of[f] = []byte{}
		}
	}
	for _, in := range s.layout.Inside {
		if in.At < len(row) {
			in.Add(&v, row[in.At], room)
		}
	}
	return v
}

func (h *shape) fits(n int) bool { return n > h.least && n <= h.most }

// CanBegin implements [record.Beginner]. What a quote means may depend on lines before the row.
func (s *tableSource) CanBegin(at record.Position) bool {
	return s.Lines.CanBegin() && at.Offset >= s.searched
}

// Begin implements [record.Beginner]. It reads the names of the columns first.
func (s *tableSource) Begin(at record.Position) error {
	s.begun, s.useful = true, true
	if err := s.header(); err != nil {
		return err
	}
	s.ahead.room.Free()
	s.ahead = ahead{room: s.Opts.NewRoom()}
	return s.BeginAt(at)
}

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

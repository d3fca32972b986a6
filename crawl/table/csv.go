package table

import (
	"bytes"
	"cmp"
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
// A quoted field may contain the separator, line endings and doubled quotes. A quote that is never closed affects only
// its own row: if a row is not complete within maxRowLines, the source reads the lines after the first one again as
// separate rows. If rereading would cost as much as reading the file, a row must be complete on its line.
type tableSource struct {
	stream.Lines
	comma   byte
	layout  Layout
	columns int // 0 if the table has no header and two or three columns
	queue   []textLine
	again   int64 // bytes read as part of a row and then read again
	failed  bool
	begun   bool
}

// textLine is a line with its position.
type textLine struct {
	pos  record.Position
	text []byte
	room payload.Room // holds text
	err  error
}

const (
	maxRowLines = 1000    // of a link row
	maxRowBytes = 1 << 20 // of a link row
	maxPreamble = 3       // lines at the start that may be the header
	maxColumns  = 1 << 14 // of a table

	plainColumns = 3 // of a table without names
)

// OpenCSV reads the members as a table.
func OpenCSV(m *stream.Members, o *record.Options) record.Source {
	return &tableSource{Lines: stream.Lines{Members: m, Opts: o, Limit: maxRowBytes}}
}

func (s *tableSource) Format() string { return "csv" }

// Records implements record.Source.
func (s *tableSource) Records(ctx context.Context) iter.Seq2[*record.Record, error] {
	return func(yield func(*record.Record, error) bool) {
		for !s.failed {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			rec, err := s.next()
			if errors.Is(err, io.EOF) {
				return
			}
			if (rec != nil || err != nil) && !yield(rec, err) {
				return
			}
		}
	}
}

// next returns a record, a *Skip, or io.EOF. For an empty line it returns neither a record nor an error.
func (s *tableSource) next() (*record.Record, error) {
	if !s.begun {
		s.begun = true
		if err := s.header(); err != nil {
			return nil, err
		}
	}
	l := s.line()
	if l.err != nil || len(bytes.TrimSpace(l.text)) == 0 {
		l.room.Free()
		return nil, l.err
	}
	if bytes.IndexByte(l.text, '"') >= 0 && s.comma != '\t' {
		if err := s.complete(&l); err != nil {
			return nil, err
		}
	}
	return &record.Record{Pos: l.pos, Data: l.text, Opts: s.Opts, Decode: s.decode, Room: l.room}, nil
}

// line returns the next line, from the queue if it has one.
func (s *tableSource) line() textLine {
	if len(s.queue) > 0 {
		l := s.queue[0]
		s.queue = s.queue[1:]
		return l
	}
	l := textLine{room: s.Opts.NewRoom()}
	l.pos, l.text, l.err = s.NextLine(&l.room)
	return l
}

// header finds the header line and the separator.
func (s *tableSource) header() error {
	var looked []textLine
	for len(looked) < maxPreamble {
		l := s.line()
		looked = append(looked, l)
		if l.err != nil {
			break
		}
		if comma, layout, n := findHeader(l.text, s.Opts.Map); n > 0 {
			s.comma, s.layout, s.columns = comma, layout, n
			if layout.Rows == pageRows { // doubled quotes take up to twice the space
				s.Limit = s.Opts.MaxRecord()
			}
			return nil
		}
	}
	s.queue = looked
	if comma, ok := isPlainLinks(looked[0].text); ok && len(s.Opts.Map) == 0 {
		s.comma, s.layout = comma, plainLinks
		return nil
	}
	s.failed = true
	if looked[0].err != nil {
		return looked[0].err
	}
	_, err := Recognise(namesOf(looked[0].text, separator(looked[0].text)), s.Opts.Map)
	return &record.Skip{Pos: looked[0].pos, Reason: record.ReasonUnknownColumns, Err: err}
}

// complete appends lines to a row until its quotes are closed. If the row may be large, complete does not keep the
// lines for reading them again.
func (s *tableSource) complete(l *textLine) error {
	open := quoted(l.text, s.comma, false)
	lineLimit, byteLimit := maxRowLines, int64(maxRowBytes)
	large := s.layout.Rows == pageRows
	if large {
		lineLimit, byteLimit = 1<<20, s.Opts.MaxRecord()
	} else if s.again > stream.MaxRescan+s.Pos {
		lineLimit = 0
	}
	pos := l.pos
	var taken []textLine
	for n := 0; open && n < lineLimit && int64(len(l.text)) < byteLimit; n++ {
		more := s.line()
		if !large || more.err != nil {
			taken = append(taken, more)
		}
		if more.err != nil {
			break
		}
		l.text = append(l.room.Grow(l.text, 1+len(more.text)), '\n')
		l.text = append(l.text, more.text...)
		open = quoted(more.text, s.comma, true)
		if large {
			more.room.Free()
		}
	}
	if !open {
		return nil
	}
	s.again += int64(len(l.text))
	l.room.Free()
	s.queue = append(taken, s.queue...)
	return &record.Skip{Pos: pos, Reason: record.ReasonBadRow, Err: errors.New("a quote that is not closed")}
}

// decode returns the page of a row.
func (s *tableSource) decode(r *record.Record) (record.Page, error) {
	row, n := splitRow(r.Data, s.comma, cmp.Or(s.columns, plainColumns+1), &r.Room)
	if s.columns > 0 && n != s.columns || s.columns == 0 && (n < 2 || n > plainColumns) {
		return record.Page{}, r.Skip(record.ReasonBadRow, "", fmt.Errorf("%d columns, not %d", n, cmp.Or(s.columns, plainColumns)))
	}
	var v Values
	for f, i := range s.layout.At {
		if i >= 0 && i < len(row) {
			v.Of[f] = row[i]
		}
	}
	return PageOf(r, &v, s.layout.Rows)
}

// plainLinks is the layout of a table without a header.
var plainLinks = func() Layout {
	l := Layout{Rows: linkRows}
	for f := range l.At {
		l.At[f] = -1
	}
	l.At[FieldSource], l.At[FieldTarget], l.At[FieldAnchor] = 0, 1, 2
	return l
}()

// Separators are the bytes that may separate the fields of a table.
const Separators = "\t,;|"

// findHeader checks whether a line names the columns of a table. n is the number of columns, 0 if the line is not a
// header.
func findHeader(line []byte, m record.Map) (comma byte, l Layout, n int) {
	for _, c := range []byte(Separators) {
		columns := namesOf(line, c)
		if len(columns) < 2 {
			continue
		}
		if l, err := Recognise(columns, m); err == nil && !l.Lists {
			return c, l, len(columns)
		}
	}
	return 0, Layout{}, 0
}

func namesOf(line []byte, comma byte) []Column {
	var columns []Column
	names, _ := splitRow(line, comma, maxColumns, new(payload.Room))
	for _, name := range names {
		columns = append(columns, Column{Path: payload.ValidString(bytes.TrimSpace(name))})
	}
	return columns
}

// separator guesses the separator of a line for an error message.
func separator(line []byte) byte {
	best := byte(',')
	for _, c := range []byte(Separators) {
		if bytes.Count(line, []byte{c}) > bytes.Count(line, []byte{best}) {
			best = c
		}
	}
	return best
}

// isPlainLinks reports whether a line is a row of a links table without a header: two URLs and perhaps an anchor.
func isPlainLinks(line []byte) (comma byte, ok bool) {
	for _, c := range []byte("\t,") {
		row, n := splitRow(line, c, plainColumns+1, new(payload.Room))
		if (n == 2 || n == 3) && isWebURL(payload.Trimmed(row[0])) && isWebURL(payload.Trimmed(row[1])) {
			return c, true
		}
	}
	return 0, false
}

// isWebURL reports whether s is a URL with a host, or a host with an optional path.
func isWebURL(s string) bool {
	_, err := urls.DefaultRules().Canonical(withScheme(s))
	return err == nil && !strings.ContainsAny(s, " \t")
}

// splitRow splits a row into fields and removes their quotes. It returns at most the first most fields, and the number
// of fields in the row. Empty fields at the end are not counted beyond most.
func splitRow(row []byte, comma byte, most int, m *payload.Room) (fields [][]byte, n int) {
	for i := 1; ; i++ {
		var f []byte
		var more bool
		f, row, more = cutField(row, comma, m)
		if len(fields) < most {
			fields = append(fields, f)
		}
		if i <= most || len(f) > 0 {
			n = i
		}
		if !more {
			return fields, n
		}
	}
}

// cutField cuts the first field off a row. more reports whether another field follows.
func cutField(row []byte, comma byte, m *payload.Room) (f, rest []byte, more bool) {
	if len(row) == 0 || row[0] != '"' {
		return bytes.Cut(row, []byte{comma})
	}
	if comma == '\t' { // no field contains tabs, so a quote at the start needs one at the end to be special
		f, rest, more = bytes.Cut(row, []byte{comma})
		if n := len(f); n > 1 && f[n-1] == '"' {
			f = singleQuotes(m, f[1:n-1])
		}
		return f, rest, more
	}
	f = make([]byte, 0, 64)
	for i := 1; i < len(row); {
		if n := bytes.IndexByte(row[i:], '"'); n != 0 {
			if n < 0 {
				n = len(row) - i
			}
			f = m.Append(f, row[i:i+n])
			i += n
			continue
		}
		keep, n, closes := quote(row, i, comma)
		if keep < 0 { // the quote replaces the backslash before it
			f, keep = f[:len(f)-1], 1
		}
		f = m.Append(f, row[i:i+keep])
		if i += n; closes {
			return f, row[min(i+1, len(row)):], i < len(row)
		}
	}
	return f, nil, false
}

// singleQuotes replaces each doubled quote by a single one.
func singleQuotes(m *payload.Room, f []byte) []byte {
	doubled := []byte(`""`)
	i := bytes.Index(f, doubled)
	if i < 0 {
		return f
	}
	out := m.Grow(nil, len(f))
	for ; i >= 0; i = bytes.Index(f, doubled) {
		out, f = append(out, f[:i+1]...), f[i+2:]
	}
	return append(out, f...)
}

// quote interprets the quote at row[i] inside a quoted field. keep is the number of bytes that the quote adds to the
// field, or -1 if one quote replaces the backslash before it. n is the number of bytes to skip, and closes reports
// whether the quote ends the field. A quote inside a field is either doubled, or preceded by a backslash as Spark
// writes it, or erroneously neither.
func quote(row []byte, i int, comma byte) (keep, n int, closes bool) {
	ends := func(i int) bool { return i >= len(row) || row[i] == comma }
	switch {
	case ends(i + 1):
		return 0, 1, true
	case i > 0 && row[i-1] == '\\' && row[i+1] == '"' && ends(i+2):
		return -1, 2, true
	case row[i+1] == '"':
		return 1, 2, false
	case i > 0 && row[i-1] == '\\':
		return -1, 1, false
	}
	return 1, 1, false
}

// quoted reports whether a quoted field is open at the end of a line. in says whether one is open at its start.
func quoted(line []byte, comma byte, in bool) bool {
	start := true
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case in && c == '"':
			_, n, closes := quote(line, i, comma)
			in = !closes
			i += n - 1
		case !in && start && c == '"':
			in = true
		case !in:
			start = c == comma
		}
	}
	return in
}

// SniffCSV reports whether head is the beginning of a table: a header that names the columns, or a first line with two
// URLs.
func SniffCSV(head []byte) bool {
	head = bytes.TrimPrefix(head, payload.Utf8BOM)
	for i, line := range bytes.SplitN(head, []byte("\n"), maxPreamble+1) {
		line = bytes.TrimRight(line, "\r")
		if i == maxPreamble || !stream.IsText(line) { // rows further down may be damaged
			break
		}
		if _, _, n := findHeader(line, nil); n > 0 {
			return true
		}
		if _, ok := isPlainLinks(line); ok && i == 0 {
			return true
		}
	}
	return false
}

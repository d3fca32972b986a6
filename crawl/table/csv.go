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

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/stream"
	"github.com/lshclust/lshclust/urls"
)

// tableSource reads tables of links or pages as text: fields parted by tabs, commas, semicolons or bars, with a line of
// names above them, or tables of links without one: source, target and perhaps the anchor.
//
// A field in quotes may hold the separator, line ends and doubled quotes. A quote that is never closed costs its row, not
// the rest of the file: rows are cut by lines, and what does not close within maxRowLines begins anew one line on. Where
// that happens so often that it would cost as much as reading, a row must close on its line.
type tableSource struct {
	stream.Lines
	comma   byte
	layout  Layout
	columns int // 0: no line of names, two or three
	queue   []textLine
	again   int64 // bytes that were read as part of a row and then anew
	failed  bool
	begun   bool
}

// textLine is a line with its place.
type textLine struct {
	pos  record.Position
	text []byte
	room payload.Room // of text
	err  error
}

const (
	maxRowLines = 1000    // of a row of links
	maxRowBytes = 1 << 20 // of the same
	maxPreamble = 3       // lines among which the names are looked for
	maxColumns  = 1 << 14 // of a table

	plainColumns = 3 // of a table without names
)

// OpenCSV reads the members as a table.
func OpenCSV(m *stream.Members, o *record.Options) record.Source {
	return &tableSource{Lines: stream.Lines{Members: m, Opts: o, Limit: maxRowBytes}}
}

func (s *tableSource) Format() string { return "csv" }

// Records implements Source.
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

// next returns a record, nothing, a *Skip or io.EOF.
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

// line returns the next line, of those that were looked at before if there are some.
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

// header finds the line of names and the separator.
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
			if layout.Rows == pageRows { // quotes may be doubled
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

// complete adds lines to a row until its quotes are closed. Of a row that may be large the lines are not kept for reading them
// again.
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

// decode makes the page of a row.
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

// plainLinks is the layout of a table without names.
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

// findHeader reports whether a line names the columns of a table: their number, 0 if it does not.
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

// separator guesses what parts the fields of a line, for a message.
func separator(line []byte) byte {
	best := byte(',')
	for _, c := range []byte(Separators) {
		if bytes.Count(line, []byte{c}) > bytes.Count(line, []byte{best}) {
			best = c
		}
	}
	return best
}

// isPlainLinks reports whether a line is a row of links in a table without names: two URLs and perhaps an anchor.
func isPlainLinks(line []byte) (comma byte, ok bool) {
	for _, c := range []byte("\t,") {
		row, n := splitRow(line, c, plainColumns+1, new(payload.Room))
		if (n == 2 || n == 3) && isWebURL(payload.Trimmed(row[0])) && isWebURL(payload.Trimmed(row[1])) {
			return c, true
		}
	}
	return 0, false
}

// isWebURL reports whether s is a URL with a host, or a host with or without a path.
func isWebURL(s string) bool {
	_, err := urls.DefaultRules().Canonical(withScheme(s))
	return err == nil && !strings.ContainsAny(s, " \t")
}

// splitRow cuts a row into fields, whose quotes are undone. It gives the first of them, most at the most, and how many there are;
// empty ones at the end do not count beyond most.
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

// cutField takes the first field of a row; more tells whether another one follows.
func cutField(row []byte, comma byte, m *payload.Room) (f, rest []byte, more bool) {
	if len(row) == 0 || row[0] != '"' {
		return bytes.Cut(row, []byte{comma})
	}
	if comma == '\t' { // tabs cannot stand in a field: a quote at its begin alone is a quote
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
		if keep < 0 { // the backslash before it says what it is
			f, keep = f[:len(f)-1], 1
		}
		f = m.Append(f, row[i:i+keep])
		if i += n; closes {
			return f, row[min(i+1, len(row)):], i < len(row)
		}
	}
	return f, nil, false
}

// singleQuotes makes one of each pair of quotes.
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

// quote judges the quote at row[i] inside a field in quotes: the quotes that are kept of it, -1 for one instead of the
// backslash before it, the bytes that it takes, and whether it ends the field. Quotes are doubled, or behind a backslash
// as Spark writes them, or by mistake neither.
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

// quoted reports whether a field in quotes is open at the end of a line, where in tells whether it was at its begin.
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

// SniffCSV knows tables by their names, or by two URLs in the first line.
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

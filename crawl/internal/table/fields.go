package table

import (
	"bytes"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// dialect is how the fields of a row are written.
type dialect struct {
	comma     byte // separates them
	quote     byte // stands around a field that holds a separator, a line ending or a quote
	literal   bool // quotes protect nothing, and only a field that begins and ends with one loses them
	spaced    bool // blanks stand between a separator and a quote
	backslash bool // a quote in a field has a backslash before it, as Spark and Python's escapechar write it; otherwise it is doubled
	escapes   bool // a backslash protects a separator or a line ending, as MySQL and PostgreSQL write tables with tabs
}

// split splits a row into fields and removes their quotes. It returns at most the first most fields, and the number
// of fields in the row. Empty fields at the end are not counted beyond most.
func (d dialect) split(row []byte, most int, m *payload.Room) (fields [][]byte, n int) {
	for i := 1; ; i++ {
		var f []byte
		var more bool
		f, row, more = d.cut(row, m)
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

// cut cuts the first field off a row. more reports whether another field follows.
func (d dialect) cut(row []byte, m *payload.Room) (f, rest []byte, more bool) {
	if d.spaced {
		row = bytes.TrimLeft(row, " ")
	}
	switch {
	case d.escapes:
		return d.cutEscaped(row, m)
	case len(row) == 0 || row[0] != d.quote || d.literal:
		f, rest, more = bytes.Cut(row, []byte{d.comma})
		if n := len(f); n > 1 && f[0] == d.quote && f[n-1] == d.quote {
			f = d.single(m, f[1:n-1])
		}
		return f, rest, more
	}
	f = make([]byte, 0, 64)
	for i := 1; i < len(row); {
		if n := bytes.IndexByte(row[i:], d.quote); n != 0 {
			if n < 0 {
				n = len(row) - i
			}
			f = m.Append(f, row[i:i+n])
			i += n
			continue
		}
		keep, n, closes := d.interpret(row, i)
		if keep < 0 { // the quote replaces the backslash before it
			f, keep = f[:len(f)-1], 1
		}
		f = m.Append(f, row[i:i+keep])
		i += n
		if closes {
			return f, row[min(i+1, len(row)):], i < len(row)
		}
	}
	return f, nil, false
}

// cutEscaped is cut for a row with escapes.
func (d dialect) cutEscaped(row []byte, m *payload.Room) (f, rest []byte, more bool) {
	end := 0
	for {
		i := bytes.IndexByte(row[end:], d.comma)
		if i < 0 {
			end = len(row)
			break
		}
		if end += i; !endsEscaped(row[:end]) {
			break
		}
		end++
	}
	if f = row[:end]; !isNull(f) && bytes.IndexByte(f, '\\') >= 0 {
		f = unescaped(m, f)
	}
	return f, row[min(end+1, len(row)):], end < len(row)
}

// single replaces each doubled quote by a single one.
func (d dialect) single(m *payload.Room, f []byte) []byte {
	doubled := []byte{d.quote, d.quote}
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

// interpret interprets the quote at row[i] inside a quoted field. keep is the number of bytes that the quote adds to the
// field, or -1 if one quote replaces the backslash before it. n is the number of bytes to skip, and closes reports
// whether the quote ends the field. A quote inside a field that is neither doubled nor behind a backslash is an error.
func (d dialect) interpret(row []byte, i int) (keep, n int, closes bool) {
	switch {
	case d.backslash && endsEscaped(row[:i]):
		return -1, 1, false
	case i+1 >= len(row) || row[i+1] == d.comma:
		return 0, 1, true
	case row[i+1] == d.quote:
		return 1, 2, false
	}
	return 1, 1, false
}

// quotes describes the quotes of a line.
type quotes struct {
	seps int  // separators outside of quotes
	any  bool // a field is quoted
	open bool // a quoted field is open at the end of the line
	bare bool // nothing, or only a separator or a quote, follows the quote that opened it
	odd  bool // a quote inside a field is neither doubled nor behind a backslash
}

// mayQuote reports whether a field of a line begins with a quote.
func (d dialect) mayQuote(line []byte) bool {
	return len(line) > 0 && line[0] == d.quote || bytes.Contains(line, []byte{d.comma, d.quote}) || d.spaced && bytes.IndexByte(line, d.quote) >= 0
}

// scan follows the quotes of a line. in says whether a quoted field is open at its start.
func (d dialect) scan(line []byte, in bool) (q quotes) {
	q.open = in
	for i, start := 0, !in; i < len(line); i++ {
		c := line[i]
		switch {
		case q.open:
			j := bytes.IndexByte(line[i:], d.quote)
			if j < 0 {
				return q
			}
			i += j
			keep, n, closes := d.interpret(line, i)
			q.odd = q.odd || keep == 1 && n == 1
			q.open = !closes
			i += n - 1
		case c == d.quote && start:
			q.any, q.open = true, true
			q.bare = i+1 == len(line) || line[i+1] == d.comma || line[i+1] == d.quote
		case c == d.quote:
			q.odd = true
		case c == d.comma:
			q.seps++
		}
		start = (c == d.comma || d.spaced && start && c == ' ') && !q.open
	}
	return q
}

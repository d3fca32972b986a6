package table

import (
	"bytes"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// splitRow splits a row into fields and removes their quotes. It returns at most the first most fields, and the number
// of fields in the row. Empty fields at the end are not counted beyond most. In a literal row, quotes do not protect
// separators, and only a field that begins and ends with one loses them.
func splitRow(row []byte, comma byte, literal bool, most int, m *payload.Room) (fields [][]byte, n int) {
	for i := 1; ; i++ {
		var f []byte
		var more bool
		f, row, more = cutField(row, comma, literal, m)
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
func cutField(row []byte, comma byte, literal bool, m *payload.Room) (f, rest []byte, more bool) {
	if len(row) == 0 || row[0] != '"' || literal {
		f, rest, more = bytes.Cut(row, []byte{comma})
		if n := len(f); n > 1 && f[0] == '"' && f[n-1] == '"' {
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

// quotes describes the quotes of a line.
type quotes struct {
	seps int  // separators outside of quotes
	any  bool // a field is quoted
	open bool // a quoted field is open at the end of the line
	bare bool // nothing, or only a separator or a quote, follows the quote that opened it
	odd  bool // a quote inside a field is neither doubled nor behind a backslash
}

// mayQuote reports whether a field of a line begins with a quote.
func mayQuote(line []byte, comma byte) bool {
	return len(line) > 0 && line[0] == '"' || bytes.Contains(line, []byte{comma, '"'})
}

// scan follows the quotes of a line. in says whether a quoted field is open at its start.
func scan(line []byte, comma byte, in bool) (q quotes) {
	q.open = in
	for i, start := 0, !in; i < len(line); i++ {
		c := line[i]
		switch {
		case q.open:
			j := bytes.IndexByte(line[i:], '"')
			if j < 0 {
				return q
			}
			i += j
			keep, n, closes := quote(line, i, comma)
			q.odd = q.odd || keep == 1 && n == 1
			q.open = !closes
			i += n - 1
		case c == '"' && start:
			q.any, q.open = true, true
			q.bare = i+1 == len(line) || line[i+1] == comma || line[i+1] == '"'
		case c == '"':
			q.odd = true
		case c == comma:
			q.seps++
		}
		start = c == comma && !q.open
	}
	return q
}

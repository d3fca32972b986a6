package table

import (
	"bytes"
	"iter"
	"math"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/internal/stream"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ascii"
)

// header finds the header line and the separator.
func (s *tableSource) header() error {
	var looked [][]byte
	m := s.ahead.next
	for n := 0; len(looked) < maxPreamble && n < maxComments; n++ {
		text, ok := s.step(&m)
		if !ok {
			break
		}
		if d, _, n := findHeader(text, s.Opts.Map); n > 0 {
			text = s.wholeHeader(text, d, &m)
		}
		if d, layout, n := findHeader(text, s.Opts.Map); n > 0 {
			s.dialect, s.layout, s.shape = d, layout, shape{columns: n, most: n}
			s.head = bytes.Clone(text)
			s.ahead.dropTo(m)
			s.begin()
			return nil
		}
		if !isComment(text) {
			looked = append(looked, bytes.Clone(text))
		}
	}
	if len(looked) > 0 && len(s.Opts.Map) == 0 {
		if d, n := isPlainLinks(looked[0]); n > 0 {
			s.dialect, s.layout, s.shape = d, plainLinks, shape{most: max(n, plainColumns)}
			s.skipComments()
			s.begin()
			return nil
		}
	}
	s.failed = true
	if len(looked) == 0 {
		return s.line().err
	}
	d := written(separator(looked[0]))
	_, err := Recognise(d.columns(looked[0]), s.Opts.Map)
	if len(s.Opts.Map) == 0 {
		s.skipComments()
		err = errUnknownColumns(d.columns(looked[0]), s.sample(d, 1))
	}
	return &record.Skip{Pos: s.ahead.pos, Reason: record.ReasonUnknownColumns, Err: err}
}

// wholeHeader appends the lines up to the end of a quoted name to the first line of a header. m is behind that line.
func (s *tableSource) wholeHeader(text []byte, d dialect, m *mark) []byte {
	whole, end, q := bytes.Clone(text), *m, d.scan(text, false)
	for n := 0; q.open && n < maxHeader; n++ {
		more, ok := s.step(&end)
		if !ok {
			return text
		}
		whole = append(append(whole, ' '), more...)
		q = d.scan(more, true)
	}
	if q.open {
		return text
	}
	*m = end
	return whole
}

// isComment reports whether a line before the header is a comment.
func isComment(line []byte) bool { return bytes.HasPrefix(line, []byte("#")) }

// skipComments consumes the comments at the start.
func (s *tableSource) skipComments() {
	for text, ok := s.peek(); ok && isComment(text); text, ok = s.peek() {
		s.ahead.drop()
	}
}

// begin learns from the first row and the start of the file what is not in the header.
func (s *tableSource) begin() {
	at := &s.layout.At
	if s.layout.Rows == pageRows { // doubled quotes take up to twice the space
		s.Limit = min(s.Opts.MaxRecord(), longestLine)
		s.shape.key = columnOf(at, fieldURL, fieldID, FieldSource)
		s.shape.least = max(s.shape.key, columnOf(at, fieldHTML, fieldText, fieldContent, fieldFeatures, fieldRedirect))
	} else {
		s.shape.key = columnOf(at, FieldSource, fieldURL)
		s.shape.least = max(s.shape.key, at[FieldTarget])
	}
	if first, ok := s.peek(); ok {
		s.quote = s.quoteOf()
		blank := []byte{s.quote, s.comma, ' ', s.quote}
		s.spaced = bytes.Contains(first, blank) || bytes.Contains(s.head, blank)
		row, n := s.split(first, maxColumns, new(payload.Room))
		address := func(i int) bool { return i >= 0 && i < len(row) && isAddress(payload.Trimmed(row[i])) }
		if key := s.shape.key; n == s.shape.columns+1 && !address(key) && (address(key+1) || ascii.IsDigits(payload.Trimmed(row[0]))) {
			s.shift()
		}
		s.shape.addresses = address(s.shape.key)
	}
	s.backslash = s.hasBackslashes()
	s.escapes = s.comma == '\t' && s.escaped()
	s.tabs = s.comma == '\t' && !s.escapes && s.pairUp()
}

// shift makes room for row numbers before the columns of the header, as R writes them.
func (s *tableSource) shift() {
	for f := range s.layout.At {
		if s.layout.At[f] >= 0 {
			s.layout.At[f]++
		}
	}
	s.shape.most, s.shape.least, s.shape.key = s.shape.most+1, s.shape.least+1, s.shape.key+1
}

// columnOf returns the column of the first of the fields that has one.
func columnOf(at *[NumFields]int, fields ...Field) int {
	for _, f := range fields {
		if at[f] >= 0 {
			return at[f]
		}
	}
	return 0
}

// sampled is the number of rows by which columns are judged for advice.
const sampled = 20

// sample returns the first rows after some lines.
func (s *tableSource) sample(d dialect, after int) (rows [][][]byte) {
	for line := range s.lines(sampled + after) {
		row, _ := d.split(bytes.Clone(line), maxColumns, new(payload.Room))
		rows = append(rows, row)
	}
	return rows[min(after, len(rows)):]
}

// lines yields lines at the start of the file without consuming them.
func (s *tableSource) lines(most int) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		m := s.ahead.next
		for range most {
			if m.at >= judgedBytes {
				return
			}
			if text, ok := s.step(&m); !ok || !yield(text) {
				return
			}
		}
	}
}

// quoteOf returns the quote of a table, by its first rows: a single quote if they have as many fields as the header with
// it, and a web address, or a separator within quotes.
func (s *tableSource) quoteOf() byte {
	single := s.dialect
	single.quote = '\''
	found := false
	for line := range s.lines(sampled) {
		q, plain := single.scan(line, false), s.scan(line, false)
		switch {
		case plain.any, q.any && (q.open || q.seps+1 != s.shape.columns):
			return s.quote
		case q.any:
			row, _ := s.split(line, s.shape.key+1, new(payload.Room))
			found = found || plain.seps != q.seps || len(row[s.shape.key]) > 0 && row[s.shape.key][0] == '\''
		}
	}
	if found {
		return '\''
	}
	return s.quote
}

// hasBackslashes reports whether quotes in fields have backslashes before them: at the start of the file, fewer lines are
// wrong if so.
func (s *tableSource) hasBackslashes() bool {
	any, wrong, open, fields := false, [2]int{}, [2]bool{}, [2]int{1, 1}
	for line := range s.lines(math.MaxInt) {
		any = any || bytes.Contains(line, []byte{'\\', s.quote})
		for i, backslash := range []bool{false, true} {
			d := s.dialect
			d.backslash = backslash
			q := d.scan(line, open[i])
			fields[i], open[i] = fields[i]+q.seps, q.open
			if q.odd || !q.open && !s.shape.fits(fields[i]) {
				wrong[i]++
			}
			if !q.open {
				fields[i] = 1
			}
		}
	}
	return any && wrong[1] < wrong[0]
}

// escaped reports whether backslashes are escapes in a table with tabs: at the start of the file, each of them begins
// one, and there is a null or there are several.
func (s *tableSource) escaped() bool {
	nulls, escapes := 0, 0
	for line := range s.lines(math.MaxInt) {
		for i := bytes.IndexByte(line, '\\'); i >= 0 && i < len(line); {
			if i+1 < len(line) && !bytes.ContainsRune([]byte(`Nntrb0Z\'"`), rune(line[i+1])) && line[i+1] != s.comma {
				return false
			}
			if i+1 < len(line) && line[i+1] == 'N' {
				nulls++
			}
			escapes++
			n := bytes.IndexByte(line[min(i+2, len(line)):], '\\')
			if n < 0 {
				break
			}
			i += 2 + n
		}
	}
	return nulls > 0 || escapes >= leastEscapes
}

// leastEscapes is the number of escapes that are no paths of Windows by chance.
const leastEscapes = 3

// plainLinks is the layout of a table without a header.
var plainLinks = func() Layout {
	l := newLayout(linkRows, nil)
	l.At[FieldSource], l.At[FieldTarget], l.At[FieldAnchor] = 0, 1, 2
	return l
}()

// Separators are the bytes that may separate the fields of a table.
const Separators = "\t,;|"

// findHeader checks whether a line names the columns of a table. n is the number of columns, 0 if the line is not a
// header.
func findHeader(line []byte, m record.Map) (d dialect, l Layout, n int) {
	for _, c := range []byte(Separators) {
		d := written(c)
		if len(line) > 0 && line[0] == '\'' {
			d.quote = '\''
		}
		columns := d.columns(line)
		if len(columns) < 2 {
			continue
		}
		if l, err := Recognise(columns, m); err == nil {
			return d, l, len(columns)
		}
	}
	return d, Layout{}, 0
}

// written returns the usual dialect with a separator.
func written(comma byte) dialect { return dialect{comma: comma, quote: '"', literal: comma == '\t'} }

// columns returns the names in a header.
func (d dialect) columns(line []byte) []Column {
	var columns []Column
	names, _ := d.split(line, maxColumns, new(payload.Room))
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

// isPlainLinks reports whether a line is a row of a table of links without a header: two URLs and perhaps an anchor and
// other fields. n is the number of fields, 0 if it is none. URLs alone may be separated by blanks.
func isPlainLinks(line []byte) (d dialect, n int) {
	for _, c := range []byte(Separators + " ") {
		row, n := written(c).split(line, maxColumns, new(payload.Room))
		if n < 2 || c == ' ' && (n > 2 || !isAddress(string(row[0]))) {
			continue
		}
		if isWebURL(payload.Trimmed(row[0])) && isWebURL(payload.Trimmed(row[1])) {
			return written(c), n
		}
	}
	return d, 0
}

// isWebURL reports whether s is a URL with a host, or a host with an optional path.
func isWebURL(s string) bool {
	_, err := urls.DefaultRules().Canonical(withScheme(s))
	return err == nil && !strings.ContainsAny(s, " \t")
}

// lineEnd returns the byte that ends the lines: a carriage return if one without a line feed ends the first line.
func lineEnd(head []byte) byte {
	if i := bytes.IndexAny(head, "\r\n"); i >= 0 && i+1 < len(head) && head[i] == '\r' && head[i+1] != '\n' && head[i+1] != '\r' {
		return '\r'
	}
	return '\n'
}

// SniffCSV reports whether head is the beginning of a table: a header that names the columns, or a first line with two
// URLs.
func SniffCSV(head []byte) bool {
	head = bytes.TrimPrefix(head, payload.Utf8BOM)
	lines := bytes.Split(head, []byte{lineEnd(head)})
	for n := 0; n < maxPreamble && len(lines) > 0; lines = lines[1:] {
		line := bytes.TrimRight(lines[0], "\r")
		if !stream.IsText(line) { // rows further down may be damaged
			break
		}
		if _, _, n := findHeader(line, nil); n > 0 {
			return true
		}
		if isComment(line) {
			continue
		}
		if _, fields := isPlainLinks(line); fields > 0 && n == 0 {
			return true
		}
		n++
	}
	return false
}

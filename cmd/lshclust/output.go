package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"
	"golang.org/x/term"
)

// formats of data on stdout. A command lists those that it knows.
const (
	formatTable = "table"
	formatJSON  = "json"
	formatJSONL = "jsonl"
	formatCSV   = "csv"
	formatTSV   = "tsv"
)

func checkFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return usage(fmt.Errorf("format %q is none of %s", format, strings.Join(known, ", ")))
}

// rowWriter writes rows of cells in one of the formats that go on for ever.
type rowWriter struct {
	format  string
	columns []string
	out     *bufio.Writer
	csv     *csv.Writer
}

func newRowWriter(w io.Writer, format string, columns ...string) *rowWriter {
	r := &rowWriter{format: format, columns: columns, out: bufio.NewWriterSize(w, 1<<16)}
	if format == formatCSV {
		r.csv = csv.NewWriter(r.out)
		r.csv.Write(columns) //nolint:errcheck // kept by the writer until Flush
	}
	return r
}

// row writes one row; JSON Lines take the values as they are, the others as text.
func (r *rowWriter) row(values ...any) error {
	if r.format == formatJSONL {
		return r.jsonl(values)
	}
	cells := texts(values)
	for i, c := range cells {
		cells[i] = strings.Map(dropControl, c)
	}
	if r.format == formatCSV {
		return r.csv.Write(cells)
	}
	_, err := r.out.WriteString(strings.Join(cells, "\t") + "\n")
	return err
}

func (r *rowWriter) jsonl(values []any) error {
	r.out.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			r.out.WriteByte(',')
		}
		cell, err := json.Marshal(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.out, "%q:%s", r.columns[i], escapeControl(cell))
	}
	_, err := r.out.WriteString("}\n")
	return err
}

func (r *rowWriter) close() error {
	if r.csv != nil {
		r.csv.Flush()
		if err := r.csv.Error(); err != nil {
			return err
		}
	}
	return r.out.Flush()
}

func texts(values []any) []string {
	out := make([]string, len(values))
	for i, v := range values {
		switch v := v.(type) {
		case nil:
		case string:
			out[i] = v
		case float32:
			out[i] = trimFloat(float64(v))
		case float64:
			out[i] = trimFloat(v)
		case []string:
			out[i] = strings.Join(v, " ")
		default:
			out[i] = fmt.Sprint(v)
		}
	}
	return out
}

// trimFloat is a number with six digits behind the point and no zeros at the end.
func trimFloat(f float64) string {
	s := fmt.Sprintf("%.6f", f)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := w.Write(escapeControl(b.Bytes()))
	return err
}

// escapeControl writes the characters that a terminal obeys and that encoding/json leaves as they are (DEL, C1, those
// that turn the direction of writing) as \u escapes: the value is the same, and harmless.
func escapeControl(encoded []byte) []byte {
	out := encoded[:0:0]
	done := 0
	for i, r := range string(encoded) {
		if r < 0x7f || r == unicode.ReplacementChar || dropControl(r) == r {
			continue
		}
		out = fmt.Appendf(append(out, encoded[done:i]...), "\\u%04x", r)
		done = i + utf8.RuneLen(r)
	}
	if done == 0 {
		return encoded
	}
	return append(out, encoded[done:]...)
}

// width is that of the terminal behind stdout, 110 columns elsewhere.
func width() int {
	if w, _, err := term.GetSize(int(os.Stdout.Fd())); err == nil && w >= 40 {
		return w
	}
	return 110
}

// checkTop refuses to list no or fewer entries.
func checkTop(top int) error {
	if top < 1 {
		return usage(fmt.Errorf("--top %d: must be 1 or more", top))
	}
	return nil
}

// detail is text for one line of a terminal, cut to its width there and whole in a pipe.
func detail(s string, indent int) string {
	if term.IsTerminal(int(os.Stdout.Fd())) {
		return line(s, width()-indent)
	}
	return line(s, 1<<16)
}

// clean makes text from pages fit for a terminal: control characters become spaces.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || dropControl(r) == r {
			return r
		}
		return ' '
	}, s)
}

// dropControl maps control characters, and those that turn the direction of writing, to a space.
func dropControl(r rune) rune {
	if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == unicode.ReplacementChar {
		return ' '
	}
	return r
}

// line is text for one line of a terminal: no control characters, no line feeds, cut to n columns.
func line(s string, n int) string {
	s = strings.Join(strings.Fields(strings.Map(dropControl, s)), " ")
	return runewidth.Truncate(s, max(n, 8), "…")
}

// pad fills a line up to n columns.
func pad(s string, n int) string { return runewidth.FillRight(line(s, n), n) }

// writeWhole writes what is shown as a whole, a table for each or one JSON; it is false for the formats of rows.
func writeWhole[T any](w io.Writer, format string, all []T, table func(io.Writer, T)) (done bool, err error) {
	switch format {
	case formatTable:
		for i, x := range all {
			if i > 0 {
				fmt.Fprintln(w)
			}
			table(w, x)
		}
		return true, nil
	case formatJSON:
		return true, writeJSON(w, all)
	}
	return false, nil
}

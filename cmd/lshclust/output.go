package main

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/harmless"
	"github.com/spf13/pflag"
)

// Formats of output. A command accepts some of them.
const (
	formatTable = "table"
	formatJSON  = "json"
	formatJSONL = "jsonl"
	formatCSV   = "csv"
	formatTSV   = "tsv"
)

// everyFormat lists the formats of commands that list rows.
var everyFormat = []string{formatTable, formatJSON, formatJSONL, formatCSV, formatTSV}

func checkFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return usage(fmt.Errorf("format %q is not one of %s", format, strings.Join(known, ", ")))
}

// output is the flags of a command that lists rows. The columns and their names are the same in every format but the
// table.
type output struct {
	format   string
	noHeader bool
	safe     bool // for spreadsheets
}

// bind makes the flags. rows describes a row of csv, tsv and jsonl if it is not the same as a row of the table.
func (o *output) bind(f *pflag.FlagSet, rows string) {
	use := "`FORMAT` of the output: " + strings.Join(everyFormat, ", ")
	if rows != "" {
		use += "; a row of csv, tsv and jsonl is " + rows
	}
	f.StringVar(&o.format, "format", formatTable, use)
	o.bindCells(f)
}

// bindCells makes the flags that are for csv and tsv only.
func (o *output) bindCells(f *pflag.FlagSet) {
	f.BoolVar(&o.noHeader, "no-header", false, "leave out the first line of csv and tsv, which names the columns")
	f.BoolVar(&o.safe, "safe-csv", false, "put ' before text in csv and tsv that a spreadsheet would run as a formula")
}

func (o *output) check() error { return checkFormat(o.format, everyFormat...) }

// rows returns a writer of rows in a format other than the table.
func (o *output) rows(w io.Writer, columns ...string) *rowWriter {
	r := newRowWriter(w, o.format, columns...)
	r.header, r.safe = !o.noHeader, o.safe
	return r
}

// rowWriter writes rows as CSV or TSV under a header, as JSON objects in a list, or as JSON objects one a line.
type rowWriter struct {
	format  string
	columns []string
	header  bool // to be written before the first row
	safe    bool // for spreadsheets
	rows    int
	out     *bufio.Writer
	csv     *csv.Writer
}

func newRowWriter(w io.Writer, format string, columns ...string) *rowWriter {
	out := bufio.NewWriterSize(w, 1<<16)
	return &rowWriter{format: format, columns: columns, header: true, out: out, csv: csv.NewWriter(out)}
}

// row writes one row.
func (r *rowWriter) row(values ...any) error {
	r.begin()
	if r.rows++; r.format == formatJSONL || r.format == formatJSON {
		return r.object(values)
	}
	cells := texts(values)
	for i, v := range values {
		if cells[i] = harmless.Cell(cells[i]); r.safe && isText(v) {
			cells[i] = harmless.Formula(cells[i])
		}
	}
	return r.cells(cells)
}

func isText(v any) bool {
	switch v.(type) {
	case string, []string:
		return true
	}
	return false
}

// begin writes what comes before the first row.
func (r *rowWriter) begin() {
	switch {
	case r.rows > 0:
	case r.format == formatJSON:
		r.out.WriteString("[")
	case r.header && (r.format == formatCSV || r.format == formatTSV):
		r.cells(r.columns) //nolint:errcheck // kept by the writers until Flush
		r.header = false
	}
}

func (r *rowWriter) cells(cells []string) error {
	if r.format == formatCSV {
		return r.csv.Write(cells)
	}
	_, err := r.out.WriteString(strings.Join(cells, "\t") + "\n")
	return err
}

// object writes a row as a JSON object.
func (r *rowWriter) object(values []any) error {
	if r.format == formatJSON {
		if r.rows > 1 {
			r.out.WriteByte(',')
		}
		r.out.WriteString("\n  ")
	}
	r.out.WriteByte('{')
	for i, v := range values {
		if i > 0 {
			r.out.WriteByte(',')
		}
		cell, err := marshal(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.out, "%q:%s", r.columns[i], cell)
	}
	r.out.WriteByte('}')
	if r.format == formatJSON {
		return nil
	}
	return r.out.WriteByte('\n')
}

func (r *rowWriter) close() error {
	r.begin()
	if r.format == formatJSON {
		if r.rows > 0 {
			r.out.WriteByte('\n')
		}
		r.out.WriteString("]\n")
	}
	r.csv.Flush()
	if err := r.csv.Error(); err != nil {
		return err
	}
	return r.out.Flush()
}

// orNull returns the value of a text that may be missing, which is null in JSON and empty elsewhere.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
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

// trimFloat formats a number with at most six decimals.
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
	_, err := w.Write(harmless.JSON(b.Bytes()))
	return err
}

// writeLine writes a value as JSON on one line.
func writeLine(w io.Writer, v any) error {
	raw, err := marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

// marshal returns a value as JSON on one line. It keeps & as it is, and escapes what a terminal would obey.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return harmless.JSON(bytes.TrimRight(b.Bytes(), "\n")), nil
}

// writeWhole writes values that are not rows: a table for each, or one JSON list. It returns false for the other
// formats.
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

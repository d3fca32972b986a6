package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
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

// everything is the window of a whole list.
var everything = answer.Window{Limit: math.MaxInt}

func (o *output) check() error { return checkFormat(o.format, everyFormat...) }

// encoding returns how the rows of a format other than the table are written.
func (o *output) encoding(many bool) answer.Encoding {
	return answer.Encoding{Format: o.format, Many: many, NoHeader: o.noHeader, Safe: o.safe}
}

// answers returns functions that write models: as a table for each, or in another format. In JSON they are a list if
// there may be many.
func answers[T any](w io.Writer, o output, many bool, table func(io.Writer, *T)) (put func(*T) error, end func() error) {
	if o.format == formatTable {
		n := 0
		return func(model *T) error {
			if n++; n > 1 {
				fmt.Fprintln(w)
			}
			table(w, model)
			return nil
		}, func() error { return nil }
	}
	e := answer.NewEncoder(w, new(T), o.encoding(many))
	return func(model *T) error { return e.Put(model) }, e.Close
}

// rows returns a writer of rows in a format other than the table.
func (o *output) rows(w io.Writer, columns ...string) *rowWriter {
	return &rowWriter{answer.NewRows(w, o.encoding(true), columns...)}
}

// rowWriter writes rows that are no answer.
type rowWriter struct{ *answer.Rows }

func (r *rowWriter) row(values ...any) error { return r.Row(values...) }
func (r *rowWriter) close() error            { return r.Close() }

// orNull returns the value of a text that may be missing, which is null in JSON and empty elsewhere.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// trimFloat formats a number with at most six decimals.
func trimFloat(f float64) string { return answer.Float(f) }

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

// marshal returns a value as JSON on one line.
func marshal(v any) ([]byte, error) { return answer.Marshal(v) }

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

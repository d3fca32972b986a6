package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/ask"
	"github.com/spf13/pflag"
)

// Formats of output. Each command accepts some of them.
const (
	formatTable = "table"
	formatJSON  = ask.JSON
	formatJSONL = ask.JSONL
	formatCSV   = ask.CSV
	formatTSV   = ask.TSV
)

// everyFormat lists the formats of commands that list rows.
var everyFormat = []string{formatTable, formatJSON, formatJSONL, formatCSV, formatTSV}

// output holds the flags that choose the form in which a command prints. Columns have the same names in every format
// but the table.
type output struct {
	format   string
	noHeader bool
	safe     bool   // escape cells that spreadsheets would run
	columns  string // some or all, in a table
}

// bind defines the flags of a command that lists rows. rows describes a row of csv, tsv and jsonl if it differs from
// a row of the table.
func (o *output) bind(f *pflag.FlagSet, rows string) {
	use := "`FORMAT` of the output"
	if rows != "" {
		use += ", in which a row of csv, tsv and jsonl is " + rows
	}
	oneOf(f, &o.format, "format", formatTable, everyFormat, use)
	o.bindCells(f)
}

// bindWhole defines the flag of a command whose output is not a list.
func (o *output) bindWhole(f *pflag.FlagSet) {
	oneOf(f, &o.format, "format", formatTable, everyFormat[:2], "`FORMAT` of the output")
}

// bindColumns defines the flag that shows in a table what csv has.
func (o *output) bindColumns(f *pflag.FlagSet) {
	oneOf(f, &o.columns, "columns", "some", []string{"some", "all"}, "`WHICH` columns of csv to show in a table, all with a line each")
}

// allRows is said of a limit that listAll sets.
const allRows = "; formats other than the table list all by default"

// listAll sets a limit that nobody gave to all rows, if the format is not the table.
func (o *output) listAll(f *pflag.FlagSet, limit *int) {
	if o.format != formatTable && !f.Changed("limit") {
		*limit = math.MaxInt
	}
}

// bindCells defines the flags that apply to csv and tsv only.
func (o *output) bindCells(f *pflag.FlagSet) {
	f.BoolVar(&o.noHeader, "no-header", false, "leave out the first line of csv and tsv, which names the columns")
	f.BoolVar(&o.safe, "safe-csv", false, "put ' before text in csv and tsv that a spreadsheet would run as a formula")
}

// everything is the window that covers a whole list.
var everything = ask.Window{Limit: math.MaxInt}

// encoding returns how to write rows in a format other than the table.
func (o *output) encoding(many bool) ask.Encoding {
	return ask.Encoding{Format: o.format, Many: many, NoHeader: o.noHeader, Safe: o.safe}
}

// show prints a model as a table or in another format.
func show[T any](o output, model *T, table func(io.Writer, *T)) error {
	put, end := answers(o, false, table)
	return errors.Join(put(model), end())
}

// answers returns functions that print models, each as a table or in another format. With many, JSON is a list of
// them.
func answers[T any](o output, many bool, table func(io.Writer, *T)) (put func(*T) error, end func() error) {
	if o.format == formatTable && o.columns == "all" {
		table = func(w io.Writer, model *T) { allColumns(w, model) }
	}
	if o.format == formatTable {
		n := 0
		return func(model *T) error {
			if n++; n > 1 {
				fmt.Fprintln(printed)
			}
			tabled(func(w io.Writer) { table(w, model) })
			return nil
		}, func() error { return nil }
	}
	e := ask.NewEncoder(printed, new(T), o.encoding(many))
	return func(model *T) error { return e.Put(model) }, e.Close
}

// allColumns writes the rows of a model, each column on a line of its own.
func allColumns(w io.Writer, model any) {
	var b bytes.Buffer
	e := ask.NewEncoder(&b, model, ask.Encoding{Format: formatTSV})
	if err := errors.Join(e.Put(model), e.Close()); err != nil {
		fmt.Fprintln(w, whole(err.Error()))
		return
	}
	header, rows, _ := strings.Cut(b.String(), "\n")
	names := strings.Split(header, "\t")
	for row := range strings.Lines(rows) {
		for i, cell := range strings.Split(strings.TrimSuffix(row, "\n"), "\t") {
			if cell != "" {
				fmt.Fprintf(w, "%-*s  %s\n", widest(names), names[i], detail(cell, widest(names)+len(gap)))
			}
		}
		fmt.Fprintln(w)
	}
}

// writeJSON prints a value as indented JSON.
func writeJSON(v any) error { return show(output{format: formatJSON}, &v, nil) }

// writeLine writes a value as one line of JSON.
func writeLine(w io.Writer, v any) error {
	raw, err := ask.Marshal(v)
	if err != nil {
		return err
	}
	_, err = w.Write(append(raw, '\n'))
	return err
}

// choice is the value of a flag that takes one of a few words.
type choice struct {
	to    *string
	words []string
}

// oneOf defines a flag that takes one of a few words and defaults to value.
func oneOf(f *pflag.FlagSet, to *string, name, value string, words []string, usage string) {
	*to = value
	f.Var(choice{to, words}, name, usage+": "+strings.Join(words, ", "))
}

// Set accepts only the words of the choice.
func (c choice) Set(s string) error {
	if !slices.Contains(c.words, s) {
		return ask.ValueError("must be one of " + strings.Join(c.words, ", "))
	}
	*c.to = s
	return nil
}

// String returns the word.
func (c choice) String() string { return *c.to }

// Type returns the name that package pflag uses for the type.
func (c choice) Type() string { return "string" }

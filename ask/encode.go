package ask

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/harmless"
)

// Formats of [Encoder] and [Rows].
const (
	JSON  = "json"
	JSONL = "jsonl" // one row per line
	CSV   = "csv"
	TSV   = "tsv"
)

// Encoding chooses how answers are written.
type Encoding struct {
	Format   string
	Many     bool // JSON is a list of models
	NoHeader bool // omit the line of column names in CSV and TSV
	Safe     bool // put ' before text in CSV and TSV that a spreadsheet would run as a formula
}

// Encoder writes models. JSON contains whole models; the other formats contain the rows of their lists, or one row
// for each model without a list. Control characters that a terminal would obey are never written as they are.
type Encoder struct {
	Encoding
	out     *bufio.Writer
	rows    *Rows // for lists: in JSON of models
	columns []Column
}

// NewEncoder returns an encoder for models of the same type as model. The caller must close it.
func NewEncoder(w io.Writer, model any, e Encoding) *Encoder {
	if e.Format == JSON && !e.Many {
		return &Encoder{Encoding: e, out: bufio.NewWriter(w)}
	}
	columns := Columns(reflect.TypeOf(model))
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.Name
	}
	rows := NewRows(w, e, names...)
	return &Encoder{Encoding: e, out: rows.out, rows: rows, columns: columns}
}

// Put writes a model.
func (e *Encoder) Put(model any) error {
	if e.Format == JSON {
		return e.whole(model)
	}
	v, items := reflect.Indirect(reflect.ValueOf(model)), Items(model)
	switch {
	case !items.IsValid() && e.Format == JSONL:
		line, err := Marshal(model)
		if err != nil {
			return err
		}
		_, err = e.out.Write(append(line, '\n'))
		return err
	case !items.IsValid():
		return e.row(v, reflect.Value{})
	}
	for i := range items.Len() {
		if err := e.row(v, reflect.Indirect(items.Index(i))); err != nil {
			return err
		}
	}
	return nil
}

// whole writes a model as indented JSON.
func (e *Encoder) whole(model any) error {
	raw, err := Marshal(model)
	if err != nil {
		return err
	}
	prefix, end := "", "\n"
	if e.Many {
		e.rows.next()
		prefix, end = "  ", ""
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, raw, prefix, "  "); err != nil {
		return err
	}
	indented.WriteString(end)
	_, err = indented.WriteTo(e.out)
	return err
}

func (e *Encoder) row(model, item reflect.Value) error {
	values := make([]any, len(e.columns))
	for i, c := range e.columns {
		from := item
		if c.Model {
			from = model
		}
		f, err := from.FieldByIndexErr(c.Field.Index)
		if err != nil || f.Kind() == reflect.Pointer && f.IsNil() || c.omitted && isZero(f) {
			values[i] = Missing
			continue
		}
		values[i] = reflect.Indirect(f).Interface()
		if phrases, ok := values[i].([]string); ok && e.Format != JSONL {
			values[i] = strings.Join(phrases, ", ")
		}
	}
	return e.rows.Row(values...)
}

// isZero reports whether omitzero omits a value.
func isZero(v reflect.Value) bool {
	if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
		return z.IsZero()
	}
	return v.IsZero()
}

// Close ends the output.
func (e *Encoder) Close() error {
	if e.rows == nil {
		return e.out.Flush()
	}
	return e.rows.Close()
}

// Column is a column of the rows of a model.
type Column struct {
	Name     string
	Field    reflect.StructField
	Model    bool // field of the model rather than of the items of its list
	Optional bool // may be missing in rows
	omitted  bool // missing if zero
}

// Columns returns the columns of the rows of a type of models: the fields tagged row, under the name that the tag gives unless
// it is "true", and the fields of the items. If it has neither, it returns all fields.
func Columns(model reflect.Type) (columns []Column) {
	if model.Kind() == reflect.Pointer {
		model = model.Elem()
	}
	items, all := Items(reflect.New(model).Interface()), Fields(model)
	inRow := func(c Column) bool {
		return c.Field.Tag.Get("row") != "" || model.Field(c.Field.Index[0]).Tag.Get("row") != ""
	}
	some := slices.ContainsFunc(all, inRow)
	for _, f := range all {
		if !items.IsValid() && !some || inRow(f) {
			f.Model = true
			if name := f.Field.Tag.Get("row"); name != "" && name != "true" {
				f.Name = name
			}
			columns = append(columns, f)
		}
	}
	if items.IsValid() {
		row := items.Type().Elem()
		if row.Kind() == reflect.Pointer {
			row = row.Elem()
		}
		columns = append(columns, Fields(row)...)
	}
	return columns
}

// Fields returns the fields of a struct that JSON shows. It includes those of embedded structs, which are optional if
// embedded by pointer.
func Fields(t reflect.Type) (all []Column) {
	for _, f := range reflect.VisibleFields(t) {
		name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.IsExported() && !f.Anonymous && name != "-" && name != "" {
			within := false
			for i := 1; i < len(f.Index); i++ {
				within = within || t.FieldByIndex(f.Index[:i]).Type.Kind() == reflect.Pointer
			}
			omitted := option == "omitempty" || option == "omitzero"
			all = append(all, Column{name, f, false, omitted || within, omitted})
		}
	}
	return all
}

// Items returns the list of a model, or the zero Value if it has none.
func Items(model any) reflect.Value {
	return reflect.Indirect(reflect.ValueOf(model)).FieldByName("Items")
}

// IsList reports whether a model has a list.
func IsList(model any) bool { return Items(model).IsValid() }

// Missing is the value of a cell that is empty in CSV and TSV and omitted in JSON.
var Missing = new(struct{})

// Rows writes rows of named columns in any format. JSON is a list with one row per line.
type Rows struct {
	Encoding
	keys [][]byte // the column names in JSON
	rows int
	out  *bufio.Writer
	csv  *csv.Writer
}

// NewRows returns a writer of rows. The caller must close it.
func NewRows(w io.Writer, e Encoding, columns ...string) *Rows {
	out := bufio.NewWriterSize(w, 1<<16)
	r := &Rows{Encoding: e, out: out, csv: csv.NewWriter(out)}
	names := make([]any, len(columns))
	for i, c := range columns {
		names[i] = c
		key, _ := Marshal(c) // a string cannot fail
		r.keys = append(r.keys, key)
	}
	switch {
	case r.Format == JSON:
		r.out.WriteByte('[')
	case !r.NoHeader && r.Format != JSONL:
		r.line(names) //nolint:errcheck // kept by the writers until Flush
	}
	return r
}

// Row writes a row with a value for each column.
func (r *Rows) Row(values ...any) error {
	switch r.Format {
	case JSONL:
		return r.object(values, "\n")
	case JSON:
		r.next()
		return r.object(values, "")
	}
	return r.line(values)
}

// next begins an element of the list of JSON.
func (r *Rows) next() {
	if r.rows++; r.rows > 1 {
		r.out.WriteByte(',')
	}
	r.out.WriteString("\n  ")
}

func (r *Rows) line(values []any) error {
	cells := make([]string, len(values))
	for i, v := range values {
		var err error
		if cells[i], err = r.cell(v); err != nil {
			return err
		}
	}
	if r.Format == CSV {
		return r.csv.Write(cells)
	}
	_, err := r.out.WriteString(strings.Join(cells, "\t") + "\n")
	return err
}

// object writes a row as a JSON object, followed by end.
func (r *Rows) object(values []any, end string) error {
	r.out.WriteByte('{')
	before := ""
	for i, v := range values {
		if v == Missing {
			continue
		}
		raw, err := Marshal(v)
		if err != nil {
			return err
		}
		fmt.Fprintf(r.out, "%s%s:%s", before, r.keys[i], raw)
		before = ","
	}
	_, err := r.out.WriteString("}" + end)
	return err
}

// Close ends the output.
func (r *Rows) Close() error {
	switch {
	case r.Format == JSON && r.rows > 0:
		r.out.WriteString("\n]\n")
	case r.Format == JSON:
		r.out.WriteString("]\n")
	}
	r.csv.Flush()
	if err := r.csv.Error(); err != nil {
		return err
	}
	return r.out.Flush()
}

// cell formats a value as a cell: text on one line, lists of words joined by spaces, and other composite values as
// JSON.
func (r *Rows) cell(v any) (string, error) {
	text, isText := "", false
	switch v := v.(type) {
	case nil, *struct{}:
	case string:
		text, isText = v, true
	case []string:
		text, isText = strings.Join(v, " "), true
	case time.Time:
		text = v.Format(time.RFC3339Nano)
	default:
		switch of := reflect.ValueOf(v); of.Kind() {
		case reflect.Float32, reflect.Float64:
			text = Float(of.Float())
		case reflect.Struct, reflect.Slice, reflect.Map:
			raw, err := Marshal(v)
			if err != nil {
				return "", err
			}
			text = string(raw)
		default:
			text = fmt.Sprint(v)
		}
	}
	text = harmless.Cell(text)
	if isText && r.Safe {
		text = harmless.Formula(text)
	}
	return text, nil
}

// Float formats a number with at most six decimals.
func Float(f float64) string {
	s := fmt.Sprintf("%.6f", f)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".")
}

// Marshal returns a value as JSON on one line. It keeps &, and escapes control characters, and <, which a browser
// might take for markup.
func Marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	line := bytes.TrimRight(b.Bytes(), "\n")
	return harmless.JSON(bytes.ReplaceAll(line, []byte("<"), []byte(`\u003c`))), nil // it occurs in strings only
}

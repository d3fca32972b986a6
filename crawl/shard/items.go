package shard

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/record"
)

// Field is a text of an item.
type Field struct {
	Name string // path of the member, or name of the column
	Text []byte
}

// Items calls yield with each item of a set, numbered from 1, and all texts in it, whatever their names are: the values of
// JSON Lines, the elements of a JSON array, the rows of CSV or Parquet, the lines of anything else.
func (f *File) Items(yield func(number int64, id string, fields []Field) error) error {
	number := int64(0)
	item := func(v any) error {
		number++
		fields, id := fieldsOf(nil, "", v)
		return yield(number, id, fields)
	}
	if f.Format == "parquet" {
		return parquetItems(f.Path, item)
	}
	in, err := f.reader()
	if err != nil {
		return err
	}
	defer in.Close()
	r := bufio.NewReaderSize(in, blockSize)
	head, _ := r.Peek(sniffed)
	switch begin := strings.TrimLeft(string(head), " \t\r\n\ufeff"); {
	case f.Format == "jsonl", strings.HasPrefix(begin, "["), f.Format == "" && strings.HasPrefix(begin, "{"):
		return jsonItems(r, item)
	case f.Format == "csv":
		return csvItems(r, strings.Contains(strings.SplitN(begin, "\n", 2)[0], "\t"), item)
	case f.Format != "text":
		return errors.Join(errors.New("an evaluation set is JSON, CSV, Parquet or lines of text"), f.Why)
	}
	lines := bufio.NewScanner(r)
	for lines.Buffer(nil, int(f.options.MaxLine)); lines.Scan(); {
		if err := item(lines.Text()); err != nil {
			return err
		}
	}
	return lines.Err()
}

func jsonItems(r *bufio.Reader, item func(any) error) error {
	if b, _ := r.Peek(len(utf8BOM)); string(b) == string(utf8BOM) {
		_, _ = r.Discard(len(utf8BOM))
	}
	d := json.NewDecoder(r)
	for {
		var v any
		if err := d.Decode(&v); err != nil {
			return notEOF(err)
		}
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		for _, v := range list {
			if err := item(v); err != nil {
				return err
			}
		}
	}
}

func csvItems(r io.Reader, tabs bool, item func(any) error) error {
	c := csv.NewReader(r)
	if c.FieldsPerRecord, c.LazyQuotes = -1, true; tabs {
		c.Comma = '\t'
	}
	names, err := c.Read()
	for {
		var row []string
		if err == nil {
			row, err = c.Read()
		}
		if err != nil {
			return notEOF(err)
		}
		v := map[string]any{}
		for i, s := range row {
			name := fmt.Sprint(i + 1)
			if i < len(names) {
				name = names[i]
			}
			v[name] = s
		}
		if err := item(v); err != nil {
			return err
		}
	}
}

func parquetItems(path string, item func(any) error) error {
	rows, err := parquet.ReadFile[any](path)
	for _, row := range rows {
		if err == nil {
			err = item(row)
		}
	}
	return err
}

// fieldsOf appends the texts in a value, and returns the value of the first member that is named as an id.
func fieldsOf(fields []Field, path string, v any) (_ []Field, id string) {
	switch v := v.(type) {
	case string:
		return append(fields, Field{path, []byte(v)}), ""
	case []byte:
		return append(fields, Field{path, v}), ""
	case []any:
		for _, e := range v {
			fields, _ = fieldsOf(fields, path, e)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if id == "" && strings.HasSuffix(strings.ToLower(name), "id") {
				id = record.Clip(fmt.Sprint(v[name]), 100)
			}
			fields, _ = fieldsOf(fields, strings.TrimPrefix(path+"."+name, "."), v[name])
		}
	}
	return fields, id
}

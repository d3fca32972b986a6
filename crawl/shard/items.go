package shard

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/lshclust/lshclust/crawl/internal/payload"
)

// Items calls yield with each item of a set, as encoding/json would decode it: values of JSON Lines, elements of a JSON
// array, rows of CSV or Parquet, lines of other text.
func (f *File) Items(yield func(item any) error) error {
	if f.Format == "parquet" {
		return f.withParquet(func(p *parquet.File) error { return rowItems(parquet.NewGenericReader[any](p), yield) })
	}
	in, err := f.lines()
	if err != nil {
		return err
	}
	defer in.Close()
	r := bufio.NewReader(reader{in})
	if b, _ := r.Peek(len(payload.Utf8BOM)); bytes.Equal(b, payload.Utf8BOM) {
		_, _ = r.Discard(len(b))
	}
	head, _ := r.Peek(sniffed)
	switch begin := strings.TrimSpace(string(head)); {
	case strings.HasPrefix(begin, "{"), strings.HasPrefix(begin, "["):
		return jsonItems(json.NewDecoder(r), yield)
	case f.Format == "csv":
		c := csv.NewReader(r)
		c.FieldsPerRecord, c.LazyQuotes = -1, true
		if line, _, _ := strings.Cut(begin, "\n"); strings.Contains(line, "\t") {
			c.Comma = '\t'
		}
		return csvItems(c, yield)
	case f.Format != "text":
		return errors.Join(errors.New("an evaluation set is JSON, CSV, Parquet or lines of text"), f.Why)
	}
	lines := bufio.NewScanner(r)
	for lines.Buffer(nil, int(f.options.MaxLine)); err == nil && lines.Scan(); {
		err = yield(lines.Text())
	}
	return errors.Join(err, lines.Err())
}

func rowItems(rows *parquet.GenericReader[any], yield func(any) error) error {
	for {
		var row [1]any
		n, err := rows.Read(row[:])
		if n == 1 {
			err = yield(row[0])
		}
		if err != nil {
			return notEOF(err)
		}
	}
}

func each(items []any, err error, yield func(any) error) error {
	for _, v := range items {
		if err == nil {
			err = yield(v)
		}
	}
	return err
}

func jsonItems(d *json.Decoder, yield func(any) error) error {
	for {
		var v any
		err := d.Decode(&v)
		list, ok := v.([]any)
		if !ok {
			list = []any{v}
		}
		if err = each(list, err, yield); err != nil {
			return notEOF(err)
		}
	}
}

// csvItems makes objects of the rows. Fields beyond the header have no names.
func csvItems(c *csv.Reader, yield func(any) error) error {
	names, err := c.Read()
	for err == nil {
		var row []string
		if row, err = c.Read(); err != nil {
			break
		}
		v := map[string]any{}
		for i, s := range row[:min(len(row), len(names))] {
			v[names[i]] = s
		}
		err = yield(v)
	}
	return notEOF(err)
}

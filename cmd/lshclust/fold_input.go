package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// ranked is a list of URLs with other fields, in the form of its file.
type ranked struct {
	fields []string // names of the fields in order of first occurrence
	urls   []string
	rows   [][]field // all fields of each URL; none in a plain list of URLs
}

// field is a field of a row.
type field struct {
	name  string
	text  string
	value json.RawMessage // in JSON Lines the text of a string, otherwise the value as it is
}

// urlFields are the field names that hold URLs, unless a flag names the field.
var urlFields = []string{"url", "document", "uri", "link", "href"}

// mostFields bounds the number of field names of a list.
const mostFields = 1000

// readRanked reads a list of URLs: one URL per line, a table of tab-separated values, or JSON Lines. The first line
// that is not empty decides the form. column names the field with the URL; "" stands for one of urlFields.
func readRanked(f io.Reader, name, column string) (*ranked, error) {
	in := bufio.NewScanner(f)
	in.Buffer(nil, maxURLLine)
	var (
		list = &ranked{}
		add  func(line []byte) error
	)
	for n := 1; in.Scan(); n++ {
		line := bytes.TrimPrefix(in.Bytes(), []byte("\ufeff"))
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if add == nil {
			switch {
			case bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")):
				add = func(line []byte) error { return list.addObject(line, column) }
			case bytes.IndexByte(line, '\t') >= 0:
				add = list.addTable(column)
			default:
				add = list.addLine
			}
		}
		if err := add(line); err != nil {
			return nil, fmt.Errorf("%s line %d: %w", name, n, err)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(list.urls) == 0 {
		return nil, &exit{code: exitCondition, err: fmt.Errorf("%s holds no URL", name)}
	}
	return list, nil
}

// addLine adds a line that is a URL. Lines that begin with # are comments.
func (l *ranked) addLine(line []byte) error {
	if line = bytes.TrimSpace(line); line[0] != '#' {
		l.urls = append(l.urls, string(line))
		l.rows = append(l.rows, nil)
	}
	return nil
}

// addTable returns a function that adds lines of a table. The first line names the columns unless it contains a URL.
func (l *ranked) addTable(column string) func(line []byte) error {
	at := -1
	return func(line []byte) error {
		cells := strings.Split(strings.TrimSuffix(string(line), "\r"), "\t")
		if at < 0 {
			if at = columnOf(cells, column); at >= 0 {
				l.fields = cells
				return nil
			}
			at = slices.IndexFunc(cells, func(c string) bool { return strings.Contains(c, "://") })
			if at < 0 || column != "" {
				return noField(column, "column")
			}
			for i := range cells {
				l.fields = append(l.fields, fmt.Sprint("column", i+1))
			}
		}
		if len(cells) != len(l.fields) {
			return fmt.Errorf("%s, but the first line has %d", count(len(cells), "cell"), len(l.fields))
		}
		row := make([]field, len(cells))
		for i, c := range cells {
			row[i] = field{name: l.fields[i], text: c}
		}
		l.urls, l.rows = append(l.urls, strings.TrimSpace(cells[at])), append(l.rows, row)
		return nil
	}
}

// columnOf returns the index of the named column, or for "" of the first of urlFields. It returns -1 if there is
// none.
func columnOf(cells []string, column string) int {
	names := urlFields
	if column != "" {
		names = []string{column}
	}
	for _, name := range names {
		if i := slices.IndexFunc(cells, func(c string) bool { return strings.EqualFold(strings.TrimSpace(c), name) }); i >= 0 {
			return i
		}
	}
	return -1
}

// noField returns the error for a list without URLs.
func noField(column, what string) error {
	if column != "" {
		return fmt.Errorf("there is no %s %q", what, column)
	}
	return fmt.Errorf("no %s is named %s; name the one with the URL with --url", what, strings.Join(urlFields, ", "))
}

var errObject = errors.New("the line is no JSON object")

// addObject adds a line of JSON.
func (l *ranked) addObject(line []byte, column string) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errObject
	}
	var row []field
	var names []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return errObject
		}
		f := field{name: key.(string)}
		if err := d.Decode(&f.value); err != nil {
			return errObject
		}
		if json.Unmarshal(f.value, &f.text) != nil || string(f.value) == "null" {
			f.text = strings.TrimPrefix(string(f.value), "null")
		}
		if !slices.Contains(l.fields, f.name) {
			if l.fields = append(l.fields, f.name); len(l.fields) > mostFields {
				return fmt.Errorf("the list has more than %d different fields", mostFields)
			}
		}
		row, names = append(row, f), append(names, f.name)
	}
	if _, err := d.Token(); err != nil || len(bytes.TrimSpace(line[d.InputOffset():])) > 0 {
		return errObject
	}
	at := columnOf(names, column)
	if at < 0 {
		return noField(column, "field")
	}
	l.urls, l.rows = append(l.urls, strings.TrimSpace(row[at].text)), append(l.rows, row)
	return nil
}

// textFields are the field names that hold the content of a page.
var textFields = []string{"html", "text", "content"}

// digests returns the digests of the texts that come with the URLs, 0 for none.
func (l *ranked) digests() []uint64 {
	out := make([]uint64, len(l.rows))
	for i, row := range l.rows {
		for _, f := range row {
			if slices.Contains(textFields, f.name) && f.text != "" {
				out[i] = xxh3.HashString(f.text)
				break
			}
		}
	}
	return out
}

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
	text  string // of a string, or the value
	value json.RawMessage
}

// urlFields are the field names that hold URLs, unless a flag names the field.
var urlFields = []string{"url", "document", "uri", "link", "href"}

// mostFields bounds the number of field names of a list.
const mostFields = 1000

// readRanked reads a list of URLs: one URL per line, or JSON Lines. The first line that is not empty decides the form.
// column names the field with the URL; "" stands for one of urlFields.
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
			add = list.addLine
			if bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
				add = func(line []byte) error { return list.addObject(line, column) }
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
	line = bytes.TrimSpace(line)
	switch {
	case line[0] == '#':
	case bytes.IndexByte(line, '\t') >= 0:
		return errors.New("the line has a tab: a list is a URL a line, or JSON Lines")
	default:
		l.urls, l.rows = append(l.urls, string(line)), append(l.rows, nil)
	}
	return nil
}

var errObject = errors.New("the line is no JSON object")

// addObject adds a line of JSON.
func (l *ranked) addObject(line []byte, column string) error {
	d := json.NewDecoder(bytes.NewReader(line))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return errObject
	}
	wanted, row := urlFields, []field(nil)
	if column != "" {
		wanted = []string{column}
	}
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
		row = append(row, f)
	}
	if _, err := d.Token(); err != nil || len(bytes.TrimSpace(line[d.InputOffset():])) > 0 {
		return errObject
	}
	at := -1
	for _, name := range wanted {
		if at < 0 {
			at = slices.IndexFunc(row, func(f field) bool { return strings.EqualFold(strings.TrimSpace(f.name), name) })
		}
	}
	if at < 0 {
		if column != "" {
			return fmt.Errorf("no field is named %s", column)
		}
		return fmt.Errorf("no field is named %s; name the one with the URL with --url", strings.Join(wanted, ", "))
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

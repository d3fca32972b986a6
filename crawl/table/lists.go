package table

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// Lists splits rows that hold all links to one host. A row consists of three lists of the same length with the targets,
// the anchors and the sources, as in Marginalia's anchor tags (dest, url[], text[], source[]). Every link becomes a
// record at the position of its row.
type Lists struct {
	on   bool
	row  *record.Record
	of   [3]List // targets, anchors, sources
	left int
}

// List returns the values of a list one after another.
type List interface{ Next() []byte }

// Next returns the record of the next link of the current row.
func (l *Lists) Next() (*record.Record, bool) {
	if l.left == 0 {
		l.end()
		return nil, false
	}
	l.left--
	v := Values{}
	v.Of[FieldTarget], v.Of[FieldAnchor], v.Of[FieldSource] = l.of[0].Next(), l.of[1].Next(), l.of[2].Next()
	rec := *l.row
	rec.Data = nil
	rec.Held = len(v.Of[FieldTarget]) + len(v.Of[FieldAnchor]) + len(v.Of[FieldSource])
	rec.Room.Files().Hold()
	rec.Decode = func(r *record.Record) (record.Page, error) { return linkOf(r, &v) }
	return &rec, true
}

// end releases the row. Records of its links in use keep its buffers.
func (l *Lists) end() {
	if l.row != nil {
		l.row.Release()
	}
	l.row, l.of = nil, [3]List{}
}

// Set begins a row whose lists have the lengths n. The error is a *Skip.
func (l *Lists) Set(row *record.Record, of [3]List, n [3]int) error {
	if n[0] != n[2] || n[0] != n[1] {
		skip := row.Skip(record.ReasonBadRow, "", fmt.Errorf("%d targets, %d texts and %d sources", n[0], n[1], n[2]))
		row.Release()
		return skip
	}
	l.row, l.of, l.left = row, of, n[0]
	return nil
}

// listRow holds the JSON values of the keys dest, url, text and source of a line, nil for a key that is absent.
type listRow struct{ dest, url, text, source []byte }

// parseLists parses a line.
func parseLists(line []byte) (row listRow, err error) {
	r := readerOf(line, new(payload.Room))
	defer r.done()
	err = r.members(func(key []byte) error {
		value, err := r.ReadValue()
		if err != nil {
			return err
		}
		switch strings.ToLower(string(key[:min(len(key), longestName)])) {
		case "dest":
			row.dest = value
		case "url":
			row.url = value
		case "text":
			row.text = value
		case "source":
			row.source = value
		}
		return nil
	})
	if err != nil {
		return row, err
	}
	return row, r.end()
}

// isLists reports whether a line of JSON is a row of lists.
func isLists(line []byte) bool {
	row, err := parseLists(line)
	return err == nil && bytes.HasPrefix(row.dest, []byte(`"`)) && bytes.HasPrefix(row.url, []byte("[")) && bytes.HasPrefix(row.source, []byte("["))
}

// open begins the row of a line of JSON.
func (l *Lists) open(rec *record.Record) error {
	row, err := parseLists(rec.Data)
	var of [3]List
	var n [3]int
	for i, raw := range [...][]byte{row.url, row.text, row.source} {
		values := &jsonList{raw: raw, room: &rec.Room}
		if of[i] = values; err == nil {
			n[i], err = values.count()
		}
	}
	if err != nil {
		skip := rec.Skip(record.ReasonBadJSON, "", err)
		rec.Release()
		return skip
	}
	return l.Set(rec, of, n)
}

// jsonList reads a list of strings that is valid JSON. Next returns nil for a null in the list.
type jsonList struct {
	raw  []byte
	room *payload.Room
	r    *lineReader // nil until the first string is read
}

// count reads the list to count its strings. The error says that it is not a list of strings.
func (l *jsonList) count() (n int, err error) {
	if len(l.raw) == 0 || string(l.raw) == "null" {
		return 0, nil
	}
	r := readerOf(l.raw, l.room)
	defer r.done()
	err = r.elements(func() error {
		if n++; r.PeekKind() != '"' && r.PeekKind() != 'n' {
			return r.wrong("no string in a list")
		}
		return r.SkipValue()
	})
	return n, err
}

// Next implements List.
func (l *jsonList) Next() []byte {
	if l.r == nil {
		l.r = readerOf(l.raw, l.room)
		_, _ = l.r.ReadToken() // count has already checked the syntax
	}
	value, err := l.r.ReadValue()
	if err != nil || value.Kind() != '"' {
		return nil
	}
	return l.r.text(value)
}

// close ends the reading of the list.
func (l *jsonList) close() {
	if l.r != nil {
		l.r.done()
		l.r = nil
	}
}

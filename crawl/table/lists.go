package table

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/lshclust/lshclust/crawl/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// lists takes rows that hold the links to one host apart: three lists of the same length with the targets, the words
// and the sources, as in Marginalia's anchor tags (dest, url[], text[], source[]). Every link is a record of its own,
// at the position of its row.
type Lists struct {
	on   bool
	row  *record.Record
	of   [3]List // targets, anchors, sources
	left int
}

// list gives the values of a list one after another.
type List interface{ Next() []byte }

// next gives the record of the next link of the row at hand.
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

// end releases the row. Records of its links that are still in use keep its buffers.
func (l *Lists) end() {
	if l.row != nil {
		l.row.Release()
	}
	l.row, l.of = nil, [3]List{}
}

// set begins a row with lists of these lengths. The error is a *Skip.
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

// parseLists reads a line.
func parseLists(line []byte) (row listRow, err error) {
	s := scanner{b: line, room: new(payload.Room)}
	if !s.take('{') {
		return row, s.errorf("no object")
	}
	for more := !s.take('}'); more; {
		s.space()
		key, err := s.str()
		if err == nil && !s.take(':') {
			err = s.errorf("no colon after key")
		}
		s.space()
		var value []byte
		if err == nil {
			value, err = s.other()
		}
		if err != nil {
			return row, err
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
		if more = s.take(','); !more && !s.take('}') {
			return row, s.errorf("neither comma nor end after value")
		}
	}
	return row, s.end()
}

// isLists tells whether a line of JSON is one.
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
		values := &jsonList{scanner{b: raw, room: &rec.Room}}
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

// jsonList reads a list of strings that is valid JSON.
type jsonList struct{ scanner }

// count goes through the list once.
func (l *jsonList) count() (n int, err error) {
	s := l.scanner // a copy, which leaves l at the start
	if len(s.b) == 0 || bytes.Equal(s.b, null) {
		return 0, nil
	}
	if !s.take('[') {
		return 0, s.errorf("no list")
	}
	for s.space(); s.i < len(s.b) && s.b[s.i] != ']'; s.space() {
		if n > 0 {
			s.take(',')
			s.space()
		}
		switch {
		case s.b[s.i] == '"':
			s.i += stringEnd(s.b[s.i+1:]) + 2
			n++
		case bytes.HasPrefix(s.b[s.i:], null):
			s.i += len(null)
			n++
		default:
			return 0, s.errorf("no string in a list")
		}
	}
	return n, nil
}

var null = []byte("null")

// next gives the next string, which is empty for null.
func (l *jsonList) Next() []byte {
	if !l.take('[') {
		l.take(',')
	}
	l.space()
	if bytes.HasPrefix(l.b[l.i:], null) {
		l.i += len(null)
		return nil
	}
	value, _ := l.str() // it was counted
	return value
}

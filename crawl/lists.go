package crawl

import (
	"encoding/json"
	"fmt"
)

// lists takes rows that hold the links to one host apart: three lists of the same length with the targets, the words
// and the sources, as in Marginalia's anchor tags (dest, url[], text[], source[]). Every link is a record of its own,
// at the position of its row.
type lists struct {
	on   bool
	row  *Record
	of   [3][][]byte // targets, anchors, sources
	done int
}

// next gives the record of the next link of the row at hand.
func (l *lists) next() (*Record, bool) {
	if l.row == nil || l.done == len(l.of[0]) {
		return nil, false
	}
	v := values{}
	v.of[fieldTarget], v.of[fieldAnchor], v.of[fieldSource] = l.of[0][l.done], l.of[1][l.done], l.of[2][l.done]
	l.done++
	rec := *l.row
	rec.data = nil
	rec.decode = func(r *Record) (Page, error) { return r.linkOf(&v) }
	return &rec, true
}

// set begins a row. The error is a *Skip.
func (l *lists) set(row *Record, targets, anchors, sources [][]byte) error {
	l.row, l.of, l.done = nil, [3][][]byte{targets, anchors, sources}, 0
	if len(targets) != len(sources) || len(targets) != len(anchors) {
		return row.skip(ReasonBadRow, "", fmt.Errorf("%d targets, %d texts and %d sources", len(targets), len(anchors), len(sources)))
	}
	l.row = row
	return nil
}

// listRow is a line of lists.
type listRow struct {
	Dest              *string
	URL, Text, Source []string
}

// isLists tells whether a line of JSON is one.
func isLists(line []byte) bool {
	var row listRow
	return json.Unmarshal(line, &row) == nil && row.Dest != nil && row.URL != nil && row.Source != nil
}

// open begins the row of a line of JSON.
func (l *lists) open(rec *Record) error {
	var row listRow
	if err := json.Unmarshal(rec.data, &row); err != nil {
		return rec.skip(ReasonBadJSON, "", err)
	}
	return l.set(rec, asBytes(row.URL), asBytes(row.Text), asBytes(row.Source))
}

func asBytes(s []string) [][]byte {
	out := make([][]byte, len(s))
	for i := range s {
		out[i] = []byte(s[i])
	}
	return out
}

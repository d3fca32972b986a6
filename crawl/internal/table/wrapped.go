package table

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
	"github.com/lshclust/lshclust/shingles"
)

// Answers of services and files of tools wrap their rows: {"data": [{…}, …]}, {"hits": {"hits": [{"_source": {…}}]}},
// {"log": {"entries": [{…}]}}, {"0": {…}, "1": {…}}, {"https://…": "<html>…"}. An object that is neither a page nor a
// link is searched for such an array, or for an object whose members are pages. If the first object of an input holds
// none, the later ones are not searched.

const (
	maxWrap  = 3 // depth of the objects that are searched
	maxFirst = 8 // elements that are examined until one is an object
)

// array implements objects.inside.
func (s *jsonlSource) array(b []byte) (at int, brackets []byte) {
	room := s.Opts.NewRoom()
	defer room.Free()
	if v, _ := parseObject(b, s.names, &room); s.format == "har" || v.means() == nothing {
		w := wrapping{is: func(key string, object []byte) bool {
			if s.format == "har" {
				v := beginning(object, harNames, &room)
				return v.names&^(1<<fieldTime) != 0 // lists of pages have times too
			}
			v := beginning(object, s.names, &room)
			m := v.means()
			return m != nothing && (m != textRows || isAddress(key))
		}}
		at, brackets = w.find(b, 0, maxWrap), w.brackets
	}
	if at == 0 && !s.begun {
		s.inside = nil
	}
	s.known = s.known || at > 0
	s.begun = s.begun || at > 0
	return at, brackets
}

// beginning returns the values of the object that b begins with, up to the first error. It does not look at what follows.
func beginning(b []byte, n *names, room *payload.Room) (v Values) {
	r := readerOf(b, room)
	defer r.done()
	_ = r.object(&v, n)
	return v
}

// wrapping is a search for an array whose objects are pages or links.
type wrapping struct {
	is       func(key string, object []byte) bool
	brackets []byte // open around what was found
}

var errFound = errors.New("found")

// find searches the object that begins at b[from]. b may be cut short. It returns the index of the first object of the
// array, or of the first key of the members that are pages, or 0.
func (w *wrapping) find(b []byte, from, depth int) (at int) {
	r := readerOf(b[from:], new(payload.Room))
	defer r.done()
	_ = r.members(func(key []byte) error {
		member := from + r.key
		switch r.PeekKind() {
		case '[':
			n := 0
			err := r.elements(func() error {
				if n++; n <= maxFirst && r.PeekKind() == '{' {
					n = maxFirst // the first object decides
					if begin := r.nextObject(b, from); w.is("", b[begin:]) {
						at = begin
						return errFound
					}
				}
				return r.SkipValue()
			})
			if at == 0 {
				return err
			}
			w.brackets = append(w.brackets, '[')
		case '{':
			begin := r.nextObject(b, from)
			switch {
			case depth == 0:
			case w.is(string(key), b[begin:]):
				at = member
			default:
				at = w.find(b, begin, depth-1)
			}
		case '"':
			if isAddress(string(key[:min(len(key), longestName)])) && isContent(b[from+int(r.InputOffset()):]) {
				at = member
			}
		}
		if at > 0 {
			return errFound
		}
		return r.SkipValue()
	})
	if at > 0 {
		w.brackets = append([]byte("{"), w.brackets...)
	}
	return at
}

// isContent reports whether the string that begins after a colon may be that of a page: markup, or more than a title.
func isContent(value []byte) bool {
	value = bytes.TrimLeft(value, ": \t\r\n")
	value = value[:min(len(value), payload.SniffLen)]
	value = value[1:stringLen(value)]
	text, _ := shingles.AppendUnescaped(nil, value[:min(len(value), leastContent)])
	return len(value) > leastContent || payload.SniffHTML(text)
}

// leastContent is the least number of bytes of a string that may be a text and not a title.
const leastContent = 200

// nextObject returns the index at which the object that comes next begins in b, which r reads from an index on.
func (r *lineReader) nextObject(b []byte, from int) int {
	from += int(r.InputOffset())
	return from + bytes.IndexByte(b[from:], '{')
}

// unknownFields returns the error for objects that are neither pages nor links.
func unknownFields(object []byte) error {
	var columns []Column
	names := map[string]bool{}
	r := readerOf(object, new(payload.Room))
	defer r.done()
	_ = r.members(func(key []byte) error {
		columns, names[string(key)] = append(columns, Column{Path: string(key)}), true
		if r.PeekKind() != '{' {
			return r.SkipValue()
		}
		return r.members(func(inner []byte) error {
			columns = append(columns, Column{Path: string(key) + "." + string(inner)})
			return r.SkipValue()
		})
	})
	if names["columns"] && names["data"] {
		return fmt.Errorf("an object with columns and data %w", errNotRows)
	}
	if names["filename"] && names["offset"] && (names["urlkey"] || names["url"]) {
		return errors.New("these are lines of an index of captures, without content: fetch the records that they name (filename, offset, length) and give the WARC files")
	}
	return errUnknownColumns(columns, nil)
}

// withAddress returns the name of the first member of an object that holds a web address, or "".
func withAddress(object []byte) (name string) {
	r := readerOf(object, new(payload.Room))
	defer r.done()
	_ = r.members(func(key []byte) error {
		value, err := r.ReadValue()
		if bytes.HasPrefix(value, []byte(`"http://`)) || bytes.HasPrefix(value, []byte(`"https://`)) {
			name = record.Clip(string(key), 40)
			return errFound
		}
		return err
	})
	return name
}

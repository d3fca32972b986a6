package table

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/lshclust/lshclust/crawl/internal/stream"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/shingles"
)

// lineReader reads the JSON of one line without copying it. The values that it returns are parts of the line or, if
// they are escaped in the line, in memory of the room.
type lineReader struct {
	jsontext.Decoder
	in   bytes.Buffer
	room *payload.Room
	key  int // offset of the last key of an object
}

var lineReaders = sync.Pool{New: func() any { return new(lineReader) }}

// readerOf returns a reader for the first value of b.
func readerOf(b []byte, room *payload.Room) *lineReader {
	r := lineReaders.Get().(*lineReader)
	r.in, r.room = *bytes.NewBuffer(b), room
	r.Reset(&r.in, jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))
	return r
}

// done returns the reader to the pool.
func (r *lineReader) done() {
	r.in, r.room = bytes.Buffer{}, nil
	r.Reset(&r.in)
	lineReaders.Put(r)
}

// parseLine parses one line. If a key occurs twice, the last value wins. Escaped strings are decoded into the room.
func parseLine(b []byte, n *names, room *payload.Room) (v Values, err error) {
	r := readerOf(b, room)
	defer r.done()
	if err := r.object(&v, n); err != nil {
		return v, plain(err)
	}
	return v, plain(r.end())
}

// parseObject is parseLine for what tools write that is nearly JSON.
func parseObject(b []byte, n *names, room *payload.Room) (v Values, err error) {
	if v.quick(b, n, room) {
		return v, nil
	}
	return parseAnyhow(b, n, room)
}

func parseAnyhow(b []byte, n *names, room *payload.Room) (Values, error) {
	v, err := parseLine(b, n, room)
	if err != nil {
		if strict := repaired(b, room); strict != nil {
			if v, again := parseLine(strict, n, room); again == nil {
				return v, nil
			}
		}
		if bytes.HasPrefix(bytes.TrimLeft(b[1:], " \t\r\n"), []byte("'")) {
			err = errors.New("strings in single quotes, as Python prints them: write the objects with json.dumps")
		}
	}
	return v, err
}

// plain returns a syntax error without the prefix of the library.
func plain(err error) error {
	if _, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return errors.New(strings.TrimPrefix(err.Error(), "jsontext: "))
	}
	return err
}

// quick reads an object of strings and scalars, in a third of the time that the parser takes. It returns false for any
// other object.
func (v *Values) quick(b []byte, n *names, room *payload.Room) bool {
	return eachMember(b, func(key, value []byte) (ok bool) {
		uses, kind := n.of(key), value[0]
		switch {
		case kind == '{' || kind == '[':
			return len(uses) == 0 && n.group(key) == nil && jsontext.Value(value).IsValid()
		case kind == '"' && n.group(key) != nil && (value[1] == '{' || value[1] == '\\'): // written as a string
			return false
		case kind == '"' && len(uses) == 0:
			return bytes.IndexByte(value, '\\') < 0 || jsontext.Value(value).IsValid()
		case kind == '"':
			if value, ok = unquoted(value, room); !ok {
				return false
			}
		}
		for _, u := range uses {
			v.set(u, u.field.accepts(value, kind == '"'))
		}
		return true
	})
}

// object reads an object. n says what its keys mean.
func (r *lineReader) object(v *Values, n *names) error {
	return r.members(func(key []byte) error { return r.member(v, n, key) })
}

// members calls read with each key of an object. read must read the value.
func (r *lineReader) members(read func(key []byte) error) error {
	if r.PeekKind() != '{' {
		return r.wrong("no object")
	}
	if _, err := r.ReadToken(); err != nil {
		return stream.NoEOF(err)
	}
	for r.PeekKind() != '}' {
		raw, err := r.ReadValue()
		if err != nil {
			return stream.NoEOF(err)
		}
		r.key = int(r.InputOffset()) - len(raw)
		if err := read(r.text(raw)); err != nil {
			return stream.NoEOF(err)
		}
	}
	_, err := r.ReadToken()
	return stream.NoEOF(err)
}

// elements calls read before each element of a list. read must read the element.
func (r *lineReader) elements(read func() error) error {
	if r.PeekKind() != '[' {
		return r.wrong("no list")
	}
	_, err := r.ReadToken()
	for err == nil && r.PeekKind() != ']' {
		err = read()
	}
	if err == nil {
		_, err = r.ReadToken()
	}
	return err
}

// wrong returns the error in the next value, or an error with the text what if the value is valid JSON of another kind.
func (r *lineReader) wrong(what string) error {
	if _, err := r.ReadValue(); err != nil {
		return stream.NoEOF(err)
	}
	return errors.New(what)
}

// end returns an error if something follows the value.
func (r *lineReader) end() error {
	switch _, err := r.ReadToken(); {
	case err == nil:
		return fmt.Errorf("unexpected data after the object at byte %d of the line", r.InputOffset())
	case !errors.Is(err, io.EOF):
		return err
	}
	return nil
}

// member reads the value of a key. It skips a value that is not needed.
func (r *lineReader) member(v *Values, n *names, key []byte) error {
	uses, group, kind := n.of(key), n.group(key), r.PeekKind()
	switch {
	case kind == '{' && group != nil:
		if err := r.object(v, group); err != nil {
			return err
		}
		for _, u := range uses {
			v.set(u, nil)
		}
		return nil
	case len(uses) == 0 && (kind != '"' || group == nil):
		return r.SkipValue()
	}
	raw, err := r.ReadValue()
	if err != nil {
		return err
	}
	if kind == '{' {
		raw = extended(raw)
		kind = raw.Kind()
	}
	value, isString := []byte(raw), kind == '"'
	if isString {
		value = r.text(raw)
	}
	if isString && group != nil {
		r.written(v, group, value)
	}
	for _, u := range uses {
		v.listed = v.listed || u.field == fieldURL && (kind == '[' || kind == '{')
		if kind == '[' && (u.field == fieldText || u.field == fieldContent) {
			v.set(u, r.paragraphs(raw))
		} else {
			v.set(u, u.field.accepts(value, isString))
		}
	}
	return nil
}

// written reads a group that is written as a string of JSON.
func (r *lineReader) written(v *Values, group *names, value []byte) {
	if len(value) == 0 || value[0] != '{' {
		return
	}
	inner := readerOf(value, r.room)
	defer inner.done()
	_ = inner.object(v, group) // another string
}

// paragraphs joins the strings of a list by line feeds. It returns nil for another list.
func (r *lineReader) paragraphs(raw []byte) (text []byte) {
	list := readerOf(raw, r.room)
	defer list.done()
	err := list.elements(func() error {
		if kind := list.PeekKind(); kind != '"' && kind != 'n' {
			return list.wrong("no string in a list")
		}
		next, err := list.ReadValue()
		if err != nil || next.Kind() == 'n' {
			return err
		}
		if len(text) > 0 {
			text = r.room.Append(text, []byte("\n"))
		}
		text = r.room.Append(text, list.text(next))
		return nil
	})
	if err != nil {
		return nil
	}
	return text
}

// extended returns the value in an object of MongoDB's extended JSON, such as {"$date": …} or {"$oid": …}, or else the
// object.
func extended(raw jsontext.Value) jsontext.Value {
	r := readerOf(raw, new(payload.Room))
	defer r.done()
	value := raw
	_ = r.members(func(key []byte) (err error) {
		if len(key) == 0 || key[0] != '$' {
			return errFound
		}
		if value, err = r.ReadValue(); err == nil && value.Kind() == '{' {
			value = extended(value)
		}
		return err
	})
	return value
}

// accepts returns value if the field accepts it, and nil otherwise. Every field accepts a string. A time, a status or an
// id may also be a number, a flag of a link may be true or false, and features and links are lists.
func (f Field) accepts(value []byte, isString bool) []byte {
	switch {
	case f == fieldLinks && isString:
		return nil
	case f == fieldFeatures && !isString && bytes.HasPrefix(bytes.TrimLeft(value[1:], " \t\r\n"), []byte("{")): // of a map
		return nil
	case isString, f == fieldFeatures:
		return value
	case f == fieldLinks && (bytes.HasPrefix(value, []byte("[")) || bytes.HasPrefix(value, []byte("{"))):
		return value
	case (f == fieldTime || f == fieldStatus) && value[0] >= '0' && value[0] <= '9', f == fieldID && ascii.IsDigits(string(value)):
		return value
	case f >= fieldFollow && f <= fieldForm && len(value) <= len("false"):
		return value
	}
	return nil
}

// text returns the text of a JSON string whose syntax is valid but whose UTF-8 may not be.
func (r *lineReader) text(raw jsontext.Value) []byte {
	text, _ := unquoted(raw, r.room)
	return text
}

// unquoted returns the text of a JSON string, and whether its escapes are valid.
func unquoted(raw []byte, room *payload.Room) (text []byte, valid bool) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1 : len(raw)-1], true
	}
	if !utf8.Valid(raw) { // the library replaces each invalid byte by U+FFFD, Room.Valid a whole sequence
		raw = room.Valid(raw, int64(len(raw))*3)
	}
	return shingles.AppendUnescaped(room.Grow(nil, len(raw)), raw[1:len(raw)-1])
}

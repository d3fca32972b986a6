package table

import (
	"bytes"
	"errors"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/lshclust/lshclust/crawl/internal/payload"
	"github.com/lshclust/lshclust/crawl/record"
)

// Objects finds the texts of JSON objects, without looking at what else they hold. It is not safe for concurrent use.
type Objects struct {
	names *names
	opts  *record.Options
	roles map[string]role
	room  payload.Room
}

// Text is what a JSON object holds.
type Text struct {
	Name    []byte   // URL or id
	Text    []byte   // nil if there is none
	Escaped bool     // Text is what stands between quotes, with escapes
	HTML    []byte   // the markup, if there is no plain text
	Columns [][]byte // the values that were asked for
}

// role is what a member of an object means to Objects.
type role uint8

const (
	roleNone  role = iota
	roleText       // the text
	roleName       // a URL or an id
	roleOther      // may hold a text in another form
)

// NewObjects returns an Objects. Without a Map in the options, the known names count.
func NewObjects(o *record.Options) *Objects {
	x := &Objects{names: knownNames, opts: o, roles: map[string]role{}, room: o.NewRoom()}
	if len(o.Map) > 0 {
		x.names = namesFor(o.Map)
	}
	return x
}

// Release frees the memory of the last Text.
func (x *Objects) Release() { x.room.Free() }

// mostRoles bounds the number of names whose roles are remembered.
const mostRoles = 1 << 10

func (x *Objects) role(key []byte) role {
	r, ok := x.roles[string(key)]
	if !ok {
		r = x.names.role(key)
		if len(x.roles) < mostRoles {
			x.roles[string(key)] = r
		}
	}
	return r
}

// role returns the role of a name at this level.
func (n *names) role(key []byte) role {
	if g := n.group(key); g != nil && (g == n || g.holdsText()) {
		return roleOther
	}
	r := roleNone
	for _, u := range n.of(key) {
		switch u.field {
		case fieldText:
			return roleText
		case fieldHTML, fieldContent, fieldFeatures:
			return roleOther
		case fieldURL, fieldID:
			r = roleName
		}
	}
	return r
}

// holdsText reports whether a name of this level or below is that of a text.
func (n *names) holdsText() bool {
	for _, uses := range n.uses {
		if slices.ContainsFunc(uses, func(u use) bool { return u.field == fieldText || u.field == fieldHTML || u.field == fieldContent }) {
			return true
		}
	}
	return false
}

// Text returns the text of an object and the values of columns, which are appended to values. It is valid until Release.
func (x *Objects) Text(object []byte, columns []string, values [][]byte) (t Text, err error) {
	if !x.quick(object, &t) {
		v, err := parseObject(object, x.names, &x.room)
		if err != nil {
			return t, err
		}
		if t, err = x.slow(object, &v); err != nil {
			return t, err
		}
	}
	for _, path := range columns {
		values = append(values, member(object, path))
	}
	t.Columns = values
	return t, nil
}

// slow returns the text of parsed values.
func (x *Objects) slow(object []byte, v *Values) (Text, error) {
	r := &record.Record{Data: object, Opts: x.opts, Room: x.room}
	v.dropNulls()
	p, err := textOf(r, v)
	x.room = r.Room
	if skip, ok := errors.AsType[*record.Skip](err); ok && skip.Reason != record.ReasonEmptyPage {
		return Text{}, skip.Err
	}
	return Text{Name: []byte(p.URL), Text: p.Text, HTML: p.HTML}, nil
}

// quick finds the text of an object whose members are what they usually are: one text, and nothing that may hold it in
// another form. It returns false for any other object.
func (x *Objects) quick(b []byte, t *Text) bool {
	return eachMember(b, func(key, value []byte) bool {
		r, isString := x.role(key), value[0] == '"'
		switch {
		case r == roleOther:
			return false
		case r == roleText && (t.Text != nil || !isString || isNull(value[1:len(value)-1]) || mayBeWrapped(value[1:len(value)-1])):
			return false
		case r == roleText:
			t.Text, t.Escaped = value[1:len(value)-1], true
		case r == roleName && t.Name == nil && isString && bytes.IndexByte(value, '\\') < 0:
			t.Name = value[1 : len(value)-1]
		case r == roleName && t.Name == nil && !isString && value[0] != 'n' && value[0] != '{' && value[0] != '[':
			t.Name = value
		}
		return true
	})
}

// eachMember calls take with the key and the value of each member of an object, as they are written, until it returns
// false. It returns false then, and for an object that it cannot read: it is one for the parser. It does not look at the
// escapes in strings, nor at the syntax within brackets.
func eachMember(b []byte, take func(key, value []byte) bool) bool {
	if len(b) == 0 || b[0] != '{' {
		return false
	}
	for i := 1; ; i++ {
		key, at, ok := keyAt(b, i)
		if !ok {
			return false
		}
		end := valueEnd(b, at)
		if end < 0 || !take(key, b[at:end]) {
			return false
		}
		switch i = blanks(b, end); {
		case i >= len(b):
			return false
		case b[i] == '}':
			return blanks(b, i+1) == len(b)
		case b[i] != ',':
			return false
		}
	}
}

// blanks returns the index of the first byte from i on that is not blank.
func blanks(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\r' || b[i] == '\n') {
		i++
	}
	return i
}

// keyAt returns the key that begins at b[i], after blanks, and the index of its value. A key with an escape is not read.
func keyAt(b []byte, i int) (key []byte, value int, ok bool) {
	if i = blanks(b, i); i >= len(b) || b[i] != '"' {
		return nil, i, false
	}
	n := bytes.IndexByte(b[i+1:], '"')
	if n < 0 {
		return nil, i, false
	}
	key = b[i+1 : i+1+n]
	if i = blanks(b, i+n+2); bytes.IndexByte(key, '\\') >= 0 || i >= len(b) || b[i] != ':' {
		return key, i, false
	}
	i = blanks(b, i+1)
	return key, i, i < len(b)
}

// valueEnd returns the index after the value that begins at b[i], or -1.
func valueEnd(b []byte, i int) int {
	s := structure{}
	switch b[i] {
	case '"':
		s.quoted = true
		for i++; s.quoted; {
			if i >= len(b) {
				return -1
			}
			i = s.string(b, i)
		}
		return i
	case '{', '[':
		n, end, err := s.scan(b[i:])
		if err != nil || !end {
			return -1
		}
		return i + n
	}
	n := bytes.IndexAny(b[i:min(len(b), i+64)], ",} \t\r\n]")
	if n <= 0 || !jsontext.Value(b[i:i+n]).IsValid() {
		return -1
	}
	return i + n
}

// member returns the value of a member of an object by its path, in which dots separate levels: the text of a string, or
// the value as it is written. It returns nil if there is none.
func member(b []byte, path string) (found []byte) {
	eachMember(b, func(key, value []byte) bool {
		rest, below := strings.CutPrefix(path, string(key)+".")
		switch {
		case string(key) == path && value[0] == '"':
			found, _ = jsontext.AppendUnquote([]byte{}, value)
		case string(key) == path:
			found = value
		case below && value[0] == '{':
			found = member(value, rest)
		}
		return found == nil
	})
	return found
}

// textOf returns the text or the markup of a row or an object as a page with its name. Nothing else about it matters.
func textOf(r *record.Record, v *Values) (record.Page, error) {
	p := record.Page{URL: v.name(r.Opts.Map), Pos: r.Pos}
	if !v.has(fieldHTML) && !v.has(fieldText) && !v.has(fieldContent) {
		return p, r.Skip(record.ReasonEmptyPage, p.URL, nil)
	}
	err := v.content(r, &p)
	return p, err
}

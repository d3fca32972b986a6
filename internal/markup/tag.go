package markup

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/scratch"
)

// attribute is the place of an attribute in the page. Its name is page[key:keyEnd], its value page[val:valEnd].
type attribute struct{ key, keyEnd, val, valEnd int }

// tag reads the tag whose name begins at i. It returns false if the page ends before the tag does.
func (s *Scanner) tag(i int) bool {
	page := s.page
	s.name, i = nameAt(page, i)
	for {
		for i < len(page) && class[page[i]]&space != 0 {
			i++
		}
		if i == len(page) {
			return false
		}
		if page[i] == '>' {
			s.to = i + 1
			return true
		}
		var a attribute
		if a, i = attributeAt(page, i); a.key < a.keyEnd {
			if len(s.attrs) == cap(s.attrs) {
				s.attrs = scratch.Grow(s.Room, s.attrs, 1)
			}
			s.attrs = append(s.attrs, a)
		}
	}
}

// attributeAt returns the attribute at page[i:], which is not white space, and where it ends. The name is empty if
// there is only a slash.
func attributeAt(page []byte, i int) (a attribute, end int) {
	a.key = i
	if page[i] == '=' {
		i++ // is part of the name
	}
	for i < len(page) && class[page[i]]&endsKey == 0 {
		i++
	}
	a.keyEnd, a.val, a.valEnd = i, i, i
	if i = afterSpace(page, i); i == len(page) {
		return a, i
	}
	switch page[i] {
	case '/':
		return a, i + 1
	case '=':
		i = afterSpace(page, i+1)
	default:
		return a, i
	}
	if i == len(page) {
		return a, i
	}
	switch quote := page[i]; quote {
	case '>':
		return a, i
	case '"', '\'':
		j := bytes.IndexByte(page[i+1:], quote)
		if j < 0 {
			return a, len(page)
		}
		a.val, a.valEnd = i+1, i+1+j
		return a, a.valEnd + 1
	}
	a.val = i
	for i < len(page) && class[page[i]]&space == 0 && page[i] != '>' {
		i++
	}
	a.valEnd = i
	return a, i
}

func afterSpace(page []byte, i int) int {
	for i < len(page) && class[page[i]]&space != 0 {
		i++
	}
	return i
}

// endsInValue reports whether the last byte before the > of the current tag belongs to the value of an attribute that
// is used.
func (s *Scanner) endsInValue() bool {
	if len(s.attrs) == 0 {
		return false
	}
	last := s.attrs[len(s.attrs)-1]
	return last.valEnd == s.to-1 && last.val < last.valEnd && !s.repeated(last)
}

// repeated reports whether an attribute before the last one has the same name.
func (s *Scanner) repeated(last attribute) bool {
	for _, a := range s.attrs[:len(s.attrs)-1] {
		if equalFold(s.page[a.key:a.keyEnd], s.page[last.key:last.keyEnd]) {
			return true
		}
	}
	return false
}

func equalFold[S []byte | string](a []byte, b S) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if lower[a[i]] != lower[b[i]] {
			return false
		}
	}
	return true
}

// Attribute returns the value of an attribute of the current start tag with its character references resolved. name is
// in lower case. If several attributes have the name, the first one wins.
func (s *Scanner) Attribute(name string) (value string, ok bool) {
	for _, a := range s.attrs {
		if a.keyEnd-a.key == len(name) && equalFold(s.page[a.key:a.keyEnd], name) {
			return s.value(a), true
		}
	}
	return "", false
}

// value returns the value of an attribute.
func (s *Scanner) value(a attribute) string {
	raw := s.page[a.val:a.valEnd]
	if s.MaxValue > 0 && len(raw) > s.MaxValue {
		raw = raw[:s.MaxValue]
		for i := 0; i < utf8.UTFMax && !utf8.RuneStart(s.page[a.val+len(raw)]); i++ {
			raw = raw[:len(raw)-1]
		}
	}
	if bytes.IndexByte(raw, '&') < 0 && bytes.IndexByte(raw, '\r') < 0 && bytes.IndexByte(raw, 0) < 0 {
		return string(raw)
	}
	s.scratch = s.appendResolved(s.scratch[:0], []byte(lineEnds.Replace(string(raw))), true)
	return string(s.scratch)
}

// lineEnds normalises a value as x/net/html does before it resolves references: line ends become line feeds, and NUL is
// removed.
var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", string(utf8.RuneError))

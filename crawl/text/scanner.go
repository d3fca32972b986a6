package text

import (
	"bytes"
	"strings"

	"golang.org/x/net/html"
)

// scanner is the tokenizer of golang.org/x/net/html over a page in memory, with the attributes that the parser reads.
type scanner struct {
	*html.Tokenizer
	in    bytes.Reader
	name  []byte      // of the current tag, in lower case
	attrs []attribute // of the current tag
	more  bool        // the current tag may have attributes that have not been read
	style bool        // one of those that were read may hide the element
}

type attribute struct {
	name  string
	value []byte
}

// wanted maps the names of the attributes that the parser reads to those by which it asks for them.
var wanted = func() map[string]string {
	all := map[string]string{"shadowroot": "shadowrootmode"}
	for name := range strings.FieldsSeq("href rel src alt lang name property content http-equiv hreflang hidden style open xlink:href shadowrootmode class id role") {
		all[name] = name
	}
	return all
}()

func (s *scanner) reset(page []byte) {
	s.in.Reset(page)
	s.Tokenizer = html.NewTokenizer(&s.in)
}

// tag returns the element of the current tag. TagName would make a copy of each name.
func (s *scanner) tag() *element {
	raw := s.Raw()[1:]
	if raw[0] == '/' {
		raw = raw[1:]
	}
	name := s.name[:0]
	for _, c := range raw {
		if c = inTag[c]; c == 0 {
			break
		}
		name = append(name, c)
	}
	s.name, s.attrs, s.style = name, s.attrs[:0], false
	s.more = len(name) < len(raw) && raw[len(name)] != '>'
	return elementOf(name)
}

// inTag maps the bytes of the names of tags to their lower-case forms, and those that end a name to 0.
var inTag = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(max(c, 1))
		if 'A' <= c && c <= 'Z' {
			t[c] += 'a' - 'A'
		}
	}
	for _, c := range " \n\r\t\f/>" {
		t[c] = 0
	}
	return t
}()

// attribute returns the value of an attribute of the current start tag, one that is wanted. Like browsers, it returns the
// first value of a repeated attribute.
func (s *scanner) attribute(name string) (value string, ok bool) {
	s.read()
	for _, a := range s.attrs {
		if a.name == name {
			return string(upTo(a.value, maxAttribute)), true
		}
	}
	return "", false
}

// read reads the attributes of the current start tag.
func (s *scanner) read() {
	for s.more {
		var key, v []byte
		key, v, s.more = s.TagAttr()
		if w := wanted[string(key)]; w != "" {
			s.attrs = append(s.attrs, attribute{w, v})
			s.style = s.style || w == "style" || w == "hidden"
		}
	}
}

// has reports whether the current start tag has an attribute, one that is wanted.
func (s *scanner) has(name string) bool {
	_, ok := s.attribute(name)
	return ok
}

// hasClass reports whether the current start tag may have a class. It often is the first attribute.
func (s *scanner) hasClass() bool {
	rest := s.Raw()[1+len(s.name):]
	return bytes.HasPrefix(rest[1:], []byte("class")) || bytes.Contains(rest, []byte("class"))
}

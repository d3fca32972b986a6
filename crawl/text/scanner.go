package text

import (
	"bytes"

	"golang.org/x/net/html"
)

// scanner is the tokenizer of golang.org/x/net/html over a page in memory, with the attributes that the parser reads.
type scanner struct {
	*html.Tokenizer
	in    bytes.Reader
	name  []byte      // of the current tag
	attrs []attribute // of the current tag
	more  bool        // the attributes of the current tag have not been read
	style bool        // one of those that were read may hide the element
}

type attribute struct {
	name  string
	value []byte
}

// wanted returns the name of an attribute that the parser reads, and "" for others.
func wanted(key []byte) string {
	switch string(key) {
	case "href":
		return "href"
	case "rel":
		return "rel"
	case "src":
		return "src"
	case "alt":
		return "alt"
	case "lang":
		return "lang"
	case "name":
		return "name"
	case "property":
		return "property"
	case "content":
		return "content"
	case "http-equiv":
		return "http-equiv"
	case "hreflang":
		return "hreflang"
	case "hidden":
		return "hidden"
	case "style":
		return "style"
	case "open":
		return "open"
	case "shadowrootmode", "shadowroot":
		return "shadowrootmode"
	}
	return ""
}

func (s *scanner) reset(page []byte) {
	s.in.Reset(page)
	s.Tokenizer = html.NewTokenizer(&s.in)
}

// tag returns the element of the current tag.
func (s *scanner) tag() *element {
	s.name, s.more = s.TagName()
	s.attrs, s.style = s.attrs[:0], false
	return elementOf(s.name)
}

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
		if w := wanted(key); w != "" {
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

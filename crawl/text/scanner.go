package text

import (
	"bytes"

	"golang.org/x/net/html"
)

// scanner is the tokenizer of golang.org/x/net/html over a page in memory, with the attributes that the parser reads.
type scanner struct {
	*html.Tokenizer
	in    bytes.Reader
	attrs []attribute // of the current tag
	more  bool        // the attributes of the current tag have not been read
}

type attribute struct {
	name  string
	value []byte
}

// wanted are the attributes that the parser reads.
var wanted = [...]string{"href", "rel", "alt", "lang", "name", "http-equiv", "content", "hreflang"}

func (s *scanner) reset(page []byte) {
	s.in.Reset(page)
	s.Tokenizer = html.NewTokenizer(&s.in)
}

// tag returns the element of the current tag.
func (s *scanner) tag() *element {
	name, more := s.TagName()
	s.attrs, s.more = s.attrs[:0], more
	return elementOf(name)
}

// attribute returns the value of an attribute of the current start tag, one of wanted. Like browsers, it returns the
// first value of a repeated attribute.
func (s *scanner) attribute(name string) (value string, ok bool) {
	for s.more {
		var key, v []byte
		key, v, s.more = s.TagAttr()
		for _, w := range wanted {
			if string(key) == w {
				s.attrs = append(s.attrs, attribute{w, v})
			}
		}
	}
	for _, a := range s.attrs {
		if a.name == name {
			return string(upTo(a.value, maxAttribute)), true
		}
	}
	return "", false
}

// Package markup cuts HTML into the same tokens as the Tokenizer of golang.org/x/net/html, but several times as fast.
//
// That tokenizer reads a stream byte by byte and keeps a map of the attributes of each tag. By itself it reads the
// pages of docs/performance.md at 140 MB/s on one core, so a parser based on it does not reach 100 MB/s. A Scanner has
// the whole page in memory, looks for the next byte that matters, and does not copy: names, attributes and text are
// places in the page until the caller asks for them.
//
// There is one rule. A Scanner makes no decisions of its own: for any bytes, it has the kinds, borders, names,
// attributes and text of the tokens of x/net/html. A fuzz target and real pages check that. Rare and difficult parts
// (scripts that hide their own end, named characters) are left to x/net/html itself.
package markup

import (
	"bytes"
	"io"
	"strings"

	"github.com/lshclust/lshclust/internal/scratch"
	"golang.org/x/net/html"
)

// Kind is the kind of a token.
type Kind uint8

// The kinds of tokens.
const (
	End            Kind = iota // there are no more tokens; a tag that the end of the page cuts off is not a token
	Text                       // see Scanner.AppendText
	StartTag                   // <name attributes>
	SelfClosingTag             // <name attributes/>
	EndTag                     // </name>
	Comment                    // comment, declaration or processing instruction
)

// Scanner returns the tokens of a page in order. The zero value has no tokens; call Reset.
type Scanner struct {
	page     []byte
	from, to int // the current token is page[from:to]
	kind     Kind
	name     Name
	attrs    []attribute
	inside   Name // the element whose content, up to its end tag, is the next token; 0 if there is none
	raw      bool // the current text is the content of such an element …
	literal  bool // … in which character references have no meaning
	scratch  []byte

	Room     *scratch.Pool // for large buffers; its owner frees it between pages
	MaxValue int           // bytes of the value of an attribute that are read; 0 for all
}

// Release drops the buffers that were taken from Room.
func (s *Scanner) Release() {
	s.Reset(nil)
	s.attrs, s.scratch = nil, nil
}

// Reset starts a page. Its bytes must not change until the next Reset.
func (s *Scanner) Reset(page []byte) {
	s.page, s.from, s.to, s.kind, s.name, s.attrs, s.inside = page, 0, 0, End, 0, s.attrs[:0], 0
}

// Next advances to the next token.
func (s *Scanner) Next() Kind {
	s.from, s.name, s.attrs = s.to, 0, s.attrs[:0]
	s.raw, s.literal = false, false
	if s.inside != 0 && s.content() {
		s.kind = Text
	} else {
		s.kind = s.next()
	}
	return s.kind
}

// next advances to a token that is not the content of an element.
func (s *Scanner) next() Kind {
	i := s.from
	for {
		j := bytes.IndexByte(s.page[i:], '<')
		if j < 0 || i+j+1 >= len(s.page) {
			return s.rest(Text)
		}
		i += j
		c := class[s.page[i+1]]
		switch {
		case c&(letter|opens) == 0:
			i++ // a < that is text
		case i > s.from:
			s.to = i
			return Text
		case c&letter != 0:
			return s.startTag(i + 1)
		default:
			return s.slashOrMark(i + 1)
		}
	}
}

// slashOrMark advances to the token that begins with < and has /, ! or ? at i.
func (s *Scanner) slashOrMark(i int) Kind {
	switch {
	case s.page[i] == '!':
		return s.declaration(i + 1)
	case s.page[i] == '?':
		return s.until(i, ">", Comment)
	case i+1 == len(s.page):
		return s.rest(Text)
	case class[s.page[i+1]]&letter != 0:
		if !s.tag(i + 1) {
			return s.rest(End)
		}
		s.attrs = s.attrs[:0]
		return EndTag
	}
	return s.until(i+1, ">", Comment)
}

// rest makes the rest of the page one token.
func (s *Scanner) rest(k Kind) Kind {
	if s.to = len(s.page); s.from == s.to {
		return End
	}
	return k
}

// until ends the current token after the first mark from i on.
func (s *Scanner) until(i int, mark string, k Kind) Kind {
	j := bytes.Index(s.page[i:], []byte(mark))
	if j < 0 {
		return s.rest(k)
	}
	s.to = i + j + len(mark)
	return k
}

// declaration advances to the comment or declaration whose <! ends before page[i:].
func (s *Scanner) declaration(i int) Kind {
	if !bytes.HasPrefix(s.page[i:], []byte("--")) {
		return s.until(i, ">", Comment)
	}
	i += 2
	for end := i; ; end++ {
		j := bytes.IndexByte(s.page[end:], '>')
		if j < 0 {
			return s.rest(Comment)
		}
		end += j
		if in := s.page[i:end]; len(in) == 0 || string(in) == "-" || bytes.HasSuffix(in, []byte("--")) || bytes.HasSuffix(in, []byte("--!")) {
			s.to = end + 1
			return Comment
		}
	}
}

// startTag advances to the tag whose name begins at i.
func (s *Scanner) startTag(i int) Kind {
	if !s.tag(i) {
		return s.rest(End)
	}
	if hasRawContent(s.name) {
		s.inside = s.name
	}
	if s.page[s.to-2] == '/' && !s.endsInValue() {
		return SelfClosingTag
	}
	return StartTag
}

// content makes a token of the text before the end tag of the element s.inside, unless that text is empty.
func (s *Scanner) content() bool {
	name := s.inside
	s.inside = 0
	switch name {
	case plaintext:
		s.to = len(s.page)
	case script:
		s.to = s.endOfScript()
	default:
		s.to = s.endOf(name)
	}
	s.raw = s.from < s.to
	s.literal = s.raw && name != textarea && name != title
	return s.raw
}

// endOf returns where the end tag of an element begins, or the end of the page if there is none.
func (s *Scanner) endOf(name Name) int {
	for i := s.from; ; i += 2 {
		j := bytes.Index(s.page[i:], []byte("</"))
		if j < 0 {
			return len(s.page)
		}
		i += j
		n, end := nameAt(s.page, i+2)
		if n == name && end < len(s.page) {
			return i
		}
	}
}

// endOfScript returns where the end tag of a script begins. If a script contains <!--, </script> may be a part of a
// string; x/net/html applies the rules for that.
func (s *Scanner) endOfScript() int {
	end := s.endOf(script)
	if !bytes.Contains(s.page[s.from:end], []byte("<!--")) {
		return end
	}
	z := html.NewTokenizer(io.MultiReader(strings.NewReader("<script>"), bytes.NewReader(s.page[s.from:])))
	z.Next()
	z.Next()
	return s.from + len(z.Raw())
}

// NotRaw tells the scanner that the element of the current start tag contains markup, in spite of its name. In a
// drawing this is true of <style> and <title>.
func (s *Scanner) NotRaw() { s.inside = 0 }

// Raw returns the current token as it is in the page.
func (s *Scanner) Raw() []byte { return s.page[s.from:s.to] }

// Name returns the name of the current tag.
func (s *Scanner) Name() Name { return s.name }

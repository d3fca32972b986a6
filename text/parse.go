package text

import (
	"bytes"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Parser reads pages into Docs. Vocabulary is needed; the rest is optional. Not safe for concurrent use.
type Parser struct {
	Vocabulary *Vocabulary

	doc      Doc
	split    Splitter
	block    uint32
	space    bool // white space is due before the next visible byte
	open     bool // an <a> is open: the last link
	skip     int  // depth of elements whose content is not text
	skipTag  atom.Atom
	markup   int  // depth of elements of a drawing that hold markup of pages
	based    bool // a <base href> has been seen
	inTitle  bool
	inHead   bool // a heading is open: the last one
	scratch  []byte
	line     []Word
	wordFunc func(from, to int, lower []byte)
	unsplit  int // Doc.Text from here on has not been cut into words yet
	guess    guesser
}

// MaxWord is the number of bytes beyond which a word is noise (base64, hashes): it keeps its place and has no term.
const MaxWord = 64

// HTML reads a page of UTF-8 markup. The Doc is valid until the next call. It never fails: markup has no errors.
func (p *Parser) HTML(markup []byte) *Doc {
	p.begin()
	z := html.NewTokenizer(bytes.NewReader(markup))
	for {
		switch z.Next() {
		case html.ErrorToken:
			p.closeLink()
			p.words()
			p.heading(0)
			p.settle()
			return &p.doc
		case html.TextToken:
			p.text(z)
		case html.StartTagToken:
			p.start(z, false)
		case html.SelfClosingTagToken:
			p.start(z, true)
		case html.EndTagToken:
			p.end(element(z.Raw()[2:]))
		}
	}
}

// Plain reads a page of plain text; an empty line is a border between blocks.
func (p *Parser) Plain(s []byte) *Doc {
	p.begin()
	for len(s) > 0 {
		para, rest, _ := bytes.Cut(s, []byte("\n\n"))
		p.visible(para)
		p.border()
		s = rest
	}
	p.settle()
	return &p.doc
}

// Link reads a link that is given without its page: what stands before it, its anchor, and what stands behind. A line
// feed is a border between blocks. The Doc has this one link, without a target.
func (p *Parser) Link(before, anchor, after string) *Doc {
	p.begin()
	p.given(before)
	p.openLink(attributes{})
	p.given(anchor)
	p.closeLink()
	p.given(after)
	p.words()
	p.settle()
	return &p.doc
}

// given appends text that is not part of the word before it nor of the one behind.
func (p *Parser) given(s string) {
	p.space = true
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			p.border()
		}
		p.scratch = append(p.scratch[:0], line...)
		p.visible(p.scratch)
	}
}

func (p *Parser) begin() {
	p.doc.reset()
	p.block, p.space, p.open, p.skip, p.skipTag, p.inTitle, p.inHead, p.unsplit = 0, false, false, 0, 0, false, false, 0
	p.markup, p.based = 0, false
	p.guess = guesser{}
	if p.wordFunc == nil {
		p.wordFunc = p.word
	}
}

func (p *Parser) text(z *html.Tokenizer) {
	switch {
	case p.inTitle:
		p.doc.Title, _ = appendFolded(p.doc.Title, z.Text(), false)
	case p.skip == 0:
		p.visible(z.Text())
	}
}

// visible appends text that a reader sees.
func (p *Parser) visible(s []byte) {
	p.doc.Text, p.space = appendFolded(p.doc.Text, s, p.space)
}

// words cuts the text since the last cut into words. It is put off to borders and links, so that a word with a
// letter in bold stays one word.
func (p *Parser) words() {
	if p.unsplit < len(p.doc.Text) {
		p.split.Split(p.doc.Text[p.unsplit:], p.wordFunc)
		p.unsplit = len(p.doc.Text)
	}
}

func (p *Parser) word(from, to int, lower []byte) {
	if len(p.doc.Words) >= MaxWords {
		p.doc.CutWords++
		return
	}
	var t Term
	if len(lower) <= MaxWord {
		t = p.term(lower)
	}
	p.doc.Words = append(p.doc.Words, Word{From: uint32(p.unsplit + from), To: uint32(p.unsplit + to), Block: p.block, Term: t})
}

// appendFolded appends s to dst with every run of white space as one space, and none at the front of dst or behind a
// line feed. due says that white space came before s; the result says the same of what comes after.
func appendFolded(dst, s []byte, due bool) ([]byte, bool) {
	n := len(dst)
	dst = slices.Grow(dst, len(s)+1)[:n+len(s)+1]
	for _, c := range s {
		if isSpace(c) {
			due = due || c != 0 // NUL is not there for browsers
			continue
		}
		if due {
			if due = false; n > 0 && dst[n-1] != '\n' {
				dst[n] = ' '
				n++
			}
		}
		dst[n] = c
		n++
	}
	return dst[:n], due
}

func isSpace(c byte) bool { return c <= ' ' }

// border ends a block: words on its two sides do not belong to one sentence.
func (p *Parser) border() {
	p.words()
	p.block++
	p.space = false
	if n := len(p.doc.Text); n > 0 && p.doc.Text[n-1] != '\n' {
		p.doc.Text = append(p.doc.Text, '\n')
	}
}

// heading ends the heading that is open, if any, and begins one of the given level unless that is 0. So a heading is
// a line of its own: what markup puts into it as a block is no part of it.
func (p *Parser) heading(level int) {
	if p.inHead {
		p.inHead = false
		p.doc.Heads[len(p.doc.Heads)-1].To = uint32(len(p.doc.Words))
	}
	if level > 0 {
		n := uint32(len(p.doc.Words))
		above := len(p.doc.Heads) - 1
		for above >= 0 && p.doc.Heads[above].Level >= level {
			above = p.doc.Heads[above].Above
		}
		p.doc.Heads, p.inHead = append(p.doc.Heads, Head{Level: level, Above: above, From: n, To: n}), true
	}
}

func (p *Parser) start(z *html.Tokenizer, selfClosing bool) {
	tag := element(z.Raw()[1:])
	if p.skip > 0 && !p.skipped(tag, z, selfClosing) {
		return
	}
	switch kindOf(tag) {
	case hidden:
		if !selfClosing || tag != atom.Svg { // <script src=x/> is not closed
			p.skip, p.skipTag, p.markup = 1, tag, 0
		}
	case block:
		p.border()
		p.heading(headingLevel(tag))
	case spaced:
		p.space = true
	case special:
		p.special(tag, z)
	}
}

func (p *Parser) special(tag atom.Atom, z *html.Tokenizer) {
	if tag == atom.Meta || tag == atom.Link || tag == atom.Html {
		p.doc.Meta.read(tag, z)
		return
	}
	var at attributes
	if tag != atom.Title {
		at.read(z)
	}
	switch tag {
	case atom.A:
		p.closeLink()
		if at.has&hasHref != 0 {
			p.openLink(at)
		}
	case atom.Area:
		if at.has&hasHref != 0 {
			p.closeLink()
			p.openLink(at)
			p.alt(at.alt)
			p.closeLink()
		}
	case atom.Img, atom.Image: // the parser of browsers makes one of the other
		p.alt(at.alt)
	case atom.Base:
		if !p.based {
			p.doc.Base, p.based = at.href, at.has&hasHref != 0
		}
	case atom.Title:
		p.inTitle = len(p.doc.Title) == 0
		if !p.inTitle {
			p.skip, p.skipTag = 1, tag
		}
	}
}

// alt puts the alternative text of an image where the image stands.
func (p *Parser) alt(s string) {
	if s == "" {
		return
	}
	p.space = true
	p.scratch = append(p.scratch[:0], s...)
	p.visible(p.scratch)
	p.space = true
}

func (p *Parser) openLink(at attributes) {
	if len(p.doc.Links) >= MaxLinks {
		p.doc.CutLinks++
		return
	}
	p.words()
	n := uint32(len(p.doc.Words))
	p.doc.Links = append(p.doc.Links, Link{Href: at.href, Rel: at.rel, From: n, To: n, Byte: uint32(len(p.doc.Text)), Block: p.block})
	p.open = true
}

func (p *Parser) closeLink() {
	if !p.open {
		return
	}
	p.open = false
	p.words()
	l := &p.doc.Links[len(p.doc.Links)-1]
	l.To, l.EndByte = uint32(len(p.doc.Words)), uint32(len(p.doc.Text))
	if l.To > l.From {
		l.Block, l.Byte = p.doc.Words[l.From].Block, p.doc.Words[l.From].From
	}
}

func (p *Parser) end(tag atom.Atom) {
	if p.skip > 0 && !p.skippedEnd(tag) {
		return
	}
	switch {
	case tag == atom.A:
		p.closeLink()
	case tag == atom.Title:
		p.inTitle = false
	case kindOf(tag) == block:
		p.border()
		p.heading(0)
	case kindOf(tag) == spaced:
		p.space = true
	}
}

const hasHref = 1

// attributes are those that matter here. A repeated attribute counts once, the first, as in browsers.
type attributes struct {
	has            uint8
	href, rel, alt string
}

func (at *attributes) read(z *html.Tokenizer) {
	for more := true; more; {
		var key, val []byte
		key, val, more = z.TagAttr()
		switch string(key) {
		case "href":
			if at.has&hasHref == 0 {
				at.href, at.has = string(val), at.has|hasHref
			}
		case "rel":
			at.rel = first(at.rel, val)
		case "alt":
			at.alt = first(at.alt, val)
		}
	}
}

func first(old string, val []byte) string {
	if old != "" {
		return old
	}
	return string(val)
}

// NoFollow tells whether a rel attribute says that the link is no recommendation.
func NoFollow(rel string) bool {
	for _, w := range strings.Fields(strings.ToLower(rel)) {
		if w == "nofollow" || w == "ugc" || w == "sponsored" {
			return true
		}
	}
	return false
}

// TitleWords returns the words of the page's title; valid until the next call of any method.
func (p *Parser) TitleWords() []Word { return p.Words(p.doc.Title) }

// Words returns the words of a line that is not part of the page's text; valid until the next call of any method.
func (p *Parser) Words(line []byte) []Word {
	p.line = p.line[:0]
	p.split.Split(line, func(from, to int, lower []byte) {
		if len(lower) <= MaxWord {
			p.line = append(p.line, Word{From: uint32(from), To: uint32(to), Term: p.Vocabulary.TermIn(p.doc.Language, lower)})
		}
	})
	return p.line
}

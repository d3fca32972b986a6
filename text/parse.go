package text

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/lshclust/lshclust/internal/markup"
	"github.com/lshclust/lshclust/internal/scratch"
)

// Parser reads pages into Docs. Vocabulary is needed; the rest is optional. Not safe for concurrent use.
type Parser struct {
	Vocabulary *Vocabulary

	// Language, if not empty, is what links given without their page are in, in a vocabulary of Auto: see Guess.
	Language string

	doc      Doc
	scan     markup.Scanner
	split    Splitter
	block    uint32
	space    bool // white space is due before the next visible byte
	open     bool // an <a> is open: the last link
	skip     int  // depth of elements whose content is not text
	skipTag  markup.Name
	embedded int  // depth of elements in a drawing that hold markup of pages
	based    bool // a <base href> has been seen
	inTitle  bool
	inHead   bool // a heading is open: the last one
	scratch  []byte
	line     []Word
	wordFunc func(from, to int, lower []byte)
	cutting  []Word // to which wordFunc appends
	over     int    // words beyond MaxWords
	unsplit  int    // Doc.Text from here on has not been cut into words yet
	guess    guesser
	room     *scratch.Pool
	hrefs    scratch.Strings
}

// maxAttribute is the number of bytes of an attribute that are looked at: more than a URL may have.
const maxAttribute = 64 << 10

// Use makes the parser take large buffers from room, which only Release may free. The caller calls Release when it is done
// with a Doc.
func (p *Parser) Use(room *scratch.Pool) { p.room, p.scan.Room, p.hrefs.Room = room, room, room }

// Release frees the buffers of the last Doc, which must not be used afterwards.
func (p *Parser) Release() {
	if p.room.Large() {
		p.doc = Doc{}
		p.hrefs.Reset()
		p.scratch, p.line, p.cutting = nil, nil, nil
		p.scan.Release()
	}
	if cap(p.doc.Links) > manyLinks {
		p.doc.Links = nil
	}
	p.room.Free()
}

// manyLinks is the number of links for which a parser keeps its buffer between pages.
const manyLinks = 1 << 13

// MaxWord is the number of bytes beyond which a word is noise (base64, hashes): it keeps its place and has no term.
const MaxWord = 64

// HTML reads a page of UTF-8 markup. The Doc is valid until the next call. It never fails: markup has no errors.
func (p *Parser) HTML(page []byte) *Doc {
	p.begin()
	p.scan.Reset(page)
	p.scan.MaxValue = maxAttribute
	for {
		switch p.scan.Next() {
		case markup.End:
			p.closeLink()
			p.words()
			p.heading(0)
			p.settle()
			p.scan.Reset(nil)
			return &p.doc
		case markup.Text:
			p.text()
		case markup.StartTag:
			p.start(p.scan.Name(), false)
		case markup.SelfClosingTag:
			p.start(p.scan.Name(), true)
		case markup.EndTag:
			p.end(p.scan.Name())
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
	p.openLink("", "")
	p.given(anchor)
	p.closeLink()
	p.given(after)
	p.words()
	p.settle()
	return &p.doc
}

// Guess tells which language a text seems to be in, "" if its words do not tell. In a vocabulary of one language they are
// not asked. No word is counted.
func (p *Parser) Guess(text []byte) string {
	if !p.Vocabulary.auto {
		return ""
	}
	p.begin()
	p.guess.add(p.cut(nil, text, 0))
	return p.guess.language(text)
}

// given appends text that is not part of the word before it nor of the one behind.
func (p *Parser) given(s string) {
	p.space = true
	first := true
	for line := range strings.SplitSeq(s, "\n") {
		if !first {
			p.border()
		}
		first = false
		p.scratch = append(p.scratch[:0], line...)
		p.visible(p.scratch)
	}
}

func (p *Parser) begin() {
	p.doc.reset()
	p.hrefs.Reset()
	p.block, p.space, p.open, p.skip, p.skipTag, p.inTitle, p.inHead, p.unsplit = 0, false, false, 0, 0, false, false, 0
	p.embedded, p.based = 0, false
	p.guess = guesser{}
}

func (p *Parser) text() {
	if !p.inTitle && p.skip > 0 {
		return
	}
	t, ok := p.scan.Plain()
	if !ok {
		p.scratch = p.scan.AppendText(scratch.Grow(p.room, p.scratch[:0], p.scan.TextBound()))
		t = p.scratch
	}
	if p.inTitle {
		p.doc.Title = p.folded(t)
	} else {
		p.visible(t)
	}
}

// visible appends text that a reader sees.
func (p *Parser) visible(s []byte) {
	p.doc.Text, p.space = appendFolded(p.room, p.doc.Text, s, p.space)
}

// folded is the title with more of it behind, up to MaxTitle.
func (p *Parser) folded(s []byte) []byte {
	title, _ := appendFolded(p.room, p.doc.Title, upTo(s, 2*MaxTitle), false)
	return upTo(title, MaxTitle)
}

// upTo is the first n bytes of s, or a few less so that no character is cut.
func upTo(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// words cuts the text since the last cut into words. It is put off to borders and links, so that a word with a
// letter in bold stays one word.
func (p *Parser) words() {
	if p.unsplit < len(p.doc.Text) {
		p.over = 0
		p.doc.Words = p.cut(p.doc.Words, p.doc.Text, p.unsplit)
		p.doc.CutWords += p.over
		p.unsplit = len(p.doc.Text)
	}
}

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
		p.doc.Heads, p.inHead = scratch.Append(p.room, p.doc.Heads, Head{Level: level, Above: above, From: n, To: n}), true
	}
}

func (p *Parser) start(tag markup.Name, selfClosing bool) {
	if p.skip > 0 && !p.breaksOut(tag, selfClosing) {
		return
	}
	switch k := kindOf(tag); k {
	case inline:
	case hidden:
		if !selfClosing || tag != drawing { // <script src=x/> is open
			p.skip, p.skipTag, p.embedded = 1, tag, 0
		}
	case block:
		p.border()
		p.heading(headingLevel(tag))
	case spaced:
		p.space = true
	default:
		p.special(k, tag)
	}
}

// special does what the start tag of an element with a kind of its own does.
func (p *Parser) special(k kind, tag markup.Name) {
	switch k {
	case anchor:
		p.closeLink()
		if href, ok := p.scan.Attribute("href"); ok {
			p.openLink(href, p.attribute("rel"))
		}
	case area:
		if href, ok := p.scan.Attribute("href"); ok {
			p.closeLink()
			p.openLink(href, p.attribute("rel"))
			p.alt(p.attribute("alt"))
			p.closeLink()
		}
	case image:
		p.alt(p.attribute("alt"))
	case base:
		if href, ok := p.scan.Attribute("href"); ok && !p.based {
			p.doc.Base, p.based = href, true
		}
	case title:
		p.inTitle = len(p.doc.Title) == 0
		if !p.inTitle {
			p.skip, p.skipTag = 1, tag
		}
	default:
		p.doc.Meta.read(k, &p.scan)
	}
}

// attribute is the value of an attribute of the start tag at hand, "" without it. A repeated attribute counts once, the
// first, as in browsers.
func (p *Parser) attribute(key string) string {
	v, _ := p.scan.Attribute(key)
	return v
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

func (p *Parser) openLink(href, rel string) {
	if len(p.doc.Links) >= MaxLinks {
		p.doc.CutLinks++
		return
	}
	p.words()
	n := uint32(len(p.doc.Words))
	if len(p.doc.Links) == cap(p.doc.Links) { // twice, for what is left behind counts until it is collected
		p.doc.Links = slices.Grow(p.doc.Links, max(16, len(p.doc.Links)))
	}
	p.doc.Links = append(p.doc.Links, Link{Href: p.hrefs.Keep(href), Rel: p.hrefs.Keep(rel), From: n, To: n, Byte: uint32(len(p.doc.Text)), Block: p.block})
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

func (p *Parser) end(tag markup.Name) {
	if p.skip > 0 && !p.endBreaksOut(tag) {
		return
	}
	switch kindOf(tag) {
	case anchor:
		p.closeLink()
	case title:
		p.inTitle = false
	case block:
		p.border()
		p.heading(0)
	case spaced:
		p.space = true
	}
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
	p.block = 0 // the page is read
	p.line = slices.DeleteFunc(p.cut(p.line[:0], line, 0), func(w Word) bool { return w.Term == 0 })
	p.Vocabulary.settle(p.doc.Language, p.line, line)
	return p.line
}

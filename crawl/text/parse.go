package text

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"github.com/lshclust/lshclust/internal/scratch"
)

// Parser reads pages into Docs. All fields are optional. A Parser is not safe for concurrent use.
type Parser struct {
	// Vocabulary maps words to terms. If it is nil, no word has a term, and no word is stemmed or looked up.
	Vocabulary *Vocabulary

	// Guessing makes a parser without a Vocabulary guess the language of each page. One with a Vocabulary of Auto does
	// so anyway.
	Guessing bool

	// Among are the languages to guess from; all if it is empty. A vocabulary has its own.
	Among []string

	// Language is the language of the texts in a vocabulary of Auto. If it is empty, the parser guesses the language.
	Language string

	// XHTML says that the next pages are XHTML whether they say so or not.
	XHTML bool

	doc      Doc
	counted  Doc // the last result of Count
	scan     scanner
	split    Splitter
	block    uint32
	space    bool // white space precedes the next visible byte
	open     bool // the last link is not closed yet
	skip     int  // depth of elements whose content is not text
	skipTag  *element
	hidden   unshownElement
	showAll  bool     // also show what the page hides
	embedded int      // depth of elements in a drawing that contain HTML
	based    bool     // a <base href> has been seen
	frame    *element // of the open menu or footer
	frames   int      // depth of such elements in it
	inTitle  bool
	inHead   bool // the last heading is not closed yet
	scratch  []byte
	line     []Word
	wordFunc func(from, to int, lower []byte)
	cutting  []Word // to which wordFunc appends
	formed   []byte // the last result of unify
	opened   bool   // the last inline element that began has a class
	classed  bool   // and so has the one that ended at ended
	ended    int    // length of Doc.Text then
	between  int    // length of Doc.Text at the last border between words that is not in the markup's text
	over     int    // words beyond MaxWords
	unsplit  int    // Doc.Text from here on has not been cut into words yet
	second   string // language of the page, besides doc.Language
	guess    guesser
	room     *scratch.Pool
	hrefs    scratch.Strings
}

// maxNoScript is the number of bytes that the parser keeps of the content of <noscript>.
const maxNoScript = 2 << 10

// maxAttribute is the number of bytes that the parser reads of an attribute, more than a URL may have.
const maxAttribute = 64 << 10

// Use makes the parser take large buffers from room. Only Release may free them; call it after each Doc.
func (p *Parser) Use(room *scratch.Pool) { p.room, p.hrefs.Room = room, room }

// Release frees the buffers of the last Doc, which the caller must not use afterwards.
func (p *Parser) Release() {
	if p.room.Large() {
		p.doc, p.counted = Doc{}, Doc{}
		p.hrefs.Reset()
		p.scratch, p.line, p.cutting, p.formed = nil, nil, nil, nil
		p.scan = scanner{}
	}
	if cap(p.doc.Links) > manyLinks {
		p.doc.Links = nil
	}
	p.room.Free()
}

// manyLinks is the number of links for which a parser keeps its buffer between pages.
const manyLinks = 1 << 13

// MaxWord is the maximum number of bytes of a word with a term. A longer word is noise, such as base64 or a hash; it is
// in Doc.Words but has no term.
const MaxWord = 64

// HTML reads a page of UTF-8 markup. The Doc is valid until the next call. HTML does not fail: any markup is valid. If a
// page hides all of its text until a script shows it, HTML reads it as shown.
func (p *Parser) HTML(page []byte) *Doc {
	p.hidden.met = false
	doc := p.html(page)
	if p.hidden.met && len(doc.Words) == 0 {
		p.showAll = true
		doc = p.html(page)
		p.showAll = false
	}
	return doc
}

func (p *Parser) html(page []byte) *Doc {
	p.begin()
	p.scan.reset(page)
	xhtml := p.XHTML || isXHTML(page)
	p.scan.AllowCDATA(xhtml)
	for {
		switch p.scan.Next() {
		case html.ErrorToken:
			p.closeLink()
			p.words()
			p.heading(0)
			p.entitle()
			p.settle()
			return &p.doc
		case html.TextToken:
			p.text()
		case html.StartTagToken:
			p.start(p.scan.tag(), false)
		case html.SelfClosingTagToken:
			tag := p.scan.tag()
			if xhtml {
				p.empty(tag)
			} else {
				p.start(tag, true)
			}
		case html.EndTagToken:
			p.end(p.scan.tag())
		}
	}
}

// Plain reads a page of plain text. Empty lines separate blocks.
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

// Link reads a link without its page: the text before it, its anchor, and the text after it. Line feeds separate
// blocks. The Doc has this one link, without a target.
func (p *Parser) Link(before, anchor, after string) *Doc {
	p.begin()
	p.given(before)
	p.openLink("", "")
	p.given(anchor)
	p.closeLink()
	p.given(after)
	p.words()
	if p.Vocabulary == nil { // the language would be of no use
		withoutTerms(p.doc.Words)
	} else {
		p.settle()
	}
	return &p.doc
}

// Guess returns the probable language of a text, or "" if the text does not show it or the vocabulary is not Auto. It
// does not count the words.
func (p *Parser) Guess(text []byte) string {
	if p.Vocabulary == nil || !p.Vocabulary.auto {
		return ""
	}
	p.begin()
	p.guess.add(p.cut(nil, text, 0))
	p.guess.among = p.Vocabulary.among
	return p.guess.language(text)
}

// given appends text that belongs neither to the word before it nor to the word after it.
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
	p.block, p.space, p.open, p.skip, p.skipTag, p.inTitle, p.inHead, p.unsplit = 0, false, false, 0, nil, false, false, 0
	p.embedded, p.based, p.between, p.frame = 0, false, 0, nil
	p.guess.reset()
}

func (p *Parser) text() {
	if !p.inTitle && p.skip > 0 {
		if p.skipTag == noScript && len(p.doc.NoScript) < maxNoScript {
			p.doc.NoScript = append(p.doc.NoScript, upTo(p.scan.Raw(), maxNoScript)...)
		}
		return
	}
	t := p.scan.Text()
	if p.inTitle {
		p.doc.Title = p.folded(t)
	} else {
		p.visible(t)
	}
}

// visible appends visible text. A border between words at the end of the text so far becomes a space if letters are on
// both sides.
func (p *Parser) visible(s []byte) {
	if p.between == len(p.doc.Text) && !p.space && p.between > 0 {
		p.space = isLetter(utf8.DecodeLastRune(p.doc.Text)) && isLetter(utf8.DecodeRune(s))
	}
	p.doc.Text, p.space = appendFolded(p.room, p.doc.Text, s, p.space)
}

// folded returns the title with s appended, up to MaxTitle.
func (p *Parser) folded(s []byte) []byte {
	title, _ := appendFolded(p.room, p.doc.Title, upTo(s, 2*MaxTitle), false)
	return upTo(Form(title), MaxTitle)
}

// upTo returns the first n bytes of s, or a few fewer so that no character is cut.
func upTo(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

// words cuts the text since the last call into words. The parser calls it only at borders of blocks and at links, so
// that a word with a letter in bold remains one word.
func (p *Parser) words() {
	if p.unsplit < len(p.doc.Text) {
		p.over = 0
		p.unify(p.unsplit)
		p.doc.Words = p.cut(p.doc.Words, p.doc.Text, p.unsplit)
		p.doc.CutWords += p.over
		p.unsplit = len(p.doc.Text)
	}
}

// border ends a block. A sentence does not continue across it.
func (p *Parser) border() {
	p.words()
	p.block++
	p.space = false
	if n := len(p.doc.Text); n > 0 && p.doc.Text[n-1] != '\n' {
		p.doc.Text = append(p.doc.Text, '\n')
	}
}

func (p *Parser) start(tag *element, selfClosing bool) {
	if p.skip > 0 && !p.breaksOut(tag, selfClosing) {
		return
	}
	if (p.scan.more || tag == dialog) && p.hides(tag) {
		return
	}
	switch k := tag.kind; k {
	case inline:
		p.inline()
	case hidden:
		if tag == inFrame {
			p.bareLink("src")
		}
		if tag == template && p.scan.has("shadowrootmode") {
			break
		}
		if !selfClosing || tag != drawing { // <script src=x/> is open
			p.skip, p.skipTag, p.embedded = 1, tag, 0
		}
	case block:
		p.border()
		p.heading(tag.level)
		p.mark(tag, true)
	case spaced:
		p.space = true
	default:
		p.special(k, tag)
	}
}

// inline begins an inline element. Between two elements with a class, as programs write them without white space, is a
// border of words; a letter in bold is in one word with its neighbours.
func (p *Parser) inline() {
	if p.opened = p.scan.more && p.scan.hasClass(); p.opened && p.classed && p.ended == len(p.doc.Text) {
		p.between = p.ended
	}
}

// special handles the start tag of an element of one of the special kinds.
func (p *Parser) special(k kind, tag *element) {
	switch k {
	case frame:
		p.bareLink("src")
	case anchor:
		p.closeLink()
		if href, ok := p.scan.attribute("href"); ok {
			p.openLink(href, p.attribute("rel"))
		}
	case area:
		if href, ok := p.scan.attribute("href"); ok {
			p.closeLink()
			p.openLink(href, p.attribute("rel"))
			p.alt(p.attribute("alt"))
			p.closeLink()
		}
	case image:
		p.alt(p.attribute("alt"))
	case base:
		if href, ok := p.scan.attribute("href"); ok && !p.based {
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

func (p *Parser) end(tag *element) {
	if p.skip > 0 && !p.endBreaksOut(tag) {
		return
	}
	switch tag.kind {
	case inline:
		p.ended, p.classed = len(p.doc.Text), p.opened
	case anchor:
		p.closeLink()
	case title:
		p.inTitle = false
	case block:
		p.border()
		p.heading(0)
		p.mark(tag, false)
	case spaced:
		p.space = true
	}
}

// TitleWords returns the words of the title of the page, unless they are in its text. They are valid until the next call
// of any method.
func (p *Parser) TitleWords() []Word {
	if p.doc.TitleIsHead {
		return nil
	}
	return p.Words(p.doc.Title)
}

// Words returns the words, as far as they can have a term, of a line that is not part of the text of the page. They are
// valid until the next call of any method.
func (p *Parser) Words(line []byte) []Word {
	p.block = 0 // the page is read
	p.line = slices.DeleteFunc(p.cut(p.line[:0], line, 0), func(w Word) bool { return w.Term == 0 })
	if p.Vocabulary == nil {
		withoutTerms(p.line)
	} else {
		p.Vocabulary.settle(p.passage(p.line, p.doc.Language), p.line, line)
	}
	return p.line
}

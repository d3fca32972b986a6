package text

import (
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// skipped takes a start tag inside of a hidden element. It tells whether the tag ends that element and is to be read as
// usual: an <svg> ends where an element comes that only a page can hold, closed or not.
func (p *Parser) skipped(tag atom.Atom, z *html.Tokenizer, selfClosing bool) bool {
	switch p.skipTag {
	case atom.Template:
		if tag == atom.Template {
			p.skip++
		}
	case atom.Svg:
		drawing := p.markup == 0
		switch {
		case drawing && breaksOut(tag):
			p.skip = 0
			return true
		case selfClosing:
		case tag == atom.Svg:
			p.skip++
		case holdsMarkup(tag):
			p.markup++
		}
		if drawing { // <style/> is closed here, and what <title> holds is no text but markup
			z.NextIsNotRawText()
		}
	}
	return false
}

// skippedEnd takes an end tag inside of a hidden element. It tells whether the tag is one of an element around a
// drawing that was not closed.
func (p *Parser) skippedEnd(tag atom.Atom) bool {
	switch {
	case tag == p.skipTag:
		p.skip--
	case p.skipTag != atom.Svg:
	case p.markup > 0:
		if holdsMarkup(tag) {
			p.markup--
		}
	case kindOf(tag) == block || kindOf(tag) == spaced:
		p.skip = 0
		return true
	}
	return false
}

// holdsMarkup tells the elements of a drawing that hold markup of pages.
func holdsMarkup(tag atom.Atom) bool {
	return tag == atom.Foreignobject || tag == atom.Desc || tag == atom.Title
}

// breaksOut tells the elements that end a drawing, by the HTML standard, 13.2.6.5.
func breaksOut(tag atom.Atom) bool {
	switch tag {
	case atom.B, atom.Big, atom.Blockquote, atom.Body, atom.Br, atom.Center, atom.Code, atom.Dd, atom.Div, atom.Dl, atom.Dt,
		atom.Em, atom.Embed, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Head, atom.Hr, atom.I, atom.Img,
		atom.Li, atom.Listing, atom.Menu, atom.Meta, atom.Nobr, atom.Ol, atom.P, atom.Pre, atom.Ruby, atom.S, atom.Small,
		atom.Span, atom.Strong, atom.Strike, atom.Sub, atom.Sup, atom.Table, atom.Tt, atom.U, atom.Ul, atom.Var:
		return true
	}
	return false
}

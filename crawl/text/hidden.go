package text

import (
	"bytes"
	"strings"
)

// An element is not shown if it has the attribute hidden or its style says so, and neither is a closed dialog. Style
// sheets and scripts are not read. Its text is left out, as from innerText in a browser; its links stay, without words,
// because they are ways to pages: menus unfold.

// unshown stands for an element that is not shown in Parser.skipTag.
var unshown = new(element)

// unshownElement is the element that is not shown and what is open in it.
type unshownElement struct {
	met    bool // the page has one
	name   []byte
	nested int        // open elements of the same name, if that is not a block
	open   []*element // open blocks; the element itself is the first
}

// mostOpen bounds unshownElement.open.
const mostOpen = 1 << 10

// hides begins to skip the element of a start tag with attributes if it is not shown. It reports whether that is so.
func (p *Parser) hides(tag *element) bool {
	switch {
	case tag.kind == hidden || tag.kind > image || p.showAll:
		return false
	case tag.kind >= anchor: // its attributes are read anyway
		if p.scan.read(); !p.scan.style {
			return false
		}
	case tag != dialog:
		if raw := p.scan.Raw(); !bytes.Contains(raw, []byte("none")) && !bytes.Contains(raw, []byte("hidden")) {
			return false
		}
	}
	if tag.name == "body" || !p.isHidden(tag) {
		return false
	}
	p.hidden.met = true
	if tag.kind == anchor || tag.kind == area {
		p.bareLink("href")
	}
	switch {
	case tag.void:
		return true
	case tag.kind == block:
		p.border()
		p.heading(0)
	}
	p.skip, p.skipTag = 1, unshown
	p.hidden.name, p.hidden.nested, p.hidden.open = append(p.hidden.name[:0], p.scan.name...), 0, append(p.hidden.open[:0], tag)
	return true
}

// isHidden reports whether the attributes of the current start tag hide its element. A browser finds what is
// hidden=until-found, and shows it.
func (p *Parser) isHidden(tag *element) bool {
	if until, ok := p.scan.attribute("hidden"); ok && !strings.EqualFold(until, "until-found") {
		return true
	}
	if tag == dialog && !p.scan.has("open") {
		return true
	}
	style, ok := p.scan.attribute("style")
	if !ok {
		return false
	}
	display, visibility := "", ""
	for declaration := range strings.SplitSeq(strings.ToLower(style), ";") {
		property, value, _ := strings.Cut(declaration, ":")
		value, _, _ = strings.Cut(value, "!")
		switch strings.TrimSpace(property) {
		case "display":
			display = strings.TrimSpace(value)
		case "visibility":
			visibility = strings.TrimSpace(value)
		}
	}
	return display == "none" || visibility == "hidden" || visibility == "collapse"
}

// startUnshown handles a start tag inside an element that is not shown. It reports whether the tag ends that element and
// is then handled as usual.
func (p *Parser) startUnshown(tag *element, selfClosing bool) bool {
	h := &p.hidden
	for last := len(h.open) - 1; impliesEnd(h.open[last].name, tag); last-- {
		if last == 0 {
			p.skip = 0
			return true
		}
		h.open = h.open[:last]
	}
	switch {
	case tag.kind == anchor, tag.kind == area:
		p.bareLink("href")
	case tag == inFrame, tag.kind == frame:
		p.bareLink("src")
	case selfClosing && tag.kind != hidden:
		p.scan.NextIsNotRawText() // <title/> in a drawing
	}
	switch {
	case tag.void:
	case nests(tag):
		if len(h.open) < mostOpen {
			h.open = append(h.open, tag)
		}
	case string(h.name) == string(p.scan.name):
		h.nested++
	}
	return false
}

// endUnshown is startUnshown for an end tag. That of an element around the one that is not shown ends it, too.
func (p *Parser) endUnshown(tag *element) bool {
	h := &p.hidden
	if !nests(tag) {
		if string(h.name) != string(p.scan.name) {
			return false
		}
		if h.nested--; h.nested >= 0 {
			return false
		}
		p.skip = 0
		return true
	}
	for i := len(h.open) - 1; i > 0; i-- {
		if h.open[i] == tag {
			h.open = h.open[:i]
			return false
		}
	}
	if tag != h.open[0] && (tag.void || tag == template || tag.name == "p") { // browsers make an empty element of such an end tag
		return false
	}
	p.skip = 0
	return true
}

// nests reports whether unshownElement.open has an element.
func nests(tag *element) bool { return tag.kind == block || tag.kind == spaced || tag == template }

// impliesEnd reports whether the start tag of an element ends an open one without an end tag: the HTML standard, section
// 13.1.2.4.
func impliesEnd(open string, tag *element) bool {
	group := tag.name == "tbody" || tag.name == "tfoot"
	switch open {
	case "p":
		return tag.kind == block
	case "li", "optgroup":
		return tag.name == open
	case "dt", "dd":
		return tag.name == "dt" || tag.name == "dd"
	case "td", "th":
		return group || tag.name == "td" || tag.name == "th" || tag.name == "tr"
	case "tr":
		return group || tag.name == "tr"
	case "thead", "tbody":
		return group
	case "option":
		return tag.name == "option" || tag.name == "optgroup"
	}
	return false
}

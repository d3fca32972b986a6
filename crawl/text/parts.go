package text

import (
	"bytes"
	"strings"

	"github.com/lshclust/lshclust/internal/scratch"
)

// heading ends the open heading, if any, and begins one of the given level unless that is 0. A heading is a single
// line; blocks inside its element are not part of it.
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

// mark notes where a preformatted text, a menu or a footer begins or ends.
func (p *Parser) mark(tag *element, begins bool) {
	switch {
	case tag == pre:
		p.doc.Code = p.note(p.doc.Code, begins)
	case p.frame == nil && begins && (tag == nav || tag == footer || p.isFrame()):
		p.frame, p.frames = tag, 1
		p.doc.Frame = p.note(p.doc.Frame, true)
	case p.frame != tag:
	case begins: // one in another
		p.frames++
	default:
		if p.frames--; p.frames == 0 {
			p.frame = nil
			p.doc.Frame = p.note(p.doc.Frame, false)
		}
	}
}

// note notes in parts that one begins or ends here. One without an end is empty.
func (p *Parser) note(parts []Head, begins bool) []Head {
	at := uint32(len(p.doc.Words))
	switch n := len(parts); {
	case begins && n < MaxLinks:
		return append(parts, Head{From: at, To: at})
	case !begins && n > 0 && n < MaxLinks:
		parts[n-1].To = at
	}
	return parts
}

// frameNames are the classes and ids by which pages without <nav> and <footer> name their menus and footers, and the
// roles of these in WAI-ARIA.
var frameNames = map[string]bool{
	"contentinfo": true, "footer": true, "site-footer": true, "page-footer": true, "main-footer": true, "navfooter": true,
	"navigation": true, "nav": true, "navbar": true, "navheader": true, "site-nav": true, "main-nav": true,
	"site-navigation": true, "main-navigation": true,
}

// isFrame reports whether the attributes of the current start tag name a menu or a footer.
func (p *Parser) isFrame() bool {
	raw := p.scan.Raw()
	if !bytes.Contains(raw, []byte("nav")) && !bytes.Contains(raw, []byte("footer")) && !bytes.Contains(raw, []byte("contentinfo")) {
		return false
	}
	for _, name := range []string{"role", "class", "id"} {
		value, _ := p.scan.attribute(name)
		for word := range strings.FieldsSeq(value) {
			if frameNames[word] {
				return true
			}
		}
	}
	return false
}

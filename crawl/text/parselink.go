package text

import (
	"slices"
	"strings"
)

// bareLink adds a link without words, to the URL in an attribute of the current start tag.
func (p *Parser) bareLink(attribute string) {
	between := p.between
	url, ok := p.scan.attribute(attribute)
	if !ok || url == "" {
		return
	}
	p.closeLink()
	if p.openLink(url, p.attribute("rel")); p.open {
		l := &p.doc.Links[len(p.doc.Links)-1]
		l.Bare, l.Embedded = true, attribute == "src" && string(p.scan.name) == "iframe"
	}
	p.closeLink()
	p.between = between
}

// attribute returns the value of an attribute of the current start tag, or "" if it has none.
func (p *Parser) attribute(key string) string {
	v, _ := p.scan.attribute(key)
	return v
}

// alt inserts the alternative text of an image at the place of the image.
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
	p.between = len(p.doc.Text)
	n := uint32(len(p.doc.Words))
	if len(p.doc.Links) == cap(p.doc.Links) { // doubled, because the old buffer uses memory until it is collected
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
	p.between = len(p.doc.Text)
	l := &p.doc.Links[len(p.doc.Links)-1]
	l.To, l.EndByte = uint32(len(p.doc.Words)), uint32(len(p.doc.Text))
	if l.To > l.From {
		l.Block, l.Byte = p.doc.Words[l.From].Block, p.doc.Words[l.From].From
	}
}

// NoFollow reports whether a rel attribute says that the link is not a recommendation.
func NoFollow(rel string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(rel)), func(w string) bool { return w == "nofollow" || w == "ugc" || w == "sponsored" })
}

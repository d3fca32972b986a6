package text

var (
	drawing  = elements["svg"]
	template = elements["template"]
	noScript = elements["noscript"]
	inFrame  = elements["iframe"]
	dialog   = elements["dialog"]
	pre      = elements["pre"]
	nav      = elements["nav"]
	footer   = elements["footer"]

	// pageOnly are the elements that end a drawing, closed or not: the HTML standard, section 13.2.6.5.
	pageOnly = []string{"b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre",
		"ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var"}

	// embedding are the elements of a drawing that contain HTML.
	embedding = []string{"foreignobject", "desc", "title"}
)

// breaksOut handles a start tag inside a hidden element. It reports whether the tag ends that element and is then
// handled as usual.
func (p *Parser) breaksOut(tag *element, selfClosing bool) bool {
	if p.skipTag == unshown {
		return p.startUnshown(tag, selfClosing)
	}
	if p.skipTag != drawing {
		if p.skipTag == template && tag == template {
			p.skip++
		}
		return false
	}
	if p.embedded == 0 {
		p.scan.NextIsNotRawText()
		if tag.pageOnly {
			p.skip = 0
			return true
		}
	}
	switch {
	case tag.kind == anchor:
		p.bareLink("href")
		if !p.scan.has("href") { // which counts alone
			p.bareLink("xlink:href")
		}
	case selfClosing:
	case tag == drawing:
		p.skip++
	case tag.embedding:
		p.embedded++
	}
	return false
}

// endBreaksOut is breaksOut for an end tag. The end tag of an element around a drawing also ends the drawing.
func (p *Parser) endBreaksOut(tag *element) bool {
	switch {
	case p.skipTag == unshown:
		return p.endUnshown(tag)
	case tag == p.skipTag:
		p.skip--
	case p.skipTag != drawing:
	case p.embedded > 0:
		if tag.embedding {
			p.embedded--
		}
	case tag.kind == block || tag.kind == spaced:
		p.skip = 0
		return true
	}
	return false
}

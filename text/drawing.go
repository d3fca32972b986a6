package text

import "github.com/lshclust/lshclust/internal/markup"

var (
	drawing  = markup.NameOf("svg")
	template = markup.NameOf("template")

	// pageOnly are the elements that end a drawing, closed or not: the HTML standard, section 13.2.6.5.
	pageOnly = nameSet("b", "big", "blockquote", "body", "br", "center", "code", "dd", "div", "dl", "dt", "em", "embed",
		"h1", "h2", "h3", "h4", "h5", "h6", "head", "hr", "i", "img", "li", "listing", "menu", "meta", "nobr", "ol", "p", "pre",
		"ruby", "s", "small", "span", "strong", "strike", "sub", "sup", "table", "tt", "u", "ul", "var")

	// embedding are the elements of a drawing that contain HTML.
	embedding = nameSet("foreignobject", "desc", "title")
)

func nameSet(names ...string) map[markup.Name]bool {
	set := map[markup.Name]bool{}
	for _, n := range names {
		set[markup.NameOf(n)] = true
	}
	return set
}

// breaksOut handles a start tag inside of a hidden element. It tells whether the tag ends that element and is then
// handled as usual.
func (p *Parser) breaksOut(tag markup.Name, selfClosing bool) bool {
	if p.skipTag != drawing {
		if p.skipTag == template && tag == template {
			p.skip++
		}
		return false
	}
	if p.embedded == 0 {
		p.scan.NotRaw()
		if pageOnly[tag] {
			p.skip = 0
			return true
		}
	}
	switch {
	case selfClosing:
	case tag == drawing:
		p.skip++
	case embedding[tag]:
		p.embedded++
	}
	return false
}

// endBreaksOut is breaksOut for an end tag. The end tag of an element around a drawing ends the drawing too.
func (p *Parser) endBreaksOut(tag markup.Name) bool {
	switch {
	case tag == p.skipTag:
		p.skip--
	case p.skipTag != drawing:
	case p.embedded > 0:
		if embedding[tag] {
			p.embedded--
		}
	case kindOf(tag) == block || kindOf(tag) == spaced:
		p.skip = 0
		return true
	}
	return false
}

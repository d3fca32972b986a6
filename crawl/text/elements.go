package text

// kind is the effect of an element on the text around it.
type kind uint8

const (
	inline kind = iota // none: a word may extend across its borders (b, span, font …)
	block              // a border on both sides
	spaced             // white space on both sides but no border, because the cells of a row belong together
	hidden             // its content is not visible text

	frame // special handles this kind and the kinds after it
	anchor
	area
	image
	base
	title
	root // <html>
	link
	meta
)

// named holds every element that is not plain inline. A modern browser does not show the content of <template>, unless it
// is the shadow tree of its parent, of <noscript>, and of the notes of formulas. <head> needs no entry, because everything that it may contain is hidden or special.
var named = map[kind][]string{
	frame: {"frame"}, anchor: {"a"}, area: {"area"}, image: {"img", "image"}, base: {"base"}, title: {"title"}, root: {"html"}, link: {"link"}, meta: {"meta"},

	hidden: {"script", "style", "noscript", "template", "iframe", "noembed", "noframes", "svg", "datalist", "annotation", "annotation-xml"},
	spaced: {"td", "th", "br", "option", "input", "button", "label", "select", "textarea", "optgroup"},
	block: {
		"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li",
		"listing", "main", "menu", "nav", "ol", "p", "plaintext", "pre", "search", "section", "summary", "table", "tbody", "tfoot",
		"thead", "tr", "ul", "xmp",
	},
}

// element is what the parser knows about an element.
type element struct {
	name      string
	kind      kind
	level     int  // of h1 to h6
	pageOnly  bool // ends a drawing, closed or not: the HTML standard, section 13.2.6.5
	embedding bool // contains HTML in a drawing
	void      bool // has no content and no end tag
}

// void are the elements without content: the HTML standard, section 13.1.2.
var void = []string{"area", "base", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"}

var elements = func() map[string]*element {
	all := map[string]*element{}
	of := func(name string) *element {
		if all[name] == nil {
			all[name] = &element{name: name}
		}
		return all[name]
	}
	for k, names := range named {
		for _, name := range names {
			of(name).kind = k
		}
	}
	for _, name := range void {
		of(name).void = true
	}
	for level := range 6 {
		of("h" + string(rune('1'+level))).level = level + 1
	}
	for _, name := range pageOnly {
		of(name).pageOnly = true
	}
	for _, name := range embedding {
		of(name).embedding = true
	}
	return all
}()

var unknown = new(element)

// elementOf returns the element of a name in lower case.
func elementOf(name []byte) *element {
	if e := elements[string(name)]; e != nil {
		return e
	}
	return unknown
}

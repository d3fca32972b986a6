package text

import "github.com/lshclust/lshclust/internal/markup"

// kind is the effect of an element on the text around it.
type kind uint8

const (
	inline kind = iota // not at all: a word may extend across its borders (b, span, font …)
	block              // a border on both sides
	spaced             // white space on both sides but no border, since the cells of a row belong together
	hidden             // its content is not visible text

	anchor // this kind and those after it are handled specially
	area
	image
	base
	title
	root // <html>
	link
	meta
)

// named has every element that is not plain inline. A modern browser does not show the content of <template> and
// <noscript>. <head> needs no entry, because everything that it may contain is hidden or special.
var named = map[kind][]string{
	anchor: {"a"}, area: {"area"}, image: {"img", "image"}, base: {"base"}, title: {"title"}, root: {"html"}, link: {"link"}, meta: {"meta"},

	hidden: {"script", "style", "noscript", "template", "iframe", "noembed", "noframes", "svg"},
	spaced: {"td", "th", "br", "option", "input", "button", "label", "select", "textarea", "optgroup"},
	block: {
		"address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog", "dir", "div", "dl", "dt",
		"fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hgroup", "hr", "legend", "li",
		"listing", "main", "menu", "nav", "ol", "p", "plaintext", "pre", "search", "section", "summary", "table", "tbody", "tfoot",
		"thead", "tr", "ul", "xmp",
	},
}

// kinds holds named in an open hash table, less than a third full. An empty place means a plain inline element.
var kinds = func() (t [256]struct {
	name markup.Name
	kind kind
}) {
	for k, names := range named {
		for _, element := range names {
			n := markup.NameOf(element)
			i := place(n)
			for t[i].name != 0 {
				i++
			}
			t[i].name, t[i].kind = n, k
		}
	}
	return t
}()

func place(n markup.Name) uint8 { return uint8(n * 0x9E3779B97F4A7C15 >> 56) }

func kindOf(n markup.Name) kind {
	for i := place(n); ; i++ {
		if e := &kinds[i]; e.name == n || e.name == 0 {
			return e.kind
		}
	}
}

// headingLevel returns 1 to 6 for h1 to h6 and 0 for other elements.
func headingLevel(n markup.Name) int {
	if level := int(n>>8) - '0'; n&0xff == 'h' && 1 <= level && level <= 6 {
		return level
	}
	return 0
}

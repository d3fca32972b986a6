package text

import "golang.org/x/net/html/atom"

// kind says what an element does to the text around it.
type kind uint8

const (
	inline  kind = iota // nothing: words may run through it (b, span, font …)
	block               // a border on both sides
	spaced              // white space on both sides, no border: cells of a row belong together
	hidden              // its content is not text
	special             // handled by name
)

// named has an entry for every element that is not plain inline. <template> and <noscript> hold what a reader with
// a modern browser does not see; <head> needs no entry, since all that it may hold is hidden or special.
var named = map[atom.Atom]kind{
	atom.A: special, atom.Area: special, atom.Img: special, atom.Image: special, atom.Base: special, atom.Title: special,
	atom.Html: special, atom.Meta: special, atom.Link: special,

	atom.Script: hidden, atom.Style: hidden, atom.Noscript: hidden, atom.Template: hidden, atom.Iframe: hidden,
	atom.Noembed: hidden, atom.Noframes: hidden, atom.Svg: hidden,

	atom.Td: spaced, atom.Th: spaced, atom.Br: spaced, atom.Wbr: inline, atom.Option: spaced, atom.Input: spaced,
	atom.Button: spaced, atom.Label: spaced, atom.Select: spaced, atom.Textarea: spaced,
	atom.Optgroup: spaced,

	atom.Address: block, atom.Article: block, atom.Aside: block, atom.Blockquote: block, atom.Body: block,
	atom.Caption: block, atom.Center: block, atom.Dd: block, atom.Details: block, atom.Dialog: block, atom.Dir: block,
	atom.Div: block, atom.Dl: block, atom.Dt: block, atom.Fieldset: block, atom.Figcaption: block, atom.Figure: block,
	atom.Footer: block, atom.Form: block, atom.H1: block, atom.H2: block, atom.H3: block, atom.H4: block,
	atom.H5: block, atom.H6: block, atom.Header: block, atom.Hgroup: block, atom.Hr: block, atom.Legend: block, atom.Li: block,
	atom.Listing: block, atom.Main: block, atom.Menu: block, atom.Nav: block, atom.Ol: block, atom.P: block, atom.Plaintext: block,
	atom.Pre: block, atom.Section: block, atom.Summary: block, atom.Table: block, atom.Tbody: block, atom.Tfoot: block,
	atom.Thead: block, atom.Tr: block, atom.Ul: block, atom.Xmp: block,
}

// kinds is named as a table, by atom: all atoms are below 2²⁰, and those of elements fill a few cache lines of it.
var kinds = func() (t [1 << 20]kind) {
	for a, k := range named {
		t[a] = k
	}
	return t
}()

func kindOf(a atom.Atom) kind {
	if uint64(a) < uint64(len(kinds)) {
		return kinds[a]
	}
	return inline
}

// headingLevel is 1 to 6 for h1 to h6, else 0.
func headingLevel(tag atom.Atom) int {
	switch tag {
	case atom.H1:
		return 1
	case atom.H2:
		return 2
	case atom.H3:
		return 3
	case atom.H4:
		return 4
	case atom.H5:
		return 5
	case atom.H6:
		return 6
	}
	return 0
}

// element is the element of a tag that begins with its name, 0 for one that has no atom. It does what atom.Lookup of
// Tokenizer.TagName does without the copy that TagName makes of every name, which took as long as a quarter of Next.
func element(tag []byte) atom.Atom {
	var name [maxName]byte
	for i, c := range tag {
		switch c {
		case ' ', '\n', '\r', '\t', '\f', '/', '>':
			return atom.Lookup(name[:i])
		}
		if i == maxName {
			break
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		name[i] = c
	}
	return 0
}

// maxName is the length of the longest name in named, and of foreignobject.
const maxName = 13

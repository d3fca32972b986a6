package browser

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/lab/readings"
)

// ours is what this repository makes of a page.
type ours struct {
	page  crawl.Page
	doc   *text.Doc
	words []string
}

func read(p *text.Parser, page crawl.Page) *ours {
	o := &ours{page: page, doc: p.HTML(page.HTML)}
	o.words = o.between(0, uint32(len(o.doc.Words)))
	return o
}

func (o *ours) between(from, to uint32) (words []string) {
	for _, w := range o.doc.Words[from:to] {
		words = append(words, string(o.doc.Text[w.From:w.To]))
	}
	return words
}

// byOurRules tells what package text reads: what a page may show at some time, and no more.
func byOurRules(r Run) bool {
	switch r.Why {
	case "script", "style", "noscript", "iframe", "noembed", "noframes", "title", "hidden attribute", "closed dialog", "datalist", "hidden by its style":
		return false
	}
	return !r.SVG
}

func onScreen(r Run) bool { return r.Why == "" }

func drawn(r Run) bool { return r.Why == "" && r.SVG }

// comparison gathers what was found on all pages.
type comparison struct {
	readings.Tally
	pages, screenPages, textPages, linkPages int // all; as on screen; as in the tree, by our rules; links
	screen, shared                           int // words on screen, and those of them that are ours in the same order
	links, equalLinks                        int
	unexplained                              int
}

func (c *comparison) unexplain(what, page string, n int, example string) {
	c.unexplained += n
	c.Add("UNEXPLAINED "+what, page, n, example)
}

// page compares one page.
func (c *comparison) page(v *View, o *ours) {
	c.pages++
	c.head(v, o)
	c.innerText(o.page.URL, v)
	tree := v.Read(byOurRules)
	before := c.unexplained
	if c.text(tree, o) {
		c.textPages++
	}
	if seen := v.Read(onScreen); slices.Equal(texts(seen.Words), o.words) {
		c.screenPages++
	}
	if c.anchors(tree, o) {
		c.linkPages++
	}
	if before != c.unexplained {
		c.Add("pages with something unexplained", o.page.URL, 1, "")
	}
	for _, w := range v.Read(drawn).Words {
		c.screen++
		c.Add(drawing, o.page.URL, 1, w.Text)
	}
}

func texts(words []Word) (s []string) {
	for _, w := range words {
		s = append(s, w.Text)
	}
	return s
}

// isSpace is what white space is in markup: a no-break space is none.
func isSpace(r rune) bool { return r <= ' ' }

// letters are those of the words; an apostrophe belongs to a word if it stands between two letters of it.
func letters(words []string) string { return apostrophes.Replace(strings.Join(words, "")) }

// usual is letters in their usual widths, as we read them.
func usual(words []string) string { return norm.NFKC.String(letters(words)) }

var apostrophes = strings.NewReplacer("'", "", "’", "")

// innerText holds the walk over the tree, and what it says is on screen, against the browser's own innerText.
func (c *comparison) innerText(url string, v *View) {
	fold := cases.Fold()
	words := func(s []string) (folded []string) {
		for _, w := range s {
			folded = append(folded, fold.String(w)) // text-transform is in innerText
		}
		return folded
	}
	a, b := words(texts(v.Read(onScreen).Words)), words(Split([]byte(v.Inner)))
	for _, h := range readings.Diff(a, b) {
		example := fmt.Sprintf("%q, innerText %q", a[h.A0:h.A1], b[h.B0:h.B1])
		if letters(a[h.A0:h.A1]) == letters(b[h.B0:h.B1]) {
			c.Add(innerCut, url, 1, example)
			continue
		}
		c.unexplain("innerText", url, h.A1-h.A0+h.B1-h.B0, example)
	}
}

// charset compares charsets.
func (c *comparison) charset(v *View, o *ours) {
	theirs := strings.ToLower(v.Charset)
	example := fmt.Sprintf("%s, ours %s", theirs, o.page.Charset)
	switch {
	case theirs == o.page.Charset:
	case !takenForAnother(v, o.page):
		c.unexplain("charset", o.page.URL, 1, example)
	case isASCII(o.page.HTML):
		c.Add(asciiOnly, o.page.URL, 1, example)
	default:
		c.Add(undeclared, o.page.URL, 1, example)
	}
}

// takenForAnother tells a page that is valid UTF-8 and that the browser was not told to be.
func takenForAnother(v *View, page crawl.Page) bool {
	return page.Charset == "utf-8" && strings.ToLower(v.Charset) != "utf-8"
}

// text compares words in order; it tells whether all of the tree's are ours.
func (c *comparison) text(tree *Reading, o *ours) bool {
	theirs := texts(tree.Words)
	hunks := readings.Diff(theirs, o.words)
	at := 0
	for _, h := range append(hunks, readings.Hunk{A0: len(theirs), A1: len(theirs)}) {
		for _, w := range tree.Words[at:h.A0] {
			if w.Why == "" {
				c.shared++
				c.screen++
				continue
			}
			c.Add(notOnScreen+w.Why, o.page.URL, 1, w.Text)
		}
		for _, w := range tree.Words[h.A0:h.A1] {
			if w.Why == "" {
				c.screen++
			}
		}
		at = h.A1
	}
	var left []readings.Hunk
	for _, h := range hunks {
		if !c.cut(tree, o, h) {
			left = append(left, h)
		}
	}
	c.moved(theirs, o, left)
	return len(hunks) == 0
}

// moved takes hunks that differ by more than where words are cut.
func (c *comparison) moved(theirs []string, o *ours, left []readings.Hunk) {
	var a, b []string
	for _, h := range left {
		a, b = append(a, theirs[h.A0:h.A1]...), append(b, o.words[h.B0:h.B1]...)
	}
	example := fmt.Sprintf("%q, ours %q", a, b)
	switch class := classOfMoved(a, b, o); {
	case len(left) == 0:
	case class == "" && usual(a) == usual(b):
		c.Add(compatible, o.page.URL, len(a), example)
	case class == "":
		c.unexplain("text", o.page.URL, len(a)+len(b), example)
	default:
		c.Add(class, o.page.URL, len(a), example)
	}
}

// head compares what is said of the page.
func (c *comparison) head(v *View, o *ours) {
	for _, h := range []struct{ what, theirs, ours string }{
		{"base", v.Base, o.doc.Base}, {"lang", v.Lang, o.doc.Meta.Lang}, {"title", strings.Join(strings.FieldsFunc(v.Title, isSpace), " "), string(o.doc.Title)},
	} {
		example := fmt.Sprintf("%q, ours %q", h.theirs, h.ours)
		switch {
		case h.theirs == h.ours:
		case h.what == "title" && h.theirs == "" && strings.Count(strings.ToLower(string(o.page.HTML)), "<title") > 1:
			c.Add(emptyTitle, o.page.URL, 1, example)
		case h.what == "title" && strings.Contains(h.theirs, "://"):
			c.Add(urlTitle, o.page.URL, 1, example)
		case h.what == "title" && h.theirs == "":
			c.Add(headingTitle, o.page.URL, 1, example)
		default:
			c.unexplain(h.what, o.page.URL, 1, example)
		}
	}
}

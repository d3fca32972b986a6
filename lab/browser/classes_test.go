package browser

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/lab/readings"
)

// The classes of differences. Every one has its rule, and TestOddAgainstBrowser shows every one.
const (
	inLink       = "word: a link begins or ends in it"
	inControl    = "word: a control stands in it"
	madeInline   = "word: a block that CSS makes inline"
	madeBlock    = "word: an inline element that CSS makes a block"
	ignored      = "word: a tag that browsers ignore where it stands"
	fostered     = "word: astray between the cells of a table, in front of it in a browser"
	formula      = "word: CDATA section of a formula"
	drawing      = "word on screen alone: in a drawing"
	compatible   = "word: letters of another width, ours of the usual one"
	pieces       = "link: one for us, not closed where it should be, several elements in a browser"
	around       = "link: around another one, ends for us where that begins"
	numberHost   = "URL: a number for a host, an address of four bytes in a browser"
	noBase       = "URL: <base> is no URL; by the standard it does not count, in Chromium nothing resolves"
	emptyTitle   = "title: the first one says nothing, ours is the next"
	headingTitle = "title: there is none, ours is og:title or the first heading"
	urlTitle     = "title: an address, ours is og:title or the first heading"
	frameLink    = "link for us alone: a frame"
	asciiOnly    = "charset: none is wrong for ASCII, we say UTF-8"
	undeclared   = "charset: UTF-8 that is not declared, or as another"
	innerCut     = "innerText: cut elsewhere"
	notOnScreen  = "word not on screen: " // and why
)

// classes are all of them.
var classes = []string{
	inLink, inControl, madeInline, madeBlock, ignored, fostered, formula, drawing, compatible, pieces, around, numberHost, noBase,
	emptyTitle, headingTitle, urlTitle, frameLink, asciiOnly, undeclared, innerCut, notOnScreen + "alt", notOnScreen + "closed details",
	notOnScreen + "display: none", notOnScreen + "progress", notOnScreen + "textarea",
}

// blocks are what browsers show as blocks or table parts where no style sheet says otherwise: the HTML standard, 15.3.
var blocks = strings.Fields(`address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption
	figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p plaintext pre search
	section summary table tbody td tfoot th thead tr ul xmp`)

// controls stand apart from the words around them by our rules.
var controls = strings.Fields("button input label option optgroup select textarea")

// cut takes a hunk of the same letters that are cut into words in other places, and adds each place to its class.
// It tells whether it was one and all places have a class.
func (c *comparison) cut(tree *Reading, o *ours, h readings.Hunk) bool {
	theirs, our := texts(tree.Words[h.A0:h.A1]), o.words[h.B0:h.B1]
	if letters(theirs) != letters(our) {
		return false
	}
	example := fmt.Sprintf("%q, ours %q", theirs, our)
	for at := range ends(theirs) {
		if !ends(our)[at] {
			c.addCut(classOfJoined(edgesAt(tree, h, at)), o, example)
		}
	}
	for at := range ends(our) {
		if !ends(theirs)[at] {
			all := letters(theirs)
			c.addCut(classOfCut(edgesAt(tree, h, at), o, all[:at], all[at:]), o, example)
		}
	}
	return true
}

func (c *comparison) addCut(class string, o *ours, example string) {
	if class == "" {
		c.unexplain("cut", o.page.URL, 1, example)
		return
	}
	c.Add(class, o.page.URL, 1, example)
}

// ends are the places where words end, but for the last one, counted in bytes of letters.
func ends(words []string) map[int]bool {
	out, at := map[int]bool{}, 0
	for _, w := range words[:max(len(words)-1, 0)] {
		at += len(letters([]string{w}))
		out[at] = true
	}
	return out
}

// edgesAt gives the edges of elements behind so many bytes of letters of the hunk and before the next.
func edgesAt(tree *Reading, h readings.Hunk, at int) []Edge {
	var places []int // of the bytes of letters in tree.Text
	for _, w := range tree.Words[h.A0:h.A1] {
		for i, r := range w.Text {
			for j := range len(letters([]string{string(r)})) {
				places = append(places, w.From+i+j)
			}
		}
	}
	from, to := places[at-1]+1, places[at]
	return slices.DeleteFunc(slices.Clone(tree.Edges), func(e Edge) bool { return e.At < from || e.At > to })
}

// classOfJoined names why a browser ends a word where we do not.
func classOfJoined(edges []Edge) string {
	for _, e := range edges {
		if e.Border && !slices.Contains(blocks, e.Name) && e.Name != "br" {
			return madeBlock
		}
	}
	return ""
}

// classOfCut names why we end a word where a browser does not.
func classOfCut(edges []Edge, o *ours, before, after string) string {
	for _, e := range edges {
		switch {
		case e.Name == "a" || e.Name == "area":
			return inLink
		case slices.Contains(controls, e.Name):
			return inControl
		case slices.Contains(blocks, e.Name) && !e.Border:
			return madeInline
		}
	}
	if ignoredTag(edges, o.page.HTML, before, after) {
		return ignored
	}
	return ""
}

// ignoredTag tells whether a tag of a block or control stands between the two, and no element of that name in the tree.
func ignoredTag(edges []Edge, page []byte, before, after string) bool {
	return slices.ContainsFunc(readings.TagsBetween(page, before, after), func(name string) bool {
		return (slices.Contains(blocks, name) || slices.Contains(controls, name)) &&
			!slices.ContainsFunc(edges, func(e Edge) bool { return e.Name == name })
	})
}

// classOfMoved names why words are in one reading alone, or in other places.
func classOfMoved(theirs, our []string, o *ours) string {
	if readings.Fostered(theirs, our, o.page.HTML, Split) {
		return fostered
	}
	if more, ok := strings.CutPrefix(letters(theirs), letters(our)); ok && bytes.Contains(o.page.HTML, []byte("<![CDATA["+more)) {
		return formula
	}
	return ""
}

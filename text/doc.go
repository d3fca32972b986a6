// Package text turns a page into words and links with positions.
//
// A page goes through two steps. A Parser walks the markup once, token by token as golang.org/x/net/html cuts it, and
// leaves a Doc: the visible text with its white space folded, every word of it, every link over a range of words, and
// the title ([S3] section 3.1: comments, scripts and styles removed, image alt text kept). A Vocabulary then maps
// each distinct word to a Term once: lower case, stop word or not, Porter stem, 64-bit hash.
//
// The one rule: a Doc belongs to its Parser and is overwritten by the next call, so that a worker that reads a million
// pages allocates for one. Copy what must live longer.
//
// [S3] is Haveliwala, Gionis, Indyk: Scalable Techniques for Clustering the Web, 2000.
package text

import "github.com/lshclust/lshclust/bags"

// Doc is the flat form of one page.
type Doc struct {
	Text  []byte // visible text in UTF-8; white space folded to one space, '\n' at borders of block elements
	Words []Word // the words of Text in order; the title's words are not among them
	Links []Link // in order of appearance
	Heads []Head // headings, in order of appearance
	Title []byte // text of <title>, white space folded
	Base  string // first <base href>, raw
	Meta  Meta

	Language string // that the page seems to be in, as Analysis names it; "" if unknown, or not asked for (see Auto)
	CutWords int    // beyond MaxWords: they are in Text only
	CutLinks int    // beyond MaxLinks: they are left out
}

// MaxWords, MaxLinks and MaxTitle bound what a page can take of memory and time.
const (
	MaxWords = 1 << 22
	MaxLinks = 1 << 17
	MaxTitle = 64 << 10 // bytes
)

// Head is one h1 to h6 element.
type Head struct {
	Level    int    // 1 to 6
	Above    int    // number of the heading that it stands under: the last one before it of a higher rank; -1 for none
	From, To uint32 // Words[From:To]
}

// Word is one word of the visible text.
type Word struct {
	From, To uint32 // place in Doc.Text
	Block    uint32 // number of the block element it stands in, counted along the page
	Term     bags.Term
}

// Link is one hyperlink with the words of its anchor.
type Link struct {
	Href     string // raw attribute value, entities decoded
	Rel      string // raw rel attribute
	From, To uint32 // its anchor is Words[From:To]; empty for a link without words
	Byte     uint32 // place in Text where the anchor begins
	EndByte  uint32 // and ends
	Block    uint32
}

func (d *Doc) reset() {
	*d = Doc{Text: d.Text[:0], Words: d.Words[:0], Links: d.Links[:0], Heads: d.Heads[:0], Title: d.Title[:0], Meta: Meta{Alternates: d.Meta.Alternates[:0]}}
}

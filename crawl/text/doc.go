// Package text turns a page into words and links with positions.
//
// A page is read in two steps. A [Parser] reads the markup once, token by token as golang.org/x/net/html does, and
// makes a [Doc]: the visible text with its white space folded, all of its words, the links, each with the range of its
// words, and the title ([S3] section 3.1: comments, scripts and styles are removed, alternative texts of images are
// kept). A [Vocabulary] maps each distinct word to a bags.Term: the word is put into lower case, dropped if it is a
// stop word, stemmed, and hashed to 64 bits.
//
// A Doc belongs to its Parser, and the next call overwrites it, so that a worker that reads a million pages allocates
// memory for one. Copy what must live longer.
//
// [S3] is Haveliwala, Gionis, Indyk: Scalable Techniques for Clustering the Web, 2000.
package text

import "github.com/lshclust/lshclust/bags"

// Doc is the flat form of one page.
type Doc struct {
	Text  []byte // visible text in UTF-8, with white space folded to one space and '\n' at the borders of block elements
	Words []Word // the words of Text in order, without those of the title
	Links []Link // in order of appearance
	Heads []Head // headings, in order of appearance
	Code  []Head // preformatted texts without level
	Frame []Head // menus and footers without level: what the page shares with others of its site
	Title []byte // text of <title> or, if that says nothing, og:title or the first h1; white space folded
	Base  string // first <base href>, raw
	Meta  Meta

	TitleIsHead bool // Title is a heading, whose words are in Words

	NoScript []byte // start of the markup in <noscript>, for Notice and Unscripted

	Language string   // language of the page as Analysis names it; "" if unknown or not wanted (see Auto)
	Likely   []string // if Language is unknown, those of which the page has the one that its host has
	Counted  int      // number of words, if Count counted them instead of listing them in Words
	CutWords int      // number of words beyond MaxWords, which are in Text only
	CutLinks int      // number of links beyond MaxLinks, which are left out
}

// MaxWords, MaxLinks and MaxTitle bound the memory and the time that a page takes.
const (
	MaxWords = 1 << 22
	MaxLinks = 1 << 17
	MaxTitle = 64 << 10 // bytes
)

// Head is one h1 to h6 element.
type Head struct {
	Level    int    // 1 to 6
	Above    int    // index of the last heading before it with a higher rank; -1 if there is none
	From, To uint32 // Words[From:To]
}

// Word is one word of the visible text.
type Word struct {
	From, To uint32 // place in Doc.Text
	Block    uint32 // number of its block element, in the order of the page
	Term     bags.Term
}

// Link is one hyperlink with the words of its anchor.
type Link struct {
	Href     string // raw attribute value, entities decoded
	Rel      string // raw rel attribute
	From, To uint32 // the anchor is Words[From:To], empty if the link has no words
	Byte     uint32 // offset in Text where the anchor begins
	EndByte  uint32 // and ends
	Block    uint32
	Bare     bool // it has no words: a frame, or a link that is not shown
	Embedded bool // the page of an <iframe>
}

func (d *Doc) reset() {
	*d = Doc{Text: d.Text[:0], NoScript: d.NoScript[:0], Words: d.Words[:0], Links: d.Links[:0], Heads: d.Heads[:0], Code: d.Code[:0],
		Frame: d.Frame[:0], Title: d.Title[:0], Meta: Meta{Alternates: d.Meta.Alternates[:0]}}
}

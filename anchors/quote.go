package anchors

import (
	"bytes"
	"unicode/utf8"

	"github.com/lshclust/lshclust/crawl/text"
)

// The number of bytes that quote keeps of a linking sentence.
const (
	quoteSide   = 120
	quoteAnchor = 120
)

// quoteReach is the distance from the link within which quote looks for its sentence. It exceeds what quote keeps, so
// that a cut is noticed, and it is bounded, because a page of 100,000 links may be one block of text.
const quoteReach = 4 * quoteSide

// quote sets the linking sentence of the fragment, and the heading before it.
func (e *Extractor) quote(doc *text.Doc, l *text.Link) {
	e.frag.Before, e.frag.Anchor, e.frag.After = Sentence(doc.Text, l.Byte, l.EndByte)
	e.frag.Head = headBefore(doc, l)
}

// Sentence returns the text of the block around t[from:to], shortened. If the block has no other text, it takes the next
// block, as in a definition list.
func Sentence(t []byte, from, to uint32) (left, anchor, right []byte) {
	before, after := t[max(0, int(from)-quoteReach):from], t[to:min(len(t), int(to)+quoteReach)]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	line, rest, _ := bytes.Cut(after, []byte("\n"))
	if len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(line)) == 0 {
		line, _, _ = bytes.Cut(rest, []byte("\n"))
	}
	return tail(bytes.TrimSpace(before), quoteSide), head(bytes.TrimSpace(t[from:to]), quoteAnchor), head(bytes.TrimSpace(line), quoteSide)
}

// head returns at most the first n bytes of s, cut between words if possible.
func head(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	s = s[:n]
	if i := bytes.LastIndexByte(s, ' '); i > n/2 {
		return s[:i]
	}
	for len(s) > 0 && !utf8.RuneStart(s[len(s)-1]) {
		s = s[:len(s)-1]
	}
	return s[:max(0, len(s)-1)]
}

// tail returns at most the last n bytes of s, cut between words if possible.
func tail(s []byte, n int) []byte {
	if len(s) <= n {
		return s
	}
	s = s[len(s)-n:]
	if i := bytes.IndexByte(s, ' '); i >= 0 && i < n/2 {
		return s[i+1:]
	}
	for len(s) > 0 && !utf8.RuneStart(s[0]) {
		s = s[1:]
	}
	return s
}

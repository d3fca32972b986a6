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

// quote sets the linking sentence of the fragment: the text of the anchor's block, shortened. If the block holds only
// the link, quote takes the next block, as in a definition list.
func (e *Extractor) quote(doc *text.Doc, l *text.Link) {
	t := doc.Text
	before, after := t[max(0, int(l.Byte)-quoteReach):l.Byte], t[l.EndByte:min(len(t), int(l.EndByte)+quoteReach)]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	line, rest, _ := bytes.Cut(after, []byte("\n"))
	if len(bytes.TrimSpace(before)) == 0 && len(bytes.TrimSpace(line)) == 0 {
		line, _, _ = bytes.Cut(rest, []byte("\n"))
	}
	e.frag.Before = tail(bytes.TrimSpace(before), quoteSide)
	e.frag.Anchor = head(bytes.TrimSpace(t[l.Byte:l.EndByte]), quoteAnchor)
	e.frag.After = head(bytes.TrimSpace(line), quoteSide)
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

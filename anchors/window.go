// Package anchors collects the words that other pages use about a page: the words in windows around the links to it
// ([S3] section 3.1).
//
// An [Extractor] turns one parsed page into fragments, one for each URL that the page links to: the terms of the anchor
// and of the words around it, each with a weight. If several links of a page point at one URL, the fragment is the
// union of their windows, so that a word of the page counts once for that URL however many links are near it. A page
// contributes one more fragment to its own bag: the words of its title and the terms that it uses most or, for content
// bags, all of its words.
//
// The package writes each fragment as a [Record] into a partition, chosen by the hash of the target's URL.
// [Grouping.Groups] reads one partition and yields a [Group], all fragments about a URL, for each URL in the order of
// the hashes.
//
// Weights are whole multiples of 1/bags.Unit, so that sums do not depend on the order of the summands. Callers must
// keep them whole until all fragments of a target are together.
//
// [S3] is Haveliwala, Gionis, Indyk: Scalable Techniques for Clustering the Web, 2000; [S4] is Haveliwala, Gionis,
// Klein, Indyk: Evaluating Strategies for Similarity Search on the Web, 2002.
package anchors

import (
	"bytes"
	"cmp"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/scratch"
	"github.com/lshclust/lshclust/internal/sets"
)

// MaxAnchor is the number of words that a fragment takes from an anchor. More words of a link around a whole page would
// say no more about its target.
const MaxAnchor = 100

// Damping says how the weight of a word depends on its distance from the link.
type Damping string

// The dampings.
const (
	NoDamping  Damping = "none" // all words of the window have the same weight
	LogDamping Damping = "log"  // log2(1+Width/(1+d)) for the word at distance d, which is 0 in the anchor [S4]
)

// Window says which words around a link belong to it, and with what weights.
type Window struct {
	Width   int // words on each side, 0 to 1000
	Damping Damping
	Border  float64 // factor for words outside the block of the anchor, 0 to 1: 1 ignores the border of the block, 0 ends the window there
	Heads   int     // number of headings above the link, from the nearest up, that weigh as much as the anchor
}

// weights returns the weights at the distances 0 (the anchor) to Width, inside the block and beyond its border.
func (w Window) weights() (inside, beyond []uint64) {
	for d := 0; d <= w.Width; d++ {
		x := 1.0
		if w.Damping == LogDamping {
			x = math.Log2(1 + float64(max(w.Width, 1))/float64(1+d))
		}
		inside = append(inside, uint64(math.Round(x*bags.Unit)))
		beyond = append(beyond, uint64(math.Round(x*w.Border*bags.Unit)))
	}
	return inside, beyond
}

// Fragment is the contribution of one page to the bag of one target. Its slices are valid until the next fragment.
type Fragment struct {
	Target                string          // canonical URL
	Terms                 []bags.Weighted // distinct, in the order of the terms
	Before, Anchor, After []byte          // the linking sentence, shortened
	Head                  int             // 1 more than the index of the last heading before the link; 0 if there is none
}

// Extractor makes the fragments of pages. It is not safe for concurrent use.
type Extractor struct {
	inside, beyond []uint64
	heads          int
	best           []uint64 // the greatest weight of each word of the page for the current target
	touched        []uint32 // words whose best is set
	order          []int
	frag           Fragment
	more           []bags.Weighted
	tally          tally
	content        []bags.Weighted // the last result of Content
	room           *scratch.Pool
}

// NewExtractor returns an extractor for a valid window.
func NewExtractor(w Window) *Extractor {
	e := &Extractor{heads: w.Heads}
	e.inside, e.beyond = w.weights()
	return e
}

// Links calls fragment for each distinct target of the page, in the order of the targets. targets[i] is the canonical
// URL of doc.Links[i], or "" to ignore the link.
func (e *Extractor) Links(doc *text.Doc, targets []string, fragment func(*Fragment) error) error {
	e.order = e.order[:0]
	for i, t := range targets {
		if t != "" {
			e.order = append(e.order, i)
		}
	}
	slices.SortStableFunc(e.order, func(a, b int) int { return cmp.Compare(targets[a], targets[b]) })
	if n := len(doc.Words); len(e.best) < n && !e.termless() {
		e.best = scratch.Grow(e.room, []uint64(nil), n+n/2)[:n+n/2]
	}
	for links := range sets.Runs(e.order, func(a, b int) bool { return targets[a] == targets[b] }) {
		e.frag.Target = targets[links[0]]
		if !e.termless() {
			e.unite(doc, links)
		}
		e.frag.Before, e.frag.Anchor, e.frag.After, e.frag.Head = nil, nil, nil, 0
		if shown := slices.IndexFunc(links, func(l int) bool { return !doc.Links[l].Bare }); shown >= 0 {
			e.quote(doc, &doc.Links[links[shown]])
		}
		if err := fragment(&e.frag); err != nil {
			return err
		}
	}
	return nil
}

// Use makes the extractor take large buffers from room. The caller calls Release after each page, before it frees room.
func (e *Extractor) Use(room *scratch.Pool) { e.room = room }

// Release drops the buffers taken from the room.
func (e *Extractor) Release() {
	if e.room.Large() {
		e.best, e.touched, e.frag, e.more = nil, nil, Fragment{}, nil
	}
}

// Own returns the terms that a page contributes to its own bag, those of the given words: its title and perhaps all of
// its text. Each occurrence has the weight of an anchor. The result is valid until the next call.
func (e *Extractor) Own(words ...[]text.Word) []bags.Weighted {
	own := e.frag.Terms[:0]
	for _, some := range words {
		own = e.append(own, some)
	}
	e.frag.Terms = bags.Sum(own)
	return e.frag.Terms
}

// append appends the terms of words with the weight of an anchor.
func (e *Extractor) append(terms []bags.Weighted, words []text.Word) []bags.Weighted {
	for _, w := range words {
		if w.Term == 0 {
			continue
		}
		if len(terms) == cap(terms) {
			terms = scratch.Grow(e.room, terms, 1)
		}
		terms = append(terms, bags.Weighted{Term: w.Term, Weight: e.inside[0]})
	}
	return terms
}

// With returns terms and the terms of words, each of the latter once and with the weight of an anchor. The result is
// valid until the next call of any method.
func (e *Extractor) With(terms []bags.Weighted, words []text.Word) []bags.Weighted {
	e.more = e.append(e.more[:0], words)
	slices.SortFunc(e.more, func(a, b bags.Weighted) int { return cmp.Compare(a.Term, b.Term) })
	e.more = scratch.Append(e.room, slices.Compact(e.more), terms...)
	e.more = bags.Sum(e.more)
	return e.more
}

// unite sets the terms of the fragment to the union of the windows of some links.
func (e *Extractor) unite(doc *text.Doc, links []int) {
	e.touched = e.touched[:0]
	for _, i := range links {
		if !doc.Links[i].Bare {
			e.window(doc, &doc.Links[i])
		}
	}
	e.frag.Terms = scratch.Grow(e.room, e.frag.Terms[:0], len(e.touched))
	for _, w := range e.touched {
		e.frag.Terms = append(e.frag.Terms, bags.Weighted{Term: doc.Words[w].Term, Weight: e.best[w]})
		e.best[w] = 0
	}
	e.frag.Terms = bags.Sum(e.frag.Terms)
}

// window raises the weights of the words in and around one link.
func (e *Extractor) window(doc *text.Doc, l *text.Link) {
	from, to := int(l.From), int(l.To)
	for w := from; w < min(to, from+MaxAnchor); w++ {
		e.raise(doc, w, e.inside[0])
	}
	for d := 1; d < len(e.inside); d++ {
		if w := from - d; w >= 0 {
			e.raise(doc, w, e.at(doc, w, l.Block, d))
		}
		if w := to + d - 1; w < len(doc.Words) {
			e.raise(doc, w, e.at(doc, w, l.Block, d))
		}
	}
	if e.heads > 0 {
		e.headings(doc, l)
	}
}

// headings raises the weights of the words in the headings above a link, from the nearest up.
func (e *Extractor) headings(doc *text.Doc, l *text.Link) {
	i := headBefore(doc, l) - 1
	for n := 0; n < e.heads && i >= 0; n++ {
		h := doc.Heads[i]
		for w := h.From; w < min(h.To, h.From+MaxAnchor); w++ {
			e.raise(doc, int(w), e.inside[0])
		}
		i = h.Above
	}
}

// headBefore returns 1 more than the index of the last heading before a link, or in which it is.
func headBefore(doc *text.Doc, l *text.Link) int {
	i, _ := slices.BinarySearchFunc(doc.Heads, l.From, func(h text.Head, from uint32) int {
		if h.From <= from {
			return -1
		}
		return 1
	})
	return i
}

func (e *Extractor) at(doc *text.Doc, w int, block uint32, d int) uint64 {
	if doc.Words[w].Block == block {
		return e.inside[d]
	}
	return e.beyond[d]
}

func (e *Extractor) raise(doc *text.Doc, w int, weight uint64) {
	if doc.Words[w].Term == 0 || weight <= e.best[w] {
		return
	}
	if e.best[w] == 0 {
		if len(e.touched) == cap(e.touched) {
			e.touched = scratch.Grow(e.room, e.touched, 1)
		}
		e.touched = append(e.touched, uint32(w))
	}
	e.best[w] = weight
}

// termless reports whether the fragments have no terms. The weights of a window are never empty: the first is that of
// the anchor.
func (e *Extractor) termless() bool { return e.inside == nil }

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

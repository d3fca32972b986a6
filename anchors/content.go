package anchors

import (
	"cmp"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/text"
)

// The bounds of what Content takes from a page. On the manuals, neither more terms nor another weight of headings
// changes a figure by more than chance would: see lab/quality.md.
const (
	ContentWords = 1 << 15 // words at the beginning of the page
	ContentTerms = 100     // terms

	// Of a page in another language than English: a word has more forms, or is written in several terms. That is worth
	// .01 to .04 of the related pages of a manual, and costs nothing for most crawls.
	moreContentTerms = 250

	headingWeight = 4 // of a word in a heading, relative to other words
)

// Content returns the terms that a page uses most, at most ContentTerms of them or moreContentTerms, in the order of the
// terms. The weight of a term is the number of its words; a word in a heading counts four times, one in a menu or a footer
// not at all, unless the page has no others. If terms have the same weight, Content
// prefers the one that comes first on the page. The result is valid until the next call. An extractor without terms
// does not look at the words.
func (e *Extractor) Content(doc *text.Doc) []bags.Weighted {
	if e.termless() {
		return nil
	}
	e.count(doc, doc.Frame)
	if len(e.tally.used) == 0 {
		e.count(doc, nil)
	}
	most := ContentTerms
	if doc.Language != "" && doc.Language != "english" {
		most = moreContentTerms
	}
	e.content = e.tally.most(e.content[:0], most)
	return e.content
}

// count counts the terms of a page outside some parts of it.
func (e *Extractor) count(doc *text.Doc, frame []text.Head) {
	words := doc.Words[:min(len(doc.Words), ContentWords)]
	e.tally.reset(len(words))
	heads := doc.Heads
	for i, w := range words {
		if w.Term == 0 || within(&frame, i) {
			continue
		}
		n := uint64(1)
		if within(&heads, i) {
			n = headingWeight
		}
		e.tally.add(w.Term, n*bags.Unit)
	}
}

// footWords is the number of words at the end of a page that may be a footer without an element of its own, but at most half of
// all.
const footWords = 32

// Foot appends the terms of the last words of a page outside its menus and footers to dst, each once, as terms of content.
func Foot(dst []bags.Term, doc *text.Doc) []bags.Term {
	frames, left := doc.Frame, min(footWords, len(doc.Words)/2)
	for i := len(doc.Words) - 1; i >= 0 && left > 0; i-- {
		for len(frames) > 0 && int(frames[len(frames)-1].From) > i {
			frames = frames[:len(frames)-1]
		}
		if len(frames) > 0 && i < int(frames[len(frames)-1].To) {
			continue
		}
		left--
		if t := doc.Words[i].Term; t != 0 && !slices.Contains(dst, t.OfContent()) {
			dst = append(dst, t.OfContent())
		}
	}
	return dst
}

// within reports whether a word is in one of some parts of a page, which are in order. It drops those before the word.
func within(parts *[]text.Head, word int) bool {
	for len(*parts) > 0 && int((*parts)[0].To) <= word {
		*parts = (*parts)[1:]
	}
	return len(*parts) > 0 && int((*parts)[0].From) <= word
}

// tally adds up the weights of terms in a hash table with open addressing. Since terms are hashes, their last bits
// choose the slot.
type tally struct {
	slots []bags.Weighted // free if the weight is 0
	used  []uint32        // used slots, in the order in which their terms came
}

// reset empties the tally and makes room for n terms.
func (t *tally) reset(n int) {
	for _, i := range t.used {
		t.slots[i] = bags.Weighted{}
	}
	t.used = t.used[:0]
	size := max(64, len(t.slots))
	for size < 2*n {
		size *= 2
	}
	if len(t.slots) < size {
		t.slots = make([]bags.Weighted, size)
	}
}

func (t *tally) add(term bags.Term, weight uint64) {
	mask := uint64(len(t.slots) - 1)
	i := uint64(term) & mask
	for t.slots[i].Weight > 0 && t.slots[i].Term != term {
		i = (i + 1) & mask
	}
	if t.slots[i].Weight == 0 {
		t.slots[i].Term = term
		t.used = append(t.used, uint32(i))
	}
	t.slots[i].Weight += weight
}

// most appends the n heaviest terms to dst, in the order of the terms.
func (t *tally) most(dst []bags.Weighted, n int) []bags.Weighted {
	for _, i := range t.used {
		dst = append(dst, t.slots[i])
	}
	if len(dst) > n {
		slices.SortStableFunc(dst, func(a, b bags.Weighted) int { return cmp.Compare(b.Weight, a.Weight) })
		dst = dst[:n]
	}
	slices.SortFunc(dst, func(a, b bags.Weighted) int { return cmp.Compare(a.Term, b.Term) })
	return dst
}

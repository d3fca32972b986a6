package views

import (
	"cmp"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/sets"
)

// topPairs keeps the first most pairs in an order, and only one of those that are alike. The result does not depend
// on the order in which pairs are offered: the last kept pair only ever improves, so a pair that was rejected or
// displaced could never come back.
type topPairs struct {
	most  int
	order func(a, b ComparedPair) int
	alike func(a, b ComparedPair) bool
	best  []ComparedPair
}

func (t *topPairs) offer(p ComparedPair) {
	if len(t.best) == t.most && (t.most == 0 || t.order(p, t.best[t.most-1]) >= 0) {
		return
	}
	if i := slices.IndexFunc(t.best, func(k ComparedPair) bool { return t.alike(k, p) }); i >= 0 {
		if t.order(p, t.best[i]) >= 0 {
			return
		}
		t.best = slices.Delete(t.best, i, i+1)
	}
	t.best = sets.Insert(t.best, p, t.most, t.order)
}

func sameFamily(a, b ComparedPair) bool { return a.family == b.family }

// byLinks orders pairs by the number of links to the page with fewer links. Ties are broken by ids.
func byLinks(a, b ComparedPair) int {
	return cmp.Or(cmp.Compare(min(b.InLinksA, b.InLinksB), min(a.InLinksA, a.InLinksB)), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
}

// bySignificance orders the pairs of a corner, most significant first. Pairs with a page that no page links to come
// last: that the links to both differ means nothing. Ties are broken by ids.
func bySignificance(a, b ComparedPair) int {
	return cmp.Or(
		cmp.Compare(linked(b), linked(a)),
		cmp.Compare(b.significance, a.significance), cmp.Compare(b.contrast(), a.contrast()), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B),
	)
}

func linked(p ComparedPair) int {
	if p.Unlinked {
		return 0
	}
	return 1
}

// contrast returns how extreme a pair is in its corner: the difference of its similarities, or their distance from
// the middle.
func (p ComparedPair) contrast() float64 {
	switch p.Corner {
	case SameText:
		return p.Resemblance - p.Similarity
	case SameLinks:
		return p.Similarity - p.Resemblance
	case SameBoth:
		return (p.Similarity + p.Resemblance) / 2
	}
	return 1 - (p.Similarity+p.Resemblance)/2
}

// weigh returns the significance of a pair: its contrast times the amount of evidence. A similarity of 1 means little
// if the bags have one word, the text has one sentence, or a page has one link, or links from one host.
func (p ComparedPair) weigh() float64 {
	text, words, fewer := saturate(p.shingles, 100), saturate(p.terms, 8), 1.0
	if p.By == topics.ByLinks {
		fewer = saturate(int(min(p.InLinksA, p.InLinksB)), 2) * saturate(int(min(p.hostsA, p.hostsB)), 1)
	}
	switch p.Corner {
	case SameText:
		if p.Unlinked {
			return p.contrast() * text * saturate(int(max(p.InLinksA, p.InLinksB)), 2)
		}
		return p.contrast() * text * fewer
	case SameLinks:
		return p.contrast() * words * fewer
	case SameBoth:
		return p.contrast() * text * words * fewer
	}
	return p.contrast() * fewer
}

// saturate grows from 0 to 1 with n, and is one half for half.
func saturate(n, half int) float64 { return float64(n) / float64(n+half) }

// Histogram counts pairs by two similarities x and y from 0 to 1. Each axis has a bin for exactly 0, number 0, and then
// bins of equal width: (0, w), [w, 2w) … [1-w, 1].
type Histogram struct {
	Bins   int        // of equal width on an axis, not counting the bin for 0
	Counts [][]uint64 // Counts[x][y], Bins+1 each way
}

// NewHistogram returns an empty histogram with the given number of bins of equal width on each axis, at least 1.
func NewHistogram(bins int) *Histogram {
	h := &Histogram{Bins: max(1, bins)}
	h.Counts = make([][]uint64, h.Bins+1)
	for i := range h.Counts {
		h.Counts[i] = make([]uint64, h.Bins+1)
	}
	return h
}

// Add counts a pair.
func (h *Histogram) Add(x, y float64) { h.Counts[h.Bin(x)][h.Bin(y)]++ }

// Bin returns the number of the bin of a value. A value outside 0 to 1 is in the nearest bin, NaN in the bin for 0. A
// value on a border, such as 0.3, is in the bin above it, even if it was rounded down.
func (h *Histogram) Bin(v float64) int {
	if !(v > 0) {
		return 0
	}
	return 1 + min(h.Bins-1, int(math.Floor(min(v, 1)*float64(h.Bins)+1e-9)))
}

// From returns the lower border of a bin, which is 0 for the bins 0 and 1.
func (h *Histogram) From(bin int) float64 { return float64(max(0, bin-1)) / float64(h.Bins) }

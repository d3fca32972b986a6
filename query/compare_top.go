package query

import (
	"cmp"
	"slices"
)

// topPairs keeps the most telling pairs of a corner, one for each family, and no more than most. What it keeps does not
// depend on the order in which pairs are offered: the worst pair kept only ever gets better, so that a family that was
// turned out or away by it has lost for good with that pair.
type topPairs struct {
	most     int
	offered  uint64
	unlinked uint64
	kept     []ComparedPair
}

func (t *topPairs) offer(p ComparedPair) {
	t.offered++
	if p.Unlinked {
		t.unlinked++
	}
	if len(t.kept) == t.most && (t.most == 0 || compareTelling(p, t.kept[t.most-1]) >= 0) {
		return
	}
	if i := slices.IndexFunc(t.kept, func(k ComparedPair) bool { return k.family == p.family }); i >= 0 {
		if compareTelling(p, t.kept[i]) >= 0 {
			return
		}
		t.kept = slices.Delete(t.kept, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(t.kept, p, compareTelling)
	t.kept = slices.Insert(t.kept, at, p)
	t.kept = t.kept[:min(len(t.kept), t.most)]
}

// sorted returns the pairs, the most telling first.
func (t *topPairs) sorted() []ComparedPair { return append([]ComparedPair{}, t.kept...) }

// compareTelling orders pairs of one corner, the more telling first; ties by ids.
func compareTelling(a, b ComparedPair) int {
	return cmp.Or(
		cmp.Compare(b.telling, a.telling), cmp.Compare(b.contrast(), a.contrast()), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B),
	)
}

// contrast is how far a pair is in its corner: how far the similarities are apart, or from the middle.
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

// weigh is the contrast times what it rests on. A bag of one word that two pages share is similarity 1 and says little;
// so do a text of one sentence and a page that a single other one links to.
func (p ComparedPair) weigh() float64 {
	text, words := saturate(p.shingles, 100), saturate(p.terms, 8)
	links := func(n uint32) float64 {
		if !p.anchors {
			return 1
		}
		return saturate(int(n), 2)
	}
	fewer := links(min(p.InLinksA, p.InLinksB))
	switch p.Corner {
	case SameText:
		return p.contrast() * text * links(max(p.InLinksA, p.InLinksB))
	case SameLinks:
		return p.contrast() * words * fewer
	case SameBoth:
		return p.contrast() * text * words * fewer
	}
	return p.contrast() * fewer
}

// saturate goes from 0 to 1; it is one half at half.
func saturate(n, half int) float64 { return float64(n) / float64(n+half) }

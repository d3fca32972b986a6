package views

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
)

// Corner is a corner of the plane of both similarities, where the views clearly agree or disagree. Most pairs are in
// no corner.
type Corner string

// The corners.
const (
	SameText  Corner = "same-text"  // same text, different link context: mirrors, copies that nobody links to
	SameLinks Corner = "same-links" // same link context, different text: successors, rewrites, rivals
	SameBoth  Corner = "both"       // same text and same link context
	OtherBoth Corner = "neither"    // both differ: one view stored the pair near its floor
)

// Choices returns the corners.
func (Corner) Choices() []string { return sets.Strings(Corners) }

// Corners lists the corners.
var Corners = []Corner{SameText, SameLinks, SameBoth, OtherBoth}

// CompareOptions holds the bounds of the corners, and what Compare returns. [CompareDefaults] returns the
// defaults.
type CompareOptions struct {
	SameText   float64 `json:"same_text" doc:"texts are the same at this resemblance or more"`
	OtherText  float64 `json:"other_text" doc:"texts are different at this resemblance or less, unless one contains the other"`
	Contained  float64 `json:"contained" doc:"one text contains the other at this containment or more; above 1: never"`
	SameLinks  float64 `json:"same_links" doc:"link contexts are the same at this similarity or more"`
	OtherLinks float64 `json:"other_links" doc:"link contexts are different at this similarity or less"`

	Top  int                        `json:"-"` // number of pairs listed for each corner
	Each func(p ComparedPair) error `json:"-"` // called for every pair, in a fixed order; may be nil
}

// CompareBins is the number of bins of the histogram on each axis, besides the bin for 0.
const CompareBins = 10

// sameLinks is the least similarity at which a person would call two link contexts the same. The threshold of
// clusters may be lower.
const sameLinks = 0.2

// CompareDefaults returns the options that suit the configuration of the run. Texts are the same from the resemblance
// of the syntactic clusters on. Link contexts are the same from the similarity of the topical clusters on, but at
// least 0.2, and differ below the floor of the topical view.
func CompareDefaults(r *runs.Run) CompareOptions {
	o := CompareOptions{
		SameText: r.Config.Resemblance, OtherText: 0.1, Contained: r.Config.Containment,
		SameLinks: max(sameLinks, r.Config.Threshold), OtherLinks: r.Config.Floor, Top: 5,
	}
	o.OtherText = min(o.OtherText, o.SameText/2)
	o.OtherLinks = min(o.OtherLinks, o.SameLinks/2)
	return o
}

// ComparedPair is a pair of pages with its similarity in each view.
type ComparedPair struct {
	A  uint32    `json:"-"` // documents, A < B
	B  uint32    `json:"-"`
	By topics.By `json:"-"` // the field of the bags that Similarity compares: ByLinks or, if bags are made of content, ByContent
	runs.Pair
	Corner      Corner      `json:"corner,omitempty" enum:"same-text,same-links,both,neither" doc:"missing for a pair in no corner"`
	Similarity  float64     `json:"similarity" doc:"of the words around the links" least:"0" most:"1"`
	Resemblance float64     `json:"resemblance" doc:"of the texts, without boilerplate" least:"0" most:"1"`
	InLinksA    uint32      `json:"inlinks_a" doc:"pages that link to the first page"`
	InLinksB    uint32      `json:"inlinks_b"`
	Topical     bool        `json:"topical" doc:"whether the topical view stored the pair, or both have the same words"`
	Syntactic   bool        `json:"syntactic" doc:"whether the syntactic view stored the pair, or the pages are equal"`
	TooShort    bool        `json:"too_short" doc:"whether a text is too short for resemblance to mean anything; the pair is in no corner"`
	Unlinked    bool        `json:"unlinked" doc:"whether no page links to one of them"`
	Shared      []string    `json:"shared,omitempty" doc:"words that contribute most to the similarity; missing where all pairs are listed"`
	AInB        texts.Share `json:"a_in_b,omitzero" doc:"share of the shingles of the first page that the second has; missing if sketches do not tell it" least:"0" most:"1"`
	BInA        texts.Share `json:"b_in_a,omitzero" doc:"the other way round" least:"0" most:"1"`

	hostsA, hostsB  uint32 // hosts that link to the pages
	shingles, terms int    // numbers of shared shingles and terms
	significance    float64
	family          uint32
}

// Contained returns the larger share of one text that the other contains, or a negative number if it is unknown.
func (p *ComparedPair) Contained() float64 { return float64(max(p.AInB, p.BInA)) }

// Comparison is the result of comparing the two views of a run.
type Comparison struct {
	Options   CompareOptions `json:"bounds" doc:"of the corners"`
	Sketches  string         `json:"sketches,omitempty" doc:"that the run keeps, such as MOD_25: figures of texts are estimates"`
	Documents int            `json:"documents" doc:"in both views: pages that were crawled and have a bag"`
	Unlinked  int            `json:"unlinked" doc:"of these, pages that no page links to"`
	NoBag     int            `json:"no_bag" doc:"crawled pages that the topical view lacks"`
	NoPage    int            `json:"no_page" doc:"documents that the syntactic view lacks"`
	Agreement Agreement      `json:"agreement" doc:"of the topical clusters (a) with the syntactic ones (b)"`

	Pairs     uint64 `json:"compared" doc:"pairs, stored by either view"`
	Topical   uint64 `json:"topical_pairs" doc:"of these, stored by the topical view"`
	Syntactic uint64 `json:"syntactic_pairs" doc:"of these, stored by the syntactic view"`
	Both      uint64 `json:"both_pairs" doc:"of these, stored by both"`
	TooShort  uint64 `json:"too_short_pairs" doc:"of these, with a text too short to be compared; they are not in the histogram"`
	NotOpened uint64 `json:"not_opened" doc:"pairs of either view that are not compared because one with the same words or texts represents them"`
	Outside   uint64 `json:"outside" doc:"stored pairs with a document that is not in the other view"`

	Histogram *Histogram   `json:"-"` // x: similarity, y: resemblance
	Corners   []CornerList `json:"corners"`

	cells [CompareBins + 1][CompareBins + 1]topPairs
}

// CornerList describes the pairs in a corner.
type CornerList struct {
	Corner   Corner `json:"corner" enum:"same-text,same-links,both,neither"`
	Count    uint64 `json:"count"`
	Unlinked uint64 `json:"unlinked" doc:"of these, pairs with a page that no page links to"`

	most topPairs
}

// Most returns the most significant pairs of the corner, at most one for each family.
func (c *CornerList) Most() []ComparedPair { return c.most.best }

// mostCell is the number of pairs kept for each cell of the histogram.
const mostCell = 20

// Cell returns pairs of a cell of the histogram: those whose pages have the most links from other pages. A page is
// the first of one pair only.
func (x *Comparison) Cell(similarity, resemblance int) []ComparedPair {
	return x.cells[similarity][resemblance].best
}

// Compare compares the two views on the documents that are in both: how far their clusters agree, and every pair that
// either view stored, with its exact similarity in both. The similarity is that of the words around links, even if the
// bags have a field of content besides: pages with the same text have the same content.
//
// Pages with identical bags, and equal pages, are not all compared with one another: the first of them represents the
// others, and each of the others is compared with the first. The list of a corner has at most one pair for each
// family, which is the syntactic cluster of the first document where texts are the same, and otherwise its topical
// cluster. Ties are broken by ids. Besides the lists, Compare uses 24 bytes for each document, and 16 to 50 more
// while it compares the clusterings.
func Compare(ctx context.Context, r *runs.Run, o CompareOptions) (*Comparison, error) {
	for _, view := range []string{config.Topical, config.Syntactic} {
		if err := r.Need(view); err != nil {
			return nil, err
		}
	}
	v := newOverlay(r)
	x := &Comparison{
		Options: o, Sketches: runs.Sketches(r), Documents: len(v.topical), Unlinked: v.unlinked, NoBag: v.noBag, NoPage: v.noPage,
		Histogram: NewHistogram(CompareBins),
	}
	var err error
	if x.Agreement, err = Partitions(v.topical, v.syntactic); err != nil {
		return nil, err
	}
	for _, c := range Corners {
		x.Corners = append(x.Corners, CornerList{Corner: c, most: topPairs{most: o.Top, order: bySignificance, alike: sameFamily}})
	}
	err = v.compared(ctx, func(p ComparedPair) error {
		p.Corner = o.corner(p)
		if p.Corner != "" {
			p.significance, p.family = p.weigh(), v.family(p)
		}
		x.add(p)
		if o.Each != nil {
			return o.Each(p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	x.NotOpened, x.Outside = v.implied-x.Topical-x.Syntactic, v.outside
	return x, nil
}

func (o CompareOptions) corner(p ComparedPair) Corner {
	if p.TooShort {
		return ""
	}
	sameText, sameLinks := p.Resemblance >= o.SameText, p.Similarity >= o.SameLinks
	otherText := p.Resemblance <= o.OtherText && p.Contained() < o.Contained
	otherLinks := p.Similarity <= o.OtherLinks
	switch {
	case sameText && sameLinks:
		return SameBoth
	case sameText && otherLinks:
		return SameText
	case otherText && sameLinks:
		return SameLinks
	case otherText && otherLinks:
		return OtherBoth
	}
	return ""
}

// add counts a pair, and keeps it if it is among the first of its corner or cell.
func (x *Comparison) add(p ComparedPair) {
	x.Pairs++
	if p.Topical {
		x.Topical++
	}
	if p.Syntactic {
		x.Syntactic++
	}
	if p.Topical && p.Syntactic {
		x.Both++
	}
	if p.TooShort {
		x.TooShort++
		return
	}
	x.Histogram.Add(p.Similarity, p.Resemblance)
	cell := &x.cells[x.Histogram.Bin(p.Similarity)][x.Histogram.Bin(p.Resemblance)]
	cell.most, cell.order, cell.alike = mostCell, byLinks, func(a, b ComparedPair) bool { return a.A == b.A }
	cell.offer(p)
	if i := slices.Index(Corners, p.Corner); i >= 0 {
		c := &x.Corners[i]
		c.Count++
		if p.Unlinked {
			c.Unlinked++
		}
		c.most.offer(p)
	}
}

package query

import (
	"cmp"
	"context"
	"fmt"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/sites/compare"
)

// Corner is a corner of the plane of both similarities, where the views clearly agree or disagree.
type Corner uint8

// The corners. Most pairs are in none.
const (
	NoCorner  Corner = iota
	SameText         // same text, different link context: mirrors, copies that nobody links to
	SameLinks        // same link context, different text: successors, rewrites, rivals
	SameBoth         // same text and same link context
	OtherBoth        // neither is the same: one view stored the pair near its floor
)

// Corners lists the corners.
var Corners = [...]Corner{SameText, SameLinks, SameBoth, OtherBoth}

// String returns the name of the corner in tables.
func (c Corner) String() string {
	return [...]string{"", "same-text", "same-links", "both", "neither"}[c]
}

// MarshalText returns the name of the corner.
func (c Corner) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// CompareOptions are the bounds of the corners, and what Compare returns. [Run.CompareDefaults] returns the defaults.
type CompareOptions struct {
	SameText   float64 `json:"same_text"`   // texts are the same at this resemblance or more
	OtherText  float64 `json:"other_text"`  // texts are different at this resemblance or less, unless one contains the other
	Contained  float64 `json:"contained"`   // one text contains the other at this containment or more; above 1: never
	SameLinks  float64 `json:"same_links"`  // link contexts are the same at this similarity or more
	OtherLinks float64 `json:"other_links"` // link contexts are different at this similarity or less

	Top  int                        `json:"-"` // pairs listed for each corner
	Bins int                        `json:"-"` // of the histogram on each axis
	Each func(p ComparedPair) error `json:"-"` // called for every pair, in an order that is always the same; may be nil
}

// sameLinks is the smallest similarity at which a person would call two link contexts the same. Clusters may begin
// below.
const sameLinks = 0.2

// CompareDefaults returns the options that fit the configuration of the run. Texts are the same at the resemblance of
// the syntactic clusters. Link contexts are the same at the similarity of the topical clusters, but not below 0.2, and
// are different below the floor of the topical view.
func (r *Run) CompareDefaults() CompareOptions {
	o := CompareOptions{
		SameText: r.Config.Resemblance, OtherText: 0.1, Contained: r.Config.Containment,
		SameLinks: max(sameLinks, r.Config.Threshold), OtherLinks: r.Config.Floor, Top: 5, Bins: 10,
	}
	o.OtherText = min(o.OtherText, o.SameText/2)
	o.OtherLinks = min(o.OtherLinks, o.SameLinks/2)
	return o
}

// Validate returns an error for the first option that is out of range.
func (o CompareOptions) Validate() error {
	switch {
	case !(o.OtherText >= 0 && o.OtherText < o.SameText && o.SameText <= 1):
		return fmt.Errorf("resemblance of different and of same texts %g and %g: must be 0 to 1, the second larger", o.OtherText, o.SameText)
	case !(o.OtherLinks >= 0 && o.OtherLinks < o.SameLinks && o.SameLinks <= 1):
		return fmt.Errorf("similarity of different and of same link contexts %g and %g: must be 0 to 1, the second larger", o.OtherLinks, o.SameLinks)
	case !(o.Contained > 0):
		return fmt.Errorf("containment %g: must be above 0", o.Contained)
	case o.Top < 0 || o.Bins < 1 || o.Bins > 1000:
		return fmt.Errorf("top %d, %d bins: must be at least 0, and 1 to 1000", o.Top, o.Bins)
	}
	return nil
}

// ComparedPair is a pair of pages with its similarity in either view.
type ComparedPair struct {
	A             uint32  `json:"-"` // documents, A < B
	B             uint32  `json:"-"`
	URLA          string  `json:"url_a"`
	URLB          string  `json:"url_b"`
	Similarity    float64 `json:"similarity"`     // of the bags, exact
	Resemblance   float64 `json:"resemblance"`    // of the texts, exact unless the run keeps sketches, without boilerplate
	ContainmentAB float64 `json:"containment_ab"` // share of A's shingles that are in B; 0 if sketches do not tell it
	ContainmentBA float64 `json:"containment_ba"`
	InLinksA      uint32  `json:"inlinks_a"` // pages that link to A
	InLinksB      uint32  `json:"inlinks_b"`
	Topical       bool    `json:"topical"`   // the topical view stored the pair, or their bags are identical
	Syntactic     bool    `json:"syntactic"` // the syntactic view did, or the pages are equal
	TooShort      bool    `json:"too_short"` // a text is too short for resemblance to mean anything; the pair is in no corner
	Unlinked      bool    `json:"unlinked"`  // no page links to one of them: its bag is its own title
	Corner        Corner  `json:"corner"`

	Shared []string `json:"shared,omitempty"` // words of both bags, those that contribute most first; in the lists only

	shingles, terms int  // in common
	anchors         bool // bags are made of links
	significance    float64
	family          uint32
}

// Comparison holds the agreement of the two views of a run.
type Comparison struct {
	Options   CompareOptions    `json:"options"`
	Sketches  string            `json:"sketches,omitempty"` // of a run that keeps sketches, such as "MOD_25": figures of texts are estimates
	Documents int               `json:"documents"`          // in both views: pages that were crawled and have a bag
	Unlinked  int               `json:"unlinked"`           // of these, pages that no page links to: their bag is their own title
	NoBag     int               `json:"no_bag"`             // crawled pages without a bag
	NoPage    int               `json:"no_page"`            // documents with a bag that were not crawled
	Agreement compare.Agreement `json:"agreement"`          // of the topical clusters (A) with the syntactic ones (B)

	Pairs     uint64 `json:"pairs"`           // that were compared: stored by either view
	Topical   uint64 `json:"topical_pairs"`   // of these, stored by the topical view
	Syntactic uint64 `json:"syntactic_pairs"` // of these, stored by the syntactic view
	Both      uint64 `json:"both_pairs"`      // of these, stored by both
	TooShort  uint64 `json:"too_short_pairs"` // of these, with a text too short to be compared: not in the histogram

	// NotOpened counts, for each view, the pairs that were not compared because a pair of documents with the same bags,
	// or of pages with the same text, represents them. Outside counts the stored pairs with a document that is not in
	// the other view.
	NotOpened uint64 `json:"not_opened"`
	Outside   uint64 `json:"outside"`

	Histogram *compare.Histogram `json:"histogram"` // x: similarity, y: resemblance
	Corners   []CornerList       `json:"corners"`
}

// CornerList describes the pairs in a corner.
type CornerList struct {
	Corner Corner `json:"corner"`
	Count  uint64 `json:"count"`
	// Unlinked counts the pairs with a page that no page links to. In SameText that is a copy that nobody links to; in
	// the other corners the link context of that page is only its title.
	Unlinked uint64         `json:"unlinked"`
	Most     []ComparedPair `json:"most"` // the most significant pairs, one for each family
}

// compareWords is the number of shared words of a listed pair.
const compareWords = 6

// Compare compares the two views on the documents that are in both: how far their clusters agree, and every pair that
// either view stored, with its exact similarity in both.
//
// Compare does not compare all pages with identical bags, or all equal pages, with one another: the first of them
// represents the others, and each of the others is compared with the first. The list of a corner has one pair for each
// family, which is the syntactic cluster of the first document where the text is the same, and otherwise the topical
// one. Ties are decided by ids. Besides the lists, Compare takes 24 bytes for each document, and 16 to 50 more while it
// compares the clusterings.
func (r *Run) Compare(ctx context.Context, o CompareOptions) (*Comparison, error) {
	if err := cmp.Or(r.Need(config.Topical), r.Need(config.Syntactic), o.Validate()); err != nil {
		return nil, err
	}
	v := r.overlay()
	x := &Comparison{Options: o, Sketches: r.Sketches(), Documents: len(v.topical), Unlinked: v.unlinked, NoBag: v.noBag, NoPage: v.noPage, Histogram: compare.NewHistogram(o.Bins)}
	var err error
	if x.Agreement, err = compare.Partitions(v.topical, v.syntactic); err != nil {
		return nil, err
	}
	lists := make([]topPairs, len(Corners)+1)
	for i := range lists {
		lists[i].most = o.Top
	}
	err = v.compared(ctx, func(p ComparedPair) error {
		p.Corner = o.corner(p)
		x.count(p)
		if p.Corner != NoCorner {
			p.significance, p.family = p.weigh(), v.family(p)
			lists[p.Corner].offer(p)
		}
		if o.Each != nil {
			return o.Each(p)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	x.NotOpened, x.Outside = v.implied-x.Topical-x.Syntactic, v.outside
	for _, c := range Corners {
		x.Corners = append(x.Corners, CornerList{c, lists[c].offered, lists[c].unlinked, r.listed(lists[c].sorted())})
	}
	return x, nil
}

func (o CompareOptions) corner(p ComparedPair) Corner {
	if p.TooShort {
		return NoCorner
	}
	sameText, sameLinks := p.Resemblance >= o.SameText, p.Similarity >= o.SameLinks
	otherText := p.Resemblance <= o.OtherText && max(p.ContainmentAB, p.ContainmentBA) < o.Contained
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
	return NoCorner
}

func (x *Comparison) count(p ComparedPair) {
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
}

// listed fills in the shared words.
func (r *Run) listed(pairs []ComparedPair) []ComparedPair {
	for i, p := range pairs {
		pairs[i].Shared = r.Shared(p.A, p.B, compareWords)
	}
	return pairs
}

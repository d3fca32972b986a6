package moved

import (
	"slices"

	"github.com/lshclust/lshclust/internal/sets"
)

// How says why an anchor of a gone page corresponds to one of a new page.
type How string

// The ways to map an anchor, the surest first.
const (
	SameID      How = "id"      // the new page has the same id, so that a redirect without a fragment keeps it
	SameHeading How = "heading" // the headings have the same words
	SameText    How = "text"    // the sections share most of their text
	OnlyPage    How = "page"    // no section corresponds: the anchor leads to the new page as a whole
)

// Target is where an anchor of a gone page leads now.
type Target struct {
	Place int    // among the places of the page
	ID    string // empty: the page as a whole
	How   How
	Score float64 // share of the text of the old section that the new one has; for SameText its mean with the likeness of the headings
}

// Bounds of the mapping of anchors.
const (
	fewShingles = 5   // sections with fewer shingles are not recognised by their texts
	leastScore  = 0.5 // of SameText
	leastLike   = 0.6 // likeness of headings, unless most of the text is the same
	mostText    = 0.8 // share of the text with which the headings do not matter
)

// MapAnchor returns where an id of a gone page leads. old are the sections of the page, places those of each page that
// has its content now, the most probable place first. A heading without an id in the markup is taken to have the id
// that site generators make of its words.
func MapAnchor(id string, old []Section, places [][]Section) Target {
	at := slices.IndexFunc(old, func(s Section) bool { return slices.Contains(s.IDs, id) })
	if at < 0 { // a link that the page never kept
		return exactID(id, nil, places)
	}
	from := &old[at]
	if t := exactID(id, from, places); t.How == SameID {
		return t
	}
	best := Target{How: OnlyPage}
	for i, sections := range places {
		for j := range sections {
			to := &sections[j]
			if len(to.IDs) == 0 {
				continue
			}
			t := Target{i, to.IDs[0], OnlyPage, from.within(to)}
			likeness := Alike(from.Heading, to.Heading)
			switch mean := (t.Score + likeness) / 2; {
			case from.Heading != "" && from.Heading == to.Heading:
				t.How = SameHeading
			case mean >= leastScore && likeness >= leastLike || t.Score >= mostText:
				t.How, t.Score = SameText, mean
			}
			if t.surer(best) {
				best = t
			}
		}
	}
	return best
}

// surer reports whether a target is to be preferred to another one.
func (t Target) surer(other Target) bool {
	rank := func(h How) int { return slices.Index([]How{SameID, SameHeading, SameText, OnlyPage}, h) }
	if rank(t.How) != rank(other.How) {
		return rank(t.How) < rank(other.How)
	}
	return t.How != OnlyPage && t.Score > other.Score
}

// exactID returns the place that has an id itself, or else the first place as a whole. If several have it, the one whose
// section has most of the text wins.
func exactID(id string, from *Section, places [][]Section) Target {
	best := Target{How: OnlyPage}
	for i, sections := range places {
		for j := range sections {
			to := &sections[j]
			if !slices.Contains(to.IDs, id) {
				continue
			}
			t := Target{Place: i, ID: id, How: SameID}
			if from != nil {
				t.Score = from.within(to)
			}
			if t.surer(best) {
				best = t
			}
		}
	}
	return best
}

// within returns the share of the text of a section that another one has.
func (s *Section) within(other *Section) float64 {
	if len(s.text) < fewShingles {
		return 0
	}
	return float64(sets.Common(s.text, other.text)) / float64(len(s.text))
}

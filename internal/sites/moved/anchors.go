package moved

import (
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/internal/sets"
)

// How says why an anchor of a gone page corresponds to a new one.
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
	Score float64 // share of the old text in the new section; for SameText, its mean with the likeness of headings
}

// Bounds of the mapping of anchors.
const (
	fewShingles = 5   // sections with fewer shingles are not recognised by their text
	leastScore  = 0.5 // of SameText
	leastLike   = 0.6 // likeness of headings, unless most of the text is the same
	mostText    = 0.8 // share of the text from which the headings do not matter

	// A heading may occur on a page many times, such as "Syntax" below each command. The n-th one corresponds to the
	// n-th on the new page, unless another section with the heading has so much more of the text.
	muchMore = 0.25
)

// MapAnchor returns where an id of a gone page leads. old are the sections of the page, places the sections of each
// page that now has its content, the most probable page first. If a heading has no id in the markup, MapAnchor assumes
// the id that site generators make of its words.
func MapAnchor(id string, old []Section, places [][]Section) Target {
	at := slices.IndexFunc(old, func(s Section) bool { return s.index(id) >= 0 })
	if at < 0 { // a link that never worked
		return exactID(id, nil, places)
	}
	from := &old[at]
	if t := exactID(id, from, places); t.How == SameID {
		return t
	}
	best, bonus := Target{How: OnlyPage}, 0.0
	nth := repeated(old, at)
	for i, sections := range places {
		for j := range sections {
			to := &sections[j]
			if len(to.IDs) == 0 {
				continue
			}
			t, own := Target{i, to.IDs[0], OnlyPage, from.within(to)}, 0.0
			likeness := Alike(from.Heading, to.Heading)
			switch mean := (t.Score + likeness) / 2; {
			case from.Heading != "" && from.Heading == to.Heading:
				t.How = SameHeading
				if repeated(sections, j) == nth {
					own = muchMore
				}
			case mean >= leastScore && likeness >= leastLike || t.Score >= mostText:
				t.How, t.Score = SameText, mean
			}
			if t.surer(best, own-bonus) {
				best, bonus = t, own
			}
		}
	}
	return best
}

// repeated returns the number of earlier sections with the same heading.
func repeated(sections []Section, at int) (n int) {
	for i := range sections[:at] {
		if sections[i].Heading == sections[at].Heading {
			n++
		}
	}
	return n
}

// surer reports whether to prefer a target to another one. bonus is added to the score if the two were found in the
// same way.
func (t Target) surer(other Target, bonus float64) bool {
	rank := func(h How) int { return slices.Index([]How{SameID, SameHeading, SameText, OnlyPage}, h) }
	if rank(t.How) != rank(other.How) {
		return rank(t.How) < rank(other.How)
	}
	return t.How != OnlyPage && t.Score+bonus > other.Score
}

// exactID returns the place with the exact id, or else the first place as a whole. If several have it, the one whose
// section has most of the text wins.
func exactID(id string, from *Section, places [][]Section) Target {
	best := Target{How: OnlyPage}
	for i, sections := range places {
		for j := range sections {
			to := &sections[j]
			if !to.has(id, from) {
				continue
			}
			t := Target{Place: i, ID: id, How: SameID}
			if from != nil {
				t.Score = from.within(to)
			}
			if t.surer(best, 0) {
				best = t
			}
		}
	}
	return best
}

// Has reports whether a page with some sections has an id. Every page has the id top, in any case: browsers scroll to its beginning.
func Has(page []Section, id string) bool {
	return strings.EqualFold(id, "top") || exactID(id, nil, [][]Section{page}).How == SameID
}

// index returns the index of an id of a section, as it is or decoded, as browsers look for a fragment, or -1.
func (s *Section) index(id string) int {
	return slices.IndexFunc(s.IDs, func(own string) bool { return own == id || ascii.Unescaped(own) == id })
}

// has reports whether a section of a new page has an id of the section from. If the old page shows how its generator
// makes ids unique, has does not assume the other way for the new page.
func (s *Section) has(id string, from *Section) bool {
	at := s.index(id)
	return at == 0 || at > 0 && (at >= s.made || from != nil && from.Made)
}

// within returns the share of the text of a section that another one has.
func (s *Section) within(other *Section) float64 {
	if len(s.text) < fewShingles {
		return 0
	}
	return float64(sets.Common(s.text, other.text)) / float64(len(s.text))
}

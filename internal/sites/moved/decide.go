package moved

import (
	"cmp"
	"math"
	"slices"
)

// Kind says what happened to the content of a gone page.
type Kind uint8

// The kinds of verdicts.
const (
	Gone      Kind = iota // it is nowhere
	Moved                 // it has a new URL
	Merged                // a page with other content contains it
	Split                 // several new pages contain it
	Succeeded             // a page that existed before, with another text, took its place
)

// Kinds lists the kinds.
var Kinds = [...]Kind{Moved, Merged, Split, Succeeded, Gone}

// String returns the name of the kind in tables.
func (k Kind) String() string {
	return [...]string{"gone", "moved", "merged into", "split into", "succeeded by"}[k]
}

// MarshalText returns the name of the kind.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Candidate is a page of the newer crawl that may have the content of a gone page.
type Candidate struct {
	Page   uint32 // number of the page
	Folder string // host and path above the last segment
	Evidence
}

// Page is a gone page with its candidates.
type Page struct {
	Page       uint32
	Folder     string
	Candidates []Candidate
}

// Place is a page of the newer crawl, the probability that it has the content of a gone page, and the evidence for it.
type Place struct {
	Page       uint32
	Confidence float64
	Evidence
}

// Verdict says where the content of a gone page went.
type Verdict struct {
	Page       uint32
	Kind       Kind
	Confidence float64 // probability that the verdict names the right page, or that there is none
	Places     []Place // where the content is: one, or several if the page was split; none if it is gone
	Others     []Place // the other candidates, the most probable first
}

// Bounds of the verdicts.
const (
	least      = 0.5  // the least confidence for saying that content is at a candidate
	contained  = 0.5  // a page contains another if it has at least this share of its text
	pieceOfOld = 0.1  // a piece of a split page has at least this share of its text
	wholeOfOld = 0.75 // a page with at least this share of the text has it all: nothing was split
	otherText  = 0.1  // two texts are different if less than this share of either is in the other
	mostPieces = 10   // pieces of a split page
	disjoint   = 0.9  // pieces have different texts if together they have at least this share of the sum
	mostGone   = 0.84 // of the surest verdicts "gone" on three sites with redirect files this share is right: 27 of 32, by lab moves -sites
)

// Decide relates the pages and gives each a verdict, in the order of the pages. covered returns the share of the text
// of a gone page that some candidates have together.
func (m *Model) Decide(pages []Page, covered func(page uint32, candidates []uint32) float64) []Verdict {
	m.Relate(pages)
	d := decision{
		pages: pages, covered: covered, utilities: make([][]float64, len(pages)), raw: make([][]float64, len(pages)),
		owner: map[uint32]int{}, contains: map[uint32]int{},
	}
	for i := range pages {
		d.utilities[i] = m.utilities(&pages[i])
		d.raw[i] = probabilities(nil, d.utilities[i])
	}
	d.assign()
	out := make([]Verdict, len(pages))
	for i := range pages {
		out[i] = d.verdict(i)
	}
	return out
}

func (m *Model) utilities(p *Page) []float64 {
	u := make([]float64, len(p.Candidates))
	for i := range p.Candidates {
		u[i] = m.utility(&p.Candidates[i].Evidence)
	}
	return u
}

// decision is the state of Decide.
type decision struct {
	pages     []Page
	covered   func(page uint32, candidates []uint32) float64
	utilities [][]float64
	raw       [][]float64    // probabilities if there were no other gone pages
	assigned  []int          // place of the candidate that each page gets, or -1
	owner     map[uint32]int // the gone page that gets a candidate
	contains  map[uint32]int // for each candidate the number of gone pages whose text it contains
}

// assign assigns candidates to pages one to one, except for redirects: several URLs may redirect to one page.
func (d *decision) assign() {
	offers := make([][]offer, len(d.pages))
	for i, p := range d.pages {
		for j, c := range p.Candidates {
			offers[i] = append(offers[i], offer{int(c.Page), d.utilities[i][j]})
			if c.OfOld >= contained {
				d.contains[c.Page]++
			}
		}
		if slices.ContainsFunc(p.Candidates, func(c Candidate) bool { return c.Redirect }) {
			offers[i] = nil
		}
	}
	d.assigned = assign(offers)
	for i, j := range d.assigned {
		if j >= 0 {
			d.owner[d.pages[i].Candidates[j].Page] = i
		}
	}
}

// probable returns the probabilities of the candidates of a page. It lowers the utility of a candidate that another
// page gets by the probability of that.
func (d *decision) probable(i int) []float64 {
	p := d.pages[i]
	u := slices.Clone(d.utilities[i])
	for j, c := range p.Candidates {
		if other, taken := d.owner[c.Page]; taken && other != i && !c.Redirect {
			u[j] += logOf(1 - d.raw[other][d.assigned[other]])
		}
	}
	return probabilities(nil, u)
}

// verdict returns the verdict on one page.
func (d *decision) verdict(i int) Verdict {
	p, own := d.pages[i], d.probable(i)
	v := Verdict{Page: p.Page}
	left := 1.0
	for j, c := range p.Candidates {
		v.Others = append(v.Others, Place{c.Page, own[j], c.Evidence})
		left -= own[j]
	}
	v.Confidence = min(mostGone, max(0, left))
	slices.SortStableFunc(v.Others, func(a, b Place) int { return cmp.Compare(b.Confidence, a.Confidence) })
	if len(v.Others) == 0 {
		return v
	}
	if pieces := d.pieces(&v); pieces != nil {
		v.put(Split, pieces)
		return v
	}
	if at, confidence := d.merged(i, own); at >= 0 {
		c := p.Candidates[at]
		v.put(Merged, []Place{{c.Page, confidence, c.Evidence}})
		return v
	}
	if best := v.Others[0]; best.Confidence >= least {
		v.put(d.kind(best), []Place{best})
	}
	return v
}

// put moves the places into the verdict.
func (v *Verdict) put(k Kind, places []Place) {
	v.Kind, v.Places, v.Confidence = k, places, 0
	for _, p := range places {
		v.Confidence = max(v.Confidence, p.Confidence)
		v.Others = slices.DeleteFunc(v.Others, func(o Place) bool { return o.Page == p.Page })
	}
}

// taken reports whether another gone page than one gets the candidate.
func (d *decision) taken(page, candidate uint32) bool {
	other, taken := d.owner[candidate]
	return taken && d.pages[other].Page != page
}

// merged returns the place of the candidate that contains the text of page i in addition to other content, and the
// probability, or -1: the candidate with a proof of that, or else the most probable one. own are the probabilities of the
// candidates given the other pages.
func (d *decision) merged(i int, own []float64) (at int, confidence float64) {
	p, probable := &d.pages[i], greatest(d.raw[i])
	proofs := make([]float64, len(p.Candidates))
	for j := range proofs {
		proofs[j] = d.proof(p, &p.Candidates[j])
	}
	if at = greatest(proofs); proofs[at] >= contained && proofs[at] > d.raw[i][probable] {
		return at, proofs[at]
	}
	elsewhere := d.assigned[i] >= 0 && own[d.assigned[i]] >= least // the page probably moved to the candidate that it gets
	if d.raw[i][probable] >= least && d.holdsMore(p, &p.Candidates[probable], elsewhere) {
		return probable, d.raw[i][probable]
	}
	return -1, 0
}

// greatest returns the index of the greatest of some figures, and the first of equal ones.
func greatest(figures []float64) int { return slices.Index(figures, slices.Max(figures)) }

// proof returns the share of the text of a page that a candidate holds for certain in addition to other content: one that
// existed before and has gained the text, or a new one that another page gets and that has nearly all of the text.
func (d *decision) proof(p *Page, c *Candidate) float64 {
	switch {
	case c.Redirect:
		return 0
	case c.Fresh && c.OfOld >= wholeOfOld && c.OfNew < wholeOfOld && d.taken(p.Page, c.Page):
		return c.OfOld
	}
	return c.Gained
}

// holdsMore reports whether a candidate holds the text of a page and other content: it existed before, holds the texts of
// several pages, or another page gets it and this one went nowhere else.
func (d *decision) holdsMore(p *Page, c *Candidate, elsewhere bool) bool {
	more := !c.Fresh || d.contains[c.Page] > 1 && c.OfNew < contained || d.taken(p.Page, c.Page) && !elsewhere
	return more && c.OfOld >= contained && !c.Redirect
}

// pieces returns the pages that together have the text of a split page, or nil. Pieces have different parts of the
// text: pages from one template that each have half of it are not pieces.
func (d *decision) pieces(v *Verdict) (pieces []Place) {
	sum, most := 0.0, 0.0
	var ids []uint32
	for _, o := range v.Others {
		if o.Fresh && !o.Redirect && o.OfNew >= contained && o.OfOld >= pieceOfOld && len(pieces) < mostPieces && !d.taken(v.Page, o.Page) {
			pieces, ids = append(pieces, o), append(ids, o.Page)
			sum += o.OfOld
		}
		most = max(most, o.OfOld)
	}
	if len(pieces) < 2 || sum < contained || most >= wholeOfOld {
		return nil
	}
	together := d.covered(v.Page, ids)
	if together < disjoint*sum {
		return nil
	}
	slices.SortStableFunc(pieces, func(a, b Place) int { return cmp.Compare(b.OfOld, a.OfOld) })
	pieces[0].Confidence = max(pieces[0].Confidence, min(1, together))
	return pieces
}

// kind returns the kind of a verdict that names one page.
func (d *decision) kind(p Place) Kind {
	if !p.Fresh && !p.Redirect && max(p.OfOld, p.OfNew) < otherText {
		return Succeeded
	}
	return Moved
}

// logOf returns the logarithm of a probability, even if rounding made it 0 or less.
func logOf(p float64) float64 { return math.Log(max(p, math.SmallestNonzeroFloat64)) }

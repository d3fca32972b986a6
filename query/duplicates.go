package query

import (
	"cmp"
	"fmt"
	"iter"
	"slices"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// Duplicate is a page with much the same text as another one, "this".
type Duplicate struct {
	ID          uint32  `json:"-"`
	URL         string  `json:"url"`
	Relation    string  `json:"relation"`    // identical, lexical, shingle, similar, contained, or chain: in the cluster, without a pair
	Resemblance float64 `json:"resemblance"` // exact, boilerplate left out
	OfThis      float64 `json:"of_this"`     // share of this page's shingles that the other has
	OfOther     float64 `json:"of_other"`    // share of the other's shingles that this page has
	Estimate    float64 `json:"estimate"`    // of the resemblance, by the sketches; 1 for equal pages
	Samples     int     `json:"samples"`     // on which the estimate rests; 0 for equal pages

	// In a run that keeps sketches, the figures are estimates. Shares that the sketches do not tell are 0.
	Estimated bool    `json:"estimated,omitempty"`
	StdErr    float64 `json:"std_error,omitempty"` // of the resemblance
}

// page finds the page of a document, or tells why there is none.
func (r *Run) page(id uint32) (uint32, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return 0, err
	}
	page, ok := r.pages.Page(id)
	if !ok {
		return 0, r.notCrawled(id)
	}
	return page, nil
}

// notCrawled is the error for a document without a page.
func (r *Run) notCrawled(id uint32) error { return &notCrawledError{r.docs.URL(id)} }

// notCrawledError unwraps to ErrUnknown: as far as texts go, the run does not hold the document.
type notCrawledError struct{ url string }

func (e *notCrawledError) Error() string {
	return e.url + ": the run knows this URL only from links; its text is not in the crawl"
}

func (e *notCrawledError) Unwrap() error { return ErrUnknown }

// Duplicates returns the pages that equal a document, resemble it, contain it or are contained in it, and those that
// are in its cluster by a chain only: the most alike first, ties in the order of the ids.
func (r *Run) Duplicates(id uint32) ([]Duplicate, error) {
	this, err := r.page(id)
	if err != nil {
		return nil, err
	}
	out := map[uint32]Duplicate{}
	rep := r.equal.Representative(this)
	r.addEquals(out, this, rep)
	for p := range r.similar.Of(rep) {
		r.addSimilar(out, this, rep, p)
	}
	r.addChained(out, this)
	list := make([]Duplicate, 0, len(out))
	for _, d := range out {
		list = append(list, d)
	}
	slices.SortFunc(list, byResemblance)
	return list, nil
}

// equals yields the pages of one representative, itself too.
func (r *Run) equals(rep uint32) iter.Seq[uint32] {
	if r.byRep == nil {
		return func(yield func(uint32) bool) { yield(rep) }
	}
	return func(yield func(uint32) bool) {
		if !yield(rep) {
			return
		}
		for _, p := range r.byRep[rep] {
			if !yield(p) {
				return
			}
		}
	}
}

func (r *Run) addEquals(out map[uint32]Duplicate, this, rep uint32) {
	for p := range r.equals(rep) {
		if relation, ok := r.equal.Between(this, p); ok && p != this {
			r.add(out, p, identical(relation))
		}
	}
}

// addSimilar adds the other page of a pair, and those that equal it.
func (r *Run) addSimilar(out map[uint32]Duplicate, this, rep uint32, p resemble.Pair) {
	if p.A != rep {
		p = p.Swap()
	}
	d := r.figures(p)
	d.Relation, d.Samples = p.Relation(r.Config.Resemblance), p.Sample.Union()
	d.Estimate, _ = p.Estimate()
	for q := range r.equals(p.B) {
		r.add(out, q, d)
	}
}

// addChained adds what is in the cluster and in no pair with the page.
func (r *Run) addChained(out map[uint32]Duplicate, this uint32) {
	g, ok := r.joined.GroupOf(this)
	if !ok {
		return
	}
	_, members := r.joined.Group(g)
	for _, p := range members {
		if p == this {
			continue
		}
		if _, paired := out[p]; !paired {
			d := r.figures(r.pair(this, p))
			d.Relation = "chain"
			r.add(out, p, d)
		}
	}
}

func (r *Run) add(out map[uint32]Duplicate, page uint32, d Duplicate) {
	out[page] = r.named(d, page)
}

// Group is a syntactic cluster of two pages or more.
type Group struct {
	ID             string   `json:"cluster_id"`
	Representative string   `json:"representative"`
	Size           int      `json:"size"`          // pages
	Distinct       int      `json:"distinct"`      // that do not equal one another
	Chained        int      `json:"chained"`       // without a link to the representative
	Links          uint64   `json:"links"`         // pairs at the threshold, among the distinct
	Lowest         float64  `json:"lowest_link"`   // at a threshold above this it falls apart; 1 if all are equal
	DiameterLow    int      `json:"diameter"`      // links on the longest of the shortest paths, at least
	DiameterHigh   int      `json:"diameter_most"` // and at most
	URLs           []string `json:"urls,omitempty"`
}

// Groups returns the syntactic clusters of two pages or more, the largest first; with members if wanted.
func (r *Run) Groups(members bool) ([]Group, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	out := make([]Group, 0, r.joined.Groups())
	for i := range r.joined.Groups() {
		g, pages := r.joined.Group(i)
		out = append(out, r.group(g, pages, members))
	}
	sortGroups(out)
	return out, nil
}

func sortGroups(g []Group) {
	slices.SortFunc(g, func(a, b Group) int {
		return cmp.Or(cmp.Compare(b.Size, a.Size), cmp.Compare(a.Representative, b.Representative))
	})
}

func (r *Run) group(g resemble.Group, pages []uint32, members bool) Group {
	url := r.pageURL(g.Representative)
	out := Group{
		ID: tables.ClusterID(url), Representative: url, Size: g.Documents, Distinct: g.Distinct, Chained: g.Chained, Links: g.Links,
		Lowest: g.Lowest, DiameterLow: g.DiameterLow, DiameterHigh: g.DiameterHigh,
	}
	if members {
		for _, p := range pages {
			out.URLs = append(out.URLs, r.pageURL(p))
		}
	}
	return out
}

func (r *Run) pageURL(page uint32) string { return r.docs.URL(r.pages.Document(page)) }

// SameText tells whether two pages are in one syntactic cluster.
func (r *Run) SameText(a, b uint32) (bool, error) {
	x, err := r.page(a)
	if err != nil {
		return false, err
	}
	y, err := r.page(b)
	if err != nil {
		return false, err
	}
	return r.joined.Member(x).Representative == r.joined.Member(y).Representative, nil
}

// TextClusters returns for every document the representative of its syntactic cluster, itself for one that was not
// crawled.
func (r *Run) TextClusters() ([]uint32, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	out := make([]uint32, r.Len())
	for id := range out {
		out[id] = uint32(id)
	}
	for page := range uint32(r.pages.Len()) {
		id, of := r.pages.Document(page), r.pages.Document(r.joined.Member(page).Representative)
		if int64(max(id, of)) >= int64(len(out)) {
			return nil, fmt.Errorf("page %d is document %d, in a cluster with document %d, of %d; lshclust check tells more", page, id, of, len(out))
		}
		out[id] = of
	}
	return out, r.Err()
}

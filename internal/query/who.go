package query

import (
	"cmp"
	"slices"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/shingles"
)

// WhoOptions says which pages [Run.Who] lists.
type WhoOptions struct {
	Least    float64 // lists pages with a resemblance or a containment, either way, of at least Least,
	Words    int     // and pages that share at least so many words in a row with the text
	Hosts    int     // hosts at most; 0 for all
	Pages    int     // pages of a host at most; 0 for all
	Passages int     // passages of a page at most; 0 for none
}

// DefaultWho are the options of the command who.
var DefaultWho = WhoOptions{Least: 0.2, Words: 30, Hosts: 20, Pages: 5, Passages: 2}

// Holders is everyone who has a version of a text or a part of it: the contact list of [S1] section 5.
type Holders struct {
	Hosts     []HoldingHost // those with the largest part of the text first
	AllHosts  int           // also those that the options leave out
	Texts     int           // pages of all hosts, without their copies
	Copies    int           // pages that equal one of Texts of their host
	Size      int           // distinct shingles of the text
	Certainty Certainty     // what the list may miss
}

// HoldingHost is a host with pages that have the text or a part of it.
type HoldingHost struct {
	Host     string
	OfThis   float64   // largest share of the text that a page has
	Holders  []Holder  // those with the largest part of the text first
	Texts    int       // also those that the options leave out
	Copies   int       // pages that equal one of Texts
	From, To time.Time // when the first and the last of all these pages were fetched; zero if the crawl does not say
}

// Holder is a page that has the text or a part of it, and stands for the pages of its host that equal it. Of these it is
// the one that was fetched first. In its figures, this page is the text.
type Holder struct {
	Duplicate
	Copies   int       // other pages of the host that equal it
	From, To time.Time // when the first and the last of them were fetched
	Shared   int       // shingles of the text that the page has, or samples of them
	Passages []Passage // parts of the text that the page has, the longest first

	page uint32
}

// Passage is a part of a text: all words in a row that are in shared shingles. In a run that keeps sketches, few shingles
// of it are known to be shared.
type Passage struct {
	Start, End int // bytes of the text
	Words      int
	Text       string
}

// VisibleText returns the text of a page that is compared with those of the run. It belongs to the caller.
func (r *Run) VisibleText(page *crawl.Page) ([]byte, error) {
	parser, err := r.Parser()
	if err != nil {
		return nil, err
	}
	return slices.Clone(capture.Parse(parser, page).Text), nil
}

// DocumentText is VisibleText for a document of HTML or plain text, in any charset.
func (r *Run) DocumentText(document []byte) ([]byte, error) {
	page := crawl.Document(document)
	return r.VisibleText(&page)
}

// Who returns everyone who has a version of a text or a part of it. The text is visible text, without markup; see
// [Run.VisibleText]. Figures are exact unless the run keeps sketches. Boilerplate of a host is left out on both sides,
// unless the text is hardly more.
func (r *Run) Who(text []byte, o WhoOptions) (*Holders, error) {
	shingler, err := r.Shingler()
	if err != nil {
		return nil, err
	}
	set := shingles.NewSet()
	shingler.Sketch(set, text)
	found, err := r.Candidates(set)
	if err != nil {
		return nil, err
	}
	return r.holders(found, locate(shingler, text), tables.None, o), nil
}

// WhoHas is Who for the text of a page of the run, which is not listed itself. A run keeps no texts: without the visible
// text of the page, which [Run.Pages] reads from the inputs, there are no passages.
func (r *Run) WhoHas(id uint32, text []byte, o WhoOptions) (*Holders, error) {
	found, err := r.CandidatesOf(id)
	if err != nil {
		return nil, err
	}
	shingler, err := r.Shingler()
	if err != nil {
		return nil, err
	}
	page, _ := r.pages.Page(id)
	return r.holders(found, locate(shingler, text), page, o), nil
}

// copied is the pages of one host that equal each other.
type copied struct {
	host  uint32
	page  uint32 // that was fetched first
	pages int
	from  int64 // in milliseconds since 1970, 0 if unknown
	to    int64
}

// holders lists the candidates by host, without one page.
func (r *Run) holders(found *Candidates, text *located, without uint32, o WhoOptions) *Holders {
	out := &Holders{Size: found.Size(), Certainty: found.Certainty()}
	hosts := map[uint32]*HoldingHost{}
	for _, c := range r.copies(found.compared(), without) {
		h, ok := r.holding(found.document, text, c, o)
		if !ok {
			continue
		}
		host := hosts[c.host]
		if host == nil {
			host = &HoldingHost{Host: urls.Host(h.URL)}
			hosts[c.host] = host
		}
		host.add(h)
		out.Texts++
		out.Copies += h.Copies
	}
	out.AllHosts = len(hosts)
	for _, h := range hosts {
		slices.SortFunc(h.Holders, byShare)
		h.Holders = first(h.Holders, o.Pages)
		out.Hosts = append(out.Hosts, *h)
	}
	slices.SortFunc(out.Hosts, func(a, b HoldingHost) int {
		return cmp.Or(cmp.Compare(b.OfThis, a.OfThis), cmp.Compare(b.Texts, a.Texts), cmp.Compare(a.Host, b.Host))
	})
	out.Hosts = first(out.Hosts, o.Hosts)
	for _, h := range out.Hosts {
		for i := range h.Holders {
			if o.Passages > 0 {
				h.Holders[i].Passages = first(text.passages(r.shared(found.document, h.Holders[i].page)), o.Passages)
			}
		}
	}
	return out
}

// first returns at most n elements of a list, all for 0.
func first[T any](list []T, n int) []T {
	if n <= 0 {
		return list
	}
	return list[:min(n, len(list))]
}

// byShare orders holders by the share of the text that they have.
func byShare(a, b Holder) int {
	return cmp.Or(cmp.Compare(b.OfThis, a.OfThis), byResemblance(a.Duplicate, b.Duplicate))
}

// copies puts pages that equal each other and are on one host together, in the order of the first of them.
func (r *Run) copies(pages []uint32, without uint32) []copied {
	type key struct{ host, representative uint32 }
	var out []copied
	at := map[key]int{}
	for _, p := range pages {
		if p == without {
			continue
		}
		k := key{r.pages.Host(p), r.equal.Representative(p)}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, copied{host: k.host, page: p})
		}
		out[i].add(p, r.docs.Time(r.pages.Document(p)))
	}
	return out
}

// add adds a page that was fetched at a time.
func (c *copied) add(page uint32, at int64) {
	c.pages++
	if at == 0 {
		return
	}
	if c.from == 0 || at < c.from {
		c.from, c.page = at, page
	}
	c.to = max(c.to, at)
}

// holding compares a text with pages that equal each other. It returns false if they have too little of it.
func (r *Run) holding(document shingles.Stored, text *located, c copied, o WhoOptions) (h Holder, ok bool) {
	p := r.overlap(document, c.page)
	d := r.figures(p)
	if max(d.Resemblance, d.OfThis, d.OfOther) < o.Least && !r.longEnough(document, text, c.page, d.OfThis, o.Words) {
		return h, false
	}
	d.Relation = r.relation(d)
	return Holder{
		Duplicate: r.named(d, c.page), Copies: c.pages - 1, From: instant(c.from), To: instant(c.to), Shared: p.Overlap().Both, page: c.page,
	}, true
}

// add adds a holder of the host.
func (h *HoldingHost) add(x Holder) {
	h.Holders = append(h.Holders, x)
	h.Texts, h.Copies, h.OfThis = h.Texts+1, h.Copies+x.Copies, max(h.OfThis, x.OfThis)
	if !x.From.IsZero() && (h.From.IsZero() || x.From.Before(h.From)) {
		h.From = x.From
	}
	if x.To.After(h.To) {
		h.To = x.To
	}
}

// instant returns a time of the tables, the zero time if it is unknown.
func instant(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

package texts

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/shingles"
)

// WhoOptions choose the pages that [Who] lists.
type WhoOptions struct {
	By    string  `default:"page" enum:"page,host" value:"WHAT" doc:"list pages, or hosts with their pages; by host, copies on one host are counted and not listed"`
	Min   float64 `default:"0.2" most:"1" value:"R" doc:"list pages with a resemblance or a containment, either way, of at least this"`
	Limit int     `default:"20" least:"1" most:"1000" value:"N" doc:"list at most this many pages or hosts"` // 0 for all
	Words int     `default:"30" most:"1000" value:"N" doc:"by host, also list pages with this many words of the text in a row"`
	Pages int     `default:"5" least:"1" most:"20" value:"N" doc:"by host, list at most this many pages of a host"` // 0 for all

	Passages int // maximum number of passages of a page; 0 for none
}

// ByHost reports whether pages are grouped by host.
func (o WhoOptions) ByHost() bool { return o.By == "host" }

// Holders are the pages that contain a version of a text or a part of it ([S1] section 5), most similar first. By
// host, the hosts and the pages of each are sorted by the part of the text that they contain, largest first.
type Holders struct {
	Items     []Holder
	Hosts     int       // number by host, including hosts that the options leave out
	Texts     int       // number of pages without copies on their host, including those that are left out
	Copies    int       // by host, number of pages that equal one of Texts on their host
	Size      int       // number of distinct shingles of the text
	Certainty Certainty // what the list may miss
}

// Holder is a page that contains the text or a part of it. By host, it stands for the pages of its host that equal
// it, and is the one that was fetched first. In its figures, "this" page is the text.
type Holder struct {
	Host string `json:"host"`
	runs.Ref
	Relation    string    `json:"relation" doc:"shingle: the same shingles, or similar, contained, overlaps" enum:"shingle,similar,contained,overlaps"`
	Resemblance float64   `json:"resemblance" doc:"shared shingles divided by those of either, without boilerplate" least:"0" most:"1"`
	ThisInOther Share     `json:"this_in_other,omitzero" doc:"share of the shingles of the text that the page has; missing if sketches do not tell it" least:"0" most:"1"`
	OtherInThis Share     `json:"other_in_this,omitzero" doc:"share of the shingles of the page that the text has; missing if sketches do not tell it" least:"0" most:"1"`
	Samples     int       `json:"samples,omitempty" doc:"of sketches, on which the figures are based"`
	StdErr      float64   `json:"std_error,omitempty" doc:"of an estimated resemblance"`
	From        time.Time `json:"time,omitzero" doc:"when the page was fetched; missing if the crawl does not say"`
	To          time.Time `json:"last_time,omitzero" doc:"when the last of the page and its copies was fetched"`
	Copies      int       `json:"copies" doc:"pages of the host that equal it and are not listed"`
	HostPages   int       `json:"host_pages,omitempty" doc:"by host: number of such pages of the host, listed or not, without copies"`
	Shared      int       `json:"shared" doc:"shingles of the text that the page has, or samples of them"`
	Passages    []Passage `json:"passages,omitempty" doc:"parts of the text that the page has, the longest first, if they were asked for"`
	Label       string    `json:"page_label,omitempty" doc:"why the page is not content, such as not-found"`

	page    uint32
	figures Duplicate
}

// Passage is a part of a text: a longest sequence of words that are in shared shingles. In a run that keeps sketches,
// few shared shingles are known.
type Passage struct {
	Text  string `json:"text"` // words separated by one space
	Words int    `json:"words"`

	start, end int // byte offsets in the text
}

// Who returns the pages that contain a version of a text or a part of it. The text is visible text, without markup;
// see [runs.VisibleText]. Figures are exact unless the run keeps sketches. Boilerplate of a host is left out on both
// sides, unless the text is little else.
func Who(r *runs.Run, text []byte, o WhoOptions) (*Holders, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return nil, err
	}
	shingler, err := Shingler(r)
	if err != nil {
		return nil, err
	}
	set := shingles.NewSet()
	shingler.Sketch(set, text)
	return holdersOf(r, sketchOf(r, set), text, tables.None, o)
}

// WhoHas is like Who for the text of a page of the run, which is not listed itself. A run keeps no texts: unless the
// caller passes the visible text of the page, which [runs.ReadPages] reads from the inputs, there are no passages.
func WhoHas(r *runs.Run, id uint32, text []byte, o WhoOptions) (*Holders, error) {
	page, err := r.PageOf(id)
	if err != nil {
		return nil, err
	}
	return holdersOf(r, Stored(r, page, r.Pages.Values(page)), text, page, o)
}

// copied holds the pages of one host that equal each other.
type copied struct {
	page  uint32 // the page that was fetched first
	pages int
	from  int64 // in milliseconds since 1970, 0 if unknown
	to    int64
}

// holdersOf lists the pages that share most with a document, except one page.
func holdersOf(r *runs.Run, document shingles.Stored, text []byte, without uint32, o WhoOptions) (*Holders, error) {
	shingler, err := Shingler(r)
	if err != nil {
		return nil, err
	}
	at := &located{}
	if o.ByHost() || o.Passages > 0 {
		at = locate(shingler, text)
	}
	pages := Hits(r, document.Values)
	out := &Holders{Size: document.Size, Certainty: certainty(r, document.Values, len(pages))}
	for _, c := range groupCopies(r, first(pages, maxHits), without, o.ByHost()) {
		if h, ok := holding(r, document, at, c, o); ok {
			out.Items = append(out.Items, h)
			out.Copies += h.Copies
		} else if n := unlisted(r, document.Values, c.page, o.Min); n > 0 {
			out.Certainty.Stripped++
			out.Certainty.LeftOut = max(out.Certainty.LeftOut, n)
		}
	}
	out.Texts = len(out.Items)
	if o.ByHost() {
		out.Items, out.Hosts = byHost(out.Items, o)
	} else {
		slices.SortFunc(out.Items, func(a, b Holder) int { return byResemblance(a.figures, b.figures) })
		out.Items = first(out.Items, o.Limit)
	}
	for i := range out.Items {
		h := &out.Items[i]
		h.Ref = runs.RefOf(r, h.figures.ID)
		if o.Passages > 0 {
			h.Passages = first(at.passages(sharedWith(r, document, h.page)), o.Passages)
		}
	}
	return out, nil
}

// byHost returns the holders that the options select, grouped by host, and the number of all hosts.
func byHost(all []Holder, o WhoOptions) (out []Holder, hosts int) {
	of := map[string][]Holder{}
	for _, h := range all {
		of[h.Host] = append(of[h.Host], h)
	}
	for _, list := range of {
		slices.SortFunc(list, func(a, b Holder) int {
			return cmp.Or(cmp.Compare(b.ThisInOther, a.ThisInOther), byResemblance(a.figures, b.figures))
		})
	}
	order := slices.SortedFunc(maps.Keys(of), func(a, b string) int {
		return cmp.Or(cmp.Compare(of[b][0].ThisInOther, of[a][0].ThisInOther), cmp.Compare(len(of[b]), len(of[a])), cmp.Compare(a, b))
	})
	for _, host := range first(order, o.Limit) {
		list := of[host]
		for _, h := range first(list, o.Pages) {
			h.HostPages = len(list)
			out = append(out, h)
		}
	}
	return out, len(of)
}

// first returns at most n elements of a list, or all for 0.
func first[T any](list []T, n int) []T {
	if n <= 0 {
		return list
	}
	return list[:min(n, len(list))]
}

// groupCopies returns pages in order. If together is set, it groups equal pages of a host, in order of the first of them.
func groupCopies(r *runs.Run, pages []uint32, without uint32, together bool) []copied {
	type key struct{ host, representative uint32 }
	var out []copied
	at := map[key]int{}
	for _, p := range pages {
		if p == without {
			continue
		}
		k := key{r.Pages.Host(p), p}
		if together {
			k.representative = r.Equal.Representative(p)
		}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, copied{page: p})
		}
		out[i].add(p, r.Docs.Time(r.Pages.Document(p)))
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

// holding compares a text with pages that equal each other. It returns false if they contain too little of it.
func holding(r *runs.Run, document shingles.Stored, text *located, c copied, o WhoOptions) (h Holder, ok bool) {
	p := overlap(r, document, c.page)
	d := Figures(r, p)
	if d.Most() < o.Min && !(o.ByHost() && longEnough(r, document, text, c.page, float64(d.ThisInOther), o.Words)) {
		return h, false
	}
	d.Relation = relation(r, d)
	d = named(r, d, c.page)
	return Holder{
		Host: urls.Host(d.URL), Label: d.Label, Relation: d.Relation, Resemblance: d.Resemblance, ThisInOther: d.ThisInOther, OtherInThis: d.OtherInThis,
		Samples: d.Samples, StdErr: d.StdErr, From: runs.Instant(c.from), To: runs.Instant(c.to), Copies: c.pages - 1, Shared: p.Overlap().Both,
		page: c.page, figures: d,
	}, true
}

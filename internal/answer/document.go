package answer

import (
	"strings"
	"time"

	"github.com/lshclust/lshclust/internal/query"
)

// Bounds of what an answer shows.
const (
	mostCaptures  = 50
	mostRedirects = 50 // to a document
	mostQuotes    = 20
	mostAnchors   = 10
	mostShared    = 6 // words
)

// Name returns what a document is called: its title or, without one, the most common text of the links to it.
func Name(r *query.Run, id uint32) string {
	if title := strings.TrimSpace(r.Title(id)); title != "" {
		return title
	}
	for _, a := range r.IndexedAnchors(id, 1) {
		return a
	}
	return ""
}

// Document is what the run knows about a document.
type Document struct {
	URL       string     `json:"url" doc:"canonical"`
	Name      string     `json:"name" doc:"title or, without one, the most common text of the links to it"`
	Title     string     `json:"title" doc:"of the page; empty if it has none or was not crawled"`
	Crawled   bool       `json:"crawled" doc:"whether the crawl holds the page; otherwise it is only linked to"`
	InLinks   int        `json:"inlinks" doc:"pages that link to it"`
	InHosts   int        `json:"inlink_hosts" doc:"hosts of these pages"`
	Time      *time.Time `json:"time,omitempty" doc:"when the page was fetched; missing if the crawl does not say"`
	Words     int        `json:"words" doc:"of the visible text"`
	Language  string     `json:"language,omitempty" doc:"that the text seems to be in"`
	Label     string     `json:"label,omitempty" doc:"why the page is not content, such as not-found"`
	NoIndex   bool       `json:"noindex" doc:"whether the page asks search engines to leave it out; its text is not shown then"`
	NoSnippet bool       `json:"nosnippet" doc:"whether the page asks that its text not be shown elsewhere; it is not shown then"`
	Canonical string     `json:"canonical,omitempty" doc:"canonical URL that the page names, if it is another one"`
}

// DocumentOf returns what the run knows about a document.
func DocumentOf(r *query.Run, id uint32) Document {
	d := r.Document(id)
	return Document{
		URL: d.URL, Name: Name(r, id), Title: d.Title, Crawled: d.Crawled, InLinks: int(d.InLinks), InHosts: int(d.InHosts),
		Time: timeOf(d.Time), Words: int(d.Words), Language: d.Language, Label: d.Label, NoIndex: d.NoIndex, NoSnippet: d.NoSnippet, Canonical: d.Canonical,
	}
}

// timeOf returns a time as answers have it: nil if it is unknown.
func timeOf(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// QuotesOf returns sentences that link to a document. Those of pages that ask not to be indexed or quoted are left out.
func QuotesOf(r *query.Run, id uint32) []query.Quote {
	out := []query.Quote{}
	for _, q := range r.Quotes(id) {
		if id, err := r.Lookup(q.Source); err == nil && r.Hidden(id) {
			continue
		}
		if len(out) == mostQuotes {
			break
		}
		out = append(out, q)
	}
	return out
}

// TopicalMembership tells which topical cluster a document is in.
type TopicalMembership struct {
	ID         string   `json:"id" doc:"of the cluster, for /v1/cluster/{id}?view=topical"`
	Label      []string `json:"label" doc:"phrases that tell what the cluster is about, the best first; none for a cluster of one"`
	Center     string   `json:"center" doc:"URL of the document around which the cluster was formed"`
	Similarity float32  `json:"similarity" doc:"of the document to the center"`
}

// TopicalOf returns the topical cluster of a document, nil in a run without this view.
func TopicalOf(r *query.Run, id uint32) *TopicalMembership {
	if r.Need("topical") != nil {
		return nil
	}
	m := r.TopicalMembership(id)
	return &TopicalMembership{m.ID, list(m.Label), r.URL(m.Center), m.Similarity}
}

// SyntacticMembership tells which syntactic cluster a page is in.
type SyntacticMembership struct {
	ID             string `json:"id" doc:"of the cluster, for /v1/cluster/{id}?view=syntactic"`
	Representative string `json:"representative" doc:"URL of the page that represents the cluster"`
	Size           int    `json:"size" doc:"pages"`
}

// syntacticOf returns the syntactic cluster of a document, nil if it has no text in the run.
func syntacticOf(r *query.Run, id uint32) *SyntacticMembership {
	c, err := r.SyntacticCluster(id)
	if err != nil {
		return nil
	}
	return &SyntacticMembership{c.ID, r.URL(c.Representative), c.Size}
}

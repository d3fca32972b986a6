package query

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/internal/tables"
)

// Document describes a document of a run. Its strings point into the tables.
type Document struct {
	URL     string // canonical
	Title   string
	InLinks uint32 // pages that link to it
	InHosts uint32 // hosts of these pages

	// The rest is zero unless the document was crawled.
	Crawled   bool
	Time      time.Time // when the page was fetched, zero if the input does not say
	Digest    uint64    // of the decoded content
	Words     uint32    // of the visible text
	Language  string    // that the text seems to be in, empty if unknown
	Label     string    // reason why the page is not content, such as "not-found"; empty for content
	NoIndex   bool      // the page asks search engines to leave it out
	NoSnippet bool      // the page asks that none of its text be shown elsewhere
	Canonical string    // the canonical URL that the page names, if it is another one
}

// Document returns the description of a document.
func (r *Run) Document(id uint32) Document {
	d := r.docs.At(id)
	out := Document{
		URL: d.URL, Title: d.Title, InLinks: d.InLinks, InHosts: d.InHosts, Crawled: d.Crawled, Digest: d.Digest, Words: d.Tokens,
		Language: text.LanguageName(d.Language), Label: d.Label.String(), NoIndex: d.NoIndex, NoSnippet: d.NoSnippet, Canonical: d.Canonical,
	}
	if d.Time != 0 {
		out.Time = time.UnixMilli(d.Time).UTC()
	}
	return out
}

// Hidden reports whether the page of a document asks that its text not be shown to others.
func (r *Run) Hidden(id uint32) bool {
	d := r.docs.At(id)
	return d.NoIndex || d.NoSnippet
}

// URL returns the canonical URL of a document. The string points into the table.
func (r *Run) URL(id uint32) string { return r.docs.URL(id) }

// Title returns the title of the page of a document, "" without one. The string points into the table.
func (r *Run) Title(id uint32) string { return r.docs.Title(id) }

// Input returns the path of the input that holds the page of a document, as it is in the manifest. It is empty for a
// document that was not crawled.
func (r *Run) Input(id uint32) string {
	n := r.captures.Input(id)
	if n == tables.NoInput || int64(n) >= int64(len(r.Manifest.Inputs)) {
		return ""
	}
	return r.Manifest.Inputs[n].Path
}

// Quote is a sentence that links to a document.
type Quote struct {
	Source string `json:"source,omitempty" doc:"URL of the page that has the sentence; missing if the run does not hold it"`
	Before string `json:"before"`
	Anchor string `json:"anchor" doc:"text of the link"`
	After  string `json:"after"`
}

// Quotes returns the linking sentences that the run has kept for a document.
func (r *Run) Quotes(id uint32) []Quote {
	var out []Quote
	for _, q := range r.evidence.Of(id) {
		source := ""
		if s, ok := r.docs.ByHash(q.Source); ok {
			source = r.docs.URL(s)
		}
		out = append(out, Quote{Source: source, Before: string(q.Before), Anchor: string(q.Anchor), After: string(q.After)})
	}
	return out
}

// Anchors returns the anchor texts of the links to a document, at most top, the most common first. Ties are in the
// order of the texts, and texts that differ in case only count as one. Anchors sees the linking sentences that the run
// has kept, not every link.
func (r *Run) Anchors(id uint32, top int) []string {
	return r.anchors(id, top, func(uint64) bool { return true })
}

// IndexedAnchors is Anchors without the links of pages that ask not to be indexed or quoted.
func (r *Run) IndexedAnchors(id uint32, top int) []string {
	return r.anchors(id, top, func(source uint64) bool {
		s, ok := r.docs.ByHash(source)
		return !ok || !r.Hidden(s)
	})
}

// anchors returns the anchor texts of the links to a document on pages that are wanted, given the hashes of their URLs.
func (r *Run) anchors(id uint32, top int, wanted func(source uint64) bool) []string {
	type anchor struct {
		shown string
		n     int
	}
	found := map[string]*anchor{}
	for _, q := range r.evidence.Of(id) {
		s := strings.Join(strings.Fields(string(q.Anchor)), " ")
		if s == "" || !wanted(q.Source) {
			continue
		}
		a := found[strings.ToLower(s)]
		if a == nil {
			a = &anchor{shown: s}
			found[strings.ToLower(s)] = a
		}
		a.shown = min(a.shown, s)
		a.n++
	}
	all := make([]*anchor, 0, len(found))
	for _, a := range found {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *anchor) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.shown, b.shown)) })
	var out []string
	for _, a := range all[:min(len(all), top)] {
		out = append(out, a.shown)
	}
	return out
}

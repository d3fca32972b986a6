package runs

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/lshclust/lshclust/crawl/text"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/names"
)

// Ref says where a document is and what it is called. Rows of answers embed it.
type Ref struct {
	URL  string `json:"url" doc:"canonical"`
	Name string `json:"name" doc:"title or, without one, what links call it or the end of its path"`
	Seen string `json:"seen_url,omitempty" doc:"URL at which it was crawled, to visit it; missing if that is the canonical one, or it was not crawled"`
}

// Visit returns the URL at which people find the document.
func (r *Ref) Visit() string { return cmp.Or(r.Seen, r.URL) }

// Pair is the references to two documents. Rows of answers about pairs embed it.
type Pair struct {
	URLA  string `json:"url_a" doc:"canonical"`
	URLB  string `json:"url_b" doc:"canonical"`
	NameA string `json:"name_a" doc:"title or, without one, what links call it or the end of its path"`
	NameB string `json:"name_b"`
	SeenA string `json:"seen_url_a,omitempty" doc:"URL at which it was crawled, to visit it; missing if that is the canonical one, or it was not crawled"`
	SeenB string `json:"seen_url_b,omitempty"`
}

// PairOf returns a pair of references.
func PairOf(a, b Ref) Pair { return Pair{a.URL, b.URL, a.Name, b.Name, a.Seen, b.Seen} }

// RefOf returns the reference to a document. Its strings point into the tables.
func RefOf(r *Run, id uint32) Ref { return Ref{r.URL(id), r.NameOf(id), r.Docs.Seen(id)} }

// Document is what the run knows about a document. Its strings point into the tables. All but the first fields are
// zero unless the document was crawled.
type Document struct {
	Ref
	Title     string    `json:"title" doc:"of the page; empty if it has none or was not crawled"`
	Crawled   bool      `json:"crawled" doc:"whether the crawl holds the page; otherwise it is only linked to"`
	InLinks   uint32    `json:"inlinks" doc:"pages that link to it"`
	InHosts   uint32    `json:"inlink_hosts" doc:"hosts of these pages"`
	Time      time.Time `json:"time,omitzero" doc:"when the page was fetched; missing if the crawl does not say"`
	Words     uint32    `json:"words" doc:"of the visible text"`
	Language  string    `json:"language,omitempty" doc:"that the text seems to be in"`
	Label     string    `json:"page_label,omitempty" doc:"why the page is not content, such as not-found"`
	NoIndex   bool      `json:"noindex" doc:"whether the page asks search engines to leave it out; its text is not shown then"`
	NoSnippet bool      `json:"nosnippet" doc:"whether the page asks that its text not be shown elsewhere; it is not shown then"`
	Rendered  bool      `json:"rendered,omitempty" doc:"whether the text is the one that the browser of the crawler showed, and not that of the HTML"`
	Canonical string    `json:"canonical,omitempty" doc:"canonical URL that the page declares, if it is another one"`
	Opening   string    `json:"opening,omitempty" doc:"beginning of what the page says; missing if the page asks not to be indexed or quoted"`
	Digest    uint64    `json:"-"` // digest of the decoded content
}

// Document returns what the run knows about a document, except its name; see [RefOf].
func (r *Run) Document(id uint32) Document {
	d := r.Docs.At(id)
	return Document{
		Ref: Ref{URL: d.URL, Seen: d.Seen}, Title: d.Title, InLinks: d.InLinks, InHosts: d.InHosts, Crawled: d.Crawled, Digest: d.Digest, Words: d.Tokens,
		Language: text.LanguageName(d.Language), Label: d.Label.String(), NoIndex: d.NoIndex, NoSnippet: d.NoSnippet, Rendered: d.Rendered,
		Canonical: d.Canonical, Opening: d.Opening,
		Time: Instant(d.Time),
	}
}

// Instant converts a time of the tables. It returns the zero time if it is unknown.
func Instant(milliseconds int64) time.Time {
	if milliseconds == 0 {
		return time.Time{}
	}
	return time.UnixMilli(milliseconds).UTC()
}

// URL returns the canonical URL of a document. The string points into the table.
func (r *Run) URL(id uint32) string { return r.Docs.URL(id) }

// Seen returns a canonical URL as the crawl has it, or itself.
func (r *Run) Seen(url string) string { return cmp.Or(SeenAs(r, url), url) }

// SeenAs returns the URL at which a canonical URL was crawled, or "" if that is the same or it was not crawled.
func SeenAs(r *Run, url string) string {
	if id, ok := r.Docs.Find(url); ok {
		return r.Docs.Seen(id)
	}
	return ""
}

// SeenList returns canonical URLs as the crawl has them, or nil if it has all as they are.
func SeenList(r *Run, urls []string) (seen []string) {
	for i, url := range urls {
		as := SeenAs(r, url)
		if as != "" && seen == nil {
			seen = slices.Clone(urls)
		}
		if as != "" {
			seen[i] = as
		}
	}
	return seen
}

// NameOf returns what a document is called; see [names.Choose].
func (r *Run) NameOf(id uint32) string { return naming(r).Of(id) }

func naming(r *Run) tables.Naming {
	return tables.Naming{Documents: r.Docs, Evidence: r.Evidence}
}

// Input returns the path of the input that contains the page of a document, as in the manifest. It is empty for a
// document that was not crawled.
func (r *Run) Input(id uint32) string {
	n := r.Captures.Input(id)
	if n == tables.NoInput || int64(n) >= int64(len(r.Manifest.Inputs)) {
		return ""
	}
	return r.Manifest.Inputs[n].Path
}

// HostLinks is a host with pages that link to a document.
type HostLinks struct {
	Host  string `json:"host"`
	Pages int    `json:"pages"`
}

// mostSources is the number of linking pages that LinkingHosts looks at.
const mostSources = 1 << 12

// LinkingHosts returns at most most hosts with pages that link to a document, those with the most pages first. It counts
// the linking pages that the run has a document for; of a document with very many, it counts some.
func LinkingHosts(r *Run, id uint32, most int) []HostLinks {
	pages := map[string]int{}
	sources := r.Sources.Of(id)
	for _, hash := range sources[:min(len(sources), mostSources)] {
		if s, ok := r.Docs.ByHash(hash); ok {
			pages[urls.Host(r.Docs.URL(s))]++
		}
	}
	var out []HostLinks
	for host, n := range pages {
		out = append(out, HostLinks{host, n})
	}
	slices.SortFunc(out, func(a, b HostLinks) int { return cmp.Or(cmp.Compare(b.Pages, a.Pages), cmp.Compare(a.Host, b.Host)) })
	return out[:min(len(out), most)]
}

// Quote is a sentence that links to a document.
type Quote struct {
	Source string `json:"source,omitempty" doc:"URL of the page that has the sentence; missing if the run does not hold it"`
	Before string `json:"before"`
	Anchor string `json:"anchor" doc:"text of the link"`
	After  string `json:"after"`
}

// Quotes returns the linking sentences that the run kept for a document.
func Quotes(r *Run, id uint32) []Quote {
	var out []Quote
	for _, q := range r.Evidence.Of(id) {
		source := ""
		if s, ok := r.Docs.ByHash(q.Source); ok {
			source = r.Docs.URL(s)
		}
		out = append(out, Quote{Source: source, Before: string(q.Before), Anchor: string(q.Anchor), After: string(q.After)})
	}
	return out
}

// Anchors returns at most top texts of the links to a document that are not on pages that ask not to be indexed or quoted,
// most common first. It returns texts such as "here" or "next", which many documents have, only if there are no others. Ties
// are sorted by text, and texts with the same letters count as one. Anchors reads the linking sentences that the run kept,
// not every link.
func Anchors(r *Run, id uint32, top int) []string {
	type anchor struct {
		shown string
		n     int
		tells bool
	}
	found := map[string]*anchor{}
	for _, q := range naming(r).Quotes(id) {
		s := strings.Join(strings.Fields(string(q.Anchor)), " ")
		if s == "" {
			continue
		}
		name := cmp.Or(names.Of(s), s)
		a := found[name]
		if a == nil {
			a = &anchor{shown: s, tells: !r.Evidence.Common(name)}
			found[name] = a
		}
		a.shown = min(a.shown, s)
		a.n++
	}
	mostFirst := func(a, b *anchor) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.shown, b.shown)) }
	all := slices.SortedFunc(maps.Values(found), mostFirst)
	if slices.ContainsFunc(all, func(a *anchor) bool { return a.tells }) {
		all = slices.DeleteFunc(all, func(a *anchor) bool { return !a.tells })
	}
	var out []string
	for _, a := range all[:min(len(all), top)] {
		out = append(out, a.shown)
	}
	return out
}

// PageOf returns the page of a document, or an error that says why it has none.
func (r *Run) PageOf(id uint32) (uint32, error) {
	if err := r.Need(config.Syntactic); err != nil {
		return 0, err
	}
	page, ok := r.Pages.Page(id)
	if !ok {
		return 0, r.NotCrawled(id)
	}
	return page, nil
}

// NotCrawled returns the error for a document without a page. It may be printed after the table is closed.
func (r *Run) NotCrawled(id uint32) error {
	return &notCrawledError{strings.Clone(r.Docs.URL(id))}
}

// notCrawledError says that the run does not have the text of a document. It unwraps to ErrUnknown.
type notCrawledError struct{ url string }

func (e *notCrawledError) Error() string {
	return e.url + ": the run knows this URL only from links; its text is not in the crawl"
}

func (e *notCrawledError) Unwrap() error { return ErrUnknown }

// PageURLs returns the URLs of the pages of a run, sorted.
func PageURLs(r *Run) (urls []string) {
	for id := range uint32(r.Docs.Len()) {
		if r.There(id) {
			urls = append(urls, r.Docs.URL(id))
		}
	}
	slices.Sort(urls)
	return urls
}

// ClusterHolder returns the document that identifies a cluster: its center or its representative. The id of a cluster is the
// hash of the URL of this document.
func ClusterHolder(r *Run, id string) (uint32, error) {
	if hash, err := strconv.ParseUint(id, 16, 64); err == nil && len(id) == 16 {
		if d, ok := r.Docs.ByHash(hash); ok {
			return d, nil
		}
	}
	return 0, fmt.Errorf("%q: %w", id, ErrNoCluster)
}

// Declared returns the URLs that other pages declare as canonical, on the same host, or as versions in other languages.
func Declared(r *Run) map[string]bool {
	out := map[string]bool{}
	for id := range uint32(r.Docs.Len()) {
		d := r.Docs.At(id)
		if d.Canonical != "" && r.Docs.Crawled(id) && urls.Host(d.Canonical) == urls.Host(d.URL) {
			out[d.Canonical] = true
		}
		for line := range strings.Lines(d.Languages) {
			if _, url, ok := strings.Cut(strings.TrimSpace(line), " "); ok && url != d.URL {
				out[url] = true
			}
		}
	}
	return out
}

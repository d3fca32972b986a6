package answer

import (
	"context"
	"time"

	"github.com/lshclust/lshclust/internal/query"
)

// MovedAnswer tells where the content of a URL is, or what is nearest to it.
type MovedAnswer struct {
	Of         string          `json:"of" doc:"canonical URL that was asked about" row:"true"`
	Verdict    string          `json:"verdict,omitempty" doc:"what became of the page that an earlier run has at the URL; missing if none has or if it is there" enum:"moved,merged into,split into,succeeded by,gone" row:"true"`
	Confidence float64         `json:"confidence,omitempty" doc:"probability that the verdict is right" least:"0" most:"1"`
	Seen       []MovedSighting `json:"seen" doc:"what each run knows of the URL, the run of the oldest crawl first"`
	Items      []MovedItem     `json:"items" doc:"pages of the last run as they were found: the page itself or the end of its redirects, where the verdict says that its content is, what shares text with it, what the web talks about in the same words, similar URLs"`

	Lost *query.LostPage `json:"-"` // the verdict, nil if there is none
}

// MovedSighting is what a run knows of a URL.
type MovedSighting struct {
	Run      string     `json:"run"`
	Known    string     `json:"known" doc:"the text of a page, links to it, or nothing" enum:"page,links,nothing"`
	Name     string     `json:"name,omitempty" doc:"title of the page"`
	Time     *time.Time `json:"time,omitempty" doc:"when the page was fetched; missing if the crawl does not say"`
	Redirect string     `json:"redirect,omitempty" doc:"where the URL redirects"`
}

// MovedItem is a page that may have the content of a URL.
type MovedItem struct {
	URL   string   `json:"url"`
	Name  string   `json:"name" doc:"title or, without one, the most common text of the links to it"`
	How   string   `json:"how" doc:"how it was found: there: the run has a page at the URL; redirect; the verdict on the page that an earlier run has; text: it shares text with that page; links: the words around the links to both are alike; url: the URLs are alike" enum:"there,redirect,moved,merged into,split into,succeeded by,text,links,url"`
	Score float64  `json:"score" doc:"confidence of a verdict, resemblance, or similarity of the words around the links; 1 for a page that is there and for a redirect, 0 for a similar URL" least:"0" most:"1"`
	Why   []string `json:"why" doc:"the evidence, in words"`
}

// Moved tells where the content of a URL is in the last of some runs, which have names, with at most limit pages for each
// way to find one. The answer is not nil if the error is about what could not be read, and nil if the URL is none.
func Moved(ctx context.Context, runs *query.Crawls, names []string, url string, limit int) (*MovedAnswer, error) {
	found, err := runs.Find(ctx, url, limit)
	if found == nil {
		return nil, err
	}
	out := &MovedAnswer{Of: found.URL, Seen: []MovedSighting{}, Items: []MovedItem{}, Lost: found.Lost}
	if found.Lost != nil {
		out.Verdict, out.Confidence = found.Lost.Verdict.Kind.String(), found.Lost.Verdict.Confidence
	}
	for i, s := range found.Seen {
		out.Seen = append(out.Seen, MovedSighting{names[i], string(s.Known), s.Title, timeOf(s.Time), s.Redirect})
	}
	for _, p := range found.Pages {
		out.Items = append(out.Items, MovedItem{p.URL, Name(runs.Last(), p.ID), string(p.How), p.Score, list(p.Why)})
	}
	return out, err
}

// AnchorsAnswer tells where headings of gone pages, and what links point to within them, are now.
type AnchorsAnswer struct {
	Items []query.Anchor `json:"items"`
}

// Anchors returns the new places of the parts of gone pages. It reads the inputs of the runs again.
func Anchors(ctx context.Context, runs *query.Crawls, lost []query.LostPage) (*AnchorsAnswer, error) {
	anchors, err := runs.Anchors(ctx, lost)
	return &AnchorsAnswer{list(anchors)}, err
}

package api

import (
	"context"
	"time"
)

// Page is what the run knows about one document: what others say about it, and what it says itself.
type Page struct {
	Asked     string               `json:"asked" doc:"the URL as it was asked for; a redirect may have been followed"`
	Document  Document             `json:"document"`
	Anchors   []string             `json:"anchors" doc:"texts of the links to it, the most common first"`
	Quotes    []Quote              `json:"quotes" doc:"sentences that link to it"`
	Topical   *TopicalMembership   `json:"topical,omitempty" doc:"cluster by what others say about it; missing in a run without this view"`
	Syntactic *SyntacticMembership `json:"syntactic,omitempty" doc:"cluster by its text; missing if the run does not hold its text"`
	Captures  []Capture            `json:"captures" doc:"captures of the URL, in a run that keeps all"`
	From      []RedirectHere       `json:"redirects_here" doc:"URLs that the crawl redirects to the document, at most 50"`
	AllFrom   int                  `json:"all_redirects_here" doc:"number of such URLs"`
}

// RedirectHere is a URL that redirects to a document.
type RedirectHere struct {
	URL  string     `json:"url"`
	By   string     `json:"by" doc:"what redirects: a status of HTTP or a table of redirects, a refresh, or a canonical link that the run trusts" enum:"http,refresh,canonical"`
	Hops int        `json:"hops" doc:"redirects on the way"`
	Time *time.Time `json:"time,omitempty" doc:"when the redirect was fetched; missing if the crawl does not say"`
}

// Capture is a capture of a URL.
type Capture struct {
	Name   string `json:"name" doc:"to ask about it"`
	Time   string `json:"time,omitempty" doc:"in UTC"`
	Digest string `json:"digest,omitempty" doc:"of the content, 16 hex digits"`
	Title  string `json:"title,omitempty"`
}

func pageOperation() *Operation {
	return &Operation{
		ID: "page", Path: "/v1/page", Summary: "What is known about a page",
		Description: "The document at a URL, crawled or only linked to: what the pages that link to it say, which clusters it is in, and which URLs redirect to it.",
		Params:      []Param{urlParam("url", "URL of the document, in any form")},
		Answer:      Page{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			asked := q.Args.Text("url")
			id, err := q.Run.lookup(asked)
			if err != nil {
				return nil, err
			}
			from, all := q.Run.redirectsTo(id)
			return Page{
				Asked: asked, Document: q.Run.document(id), Anchors: list(q.Run.IndexedAnchors(id, mostAnchors)),
				Quotes: q.Run.quotes(q.Run.Quotes(id)), Topical: q.Run.topicalOf(id), Syntactic: q.Run.syntacticOf(id),
				Captures: q.Run.captures(asked), From: from, AllFrom: all,
			}, nil
		},
	}
}

// redirectsTo returns URLs that redirect to a document, and the number of all.
func (r *Run) redirectsTo(id uint32) ([]RedirectHere, int) {
	found, all := r.RedirectsTo(id, mostRedirects)
	out := []RedirectHere{}
	for _, f := range found {
		out = append(out, RedirectHere{f.URL, f.By, f.Hops, timeOf(f.Time)})
	}
	return out, all
}

// captures returns captures of a URL, the oldest first.
func (r *Run) captures(url string) []Capture {
	out := []Capture{}
	for _, c := range r.Captures(url) {
		if len(out) == mostCaptures {
			break
		}
		out = append(out, Capture{c.Name, c.Time, c.Digest, c.Title})
	}
	return out
}

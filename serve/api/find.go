package api

import (
	"context"

	"github.com/lshclust/lshclust/query"
)

// Find lists the pages that may be what a dead URL was.
type Find struct {
	URL      string     `json:"url" doc:"canonical URL that was asked about"`
	Known    string     `json:"known" doc:"what the run knows of it: the text of a page, links to it, or nothing" enum:"page,links,nothing"`
	Redirect string     `json:"redirect,omitempty" doc:"where it redirects according to the crawl; missing if it does not"`
	Pages    []LostPage `json:"pages" doc:"as they were found: the page itself or the end of its redirects, what the web talks about in the same words, similar URLs"`
	Portion
}

// Rows implements List.
func (f *Find) Rows() any { return f.Pages }

// LostPage is a page that may be what a dead URL was.
type LostPage struct {
	URL   string   `json:"url" doc:"canonical"`
	Title string   `json:"title"`
	How   string   `json:"how" doc:"how it was found: there: the run has a page at the URL; redirect; links: the words around the links to both are alike; url: the URLs are alike" enum:"there,redirect,links,url"`
	Score float64  `json:"score" doc:"similarity of the words around the links; 1 for a page that is there and for a redirect, 0 for a similar URL" least:"0" most:"1"`
	Why   []string `json:"why" doc:"the evidence, in words"`
}

func findOperation() *Operation {
	return &Operation{
		ID: "find", Path: "/v1/find", Summary: "What is nearest to a dead URL",
		Description: "Pages that may be what a URL was that is dead or was never crawled: the end of its redirects, the pages that the web talks about in the same words, and pages with similar URLs. The URL need not be in the run.",
		Params: []Param{
			urlParam("url", "URL that is lost, in any form"),
			{Name: "limit", Doc: "number of pages of each kind at most", Kind: Whole, Default: "3", Least: 1, Most: 100},
		},
		Answer: &Find{},
		Heavy:  true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			asked := q.Args.Text("url")
			l, err := query.NewLostAndFound(q.Run.Run)
			if err != nil {
				return nil, err
			}
			found, err := l.Find(ctx, asked, q.Args.Int("limit"))
			if found == nil && err != nil {
				return nil, notFound("no-url", brief(asked)+" is no URL.", "Give a URL in any form, such as example.org/page.")
			}
			out := &Find{URL: found.URL, Known: string(found.Seen[0].Known), Redirect: found.Seen[0].Redirect, Pages: []LostPage{}}
			for _, p := range found.Pages {
				out.Pages = append(out.Pages, LostPage{URL: p.URL, Title: p.Title, How: string(p.How), Score: p.Score, Why: list(p.Why)})
			}
			return out, err
		},
	}
}

package api

import (
	"cmp"
	"context"
	"time"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// Find lists the pages that may be what a dead URL was.
type Find struct {
	URL      string     `json:"url" doc:"canonical URL that was asked about"`
	Known    string     `json:"known" doc:"what the run knows of it: the text of a page, links to it, or nothing" enum:"page,links,nothing"`
	Before   string     `json:"known_before,omitempty" doc:"what the run of the older crawl knows of it; missing if the question names none" enum:"page,links,nothing"`
	Title    string     `json:"title,omitempty" doc:"title of the page at the URL, in the newest of the runs that has it; missing if none has"`
	Time     *time.Time `json:"time,omitempty" doc:"when that page was fetched; missing if the crawl does not say"`
	Verdict  string     `json:"verdict,omitempty" doc:"what became of the page that the older run has; missing without one" enum:"moved,merged into,split into,succeeded by,gone"`
	Redirect string     `json:"redirect,omitempty" doc:"where it redirects according to the newest crawl that redirects it; missing if none does"`
	Pages    []LostPage `json:"pages" doc:"as they were found: the page itself or the end of its redirects, what the web talks about in the same words, similar URLs"`
	answer.Portion
}

// Rows implements List.
func (f *Find) Rows() any { return f.Pages }

// LostPage is a page that may be what a dead URL was.
type LostPage struct {
	URL   string   `json:"url" doc:"canonical"`
	Title string   `json:"title"`
	How   string   `json:"how" doc:"how it was found: there: the run has a page at the URL; redirect; the verdict on the page that the older run has; text: it shares text with that page; links: the words around the links to both are alike; url: the URLs are alike" enum:"there,redirect,moved,merged into,split into,succeeded by,text,links,url"`
	Score float64  `json:"score" doc:"confidence of a verdict, resemblance, or similarity of the words around the links; 1 for a page that is there and for a redirect, 0 for a similar URL" least:"0" most:"1"`
	Why   []string `json:"why" doc:"the evidence, in words"`
}

func findOperation() *Operation {
	return &Operation{
		ID: "find", Path: "/v1/find", Summary: "What is nearest to a dead URL",
		Description: "Pages that may be what a URL was that is dead or was never crawled: the end of its redirects, the pages that the web talks about in the same words, and pages with similar URLs. The URL need not be in the run. With `older`, the run of an older crawl is asked too: if it has the page, the answer has the verdict on it and the pages nearest to it by text. The first such question about two large runs is answered with 503 while all moves are being found.",
		Params: []Param{
			urlParam("url", "URL that is lost, in any form"),
			{Name: "older", Doc: "name of the run of an older crawl that is asked too; none if it is missing", Kind: Text, Most: 200},
			{Name: "limit", Doc: "number of pages of each kind at most", Kind: Whole, Default: "3", Least: 1, Most: 100},
		},
		Answer:   &Find{},
		Heavy:    true,
		MayOlder: true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			asked := q.Args.Text("url")
			l, err := q.lostAndFound(ctx)
			if err != nil {
				return nil, err
			}
			found, err := l.Find(ctx, asked, q.Args.Int("limit"))
			if found == nil && err != nil {
				return nil, notFound("no-url", brief(asked)+" is no URL.", "Give a URL in any form, such as example.org/page.")
			}
			out := &Find{URL: found.URL, Pages: []LostPage{}}
			for _, s := range found.Seen { // the last one is that of the run
				out.Before, out.Known, out.Redirect = out.Known, string(s.Known), cmp.Or(s.Redirect, out.Redirect)
				if s.Known == query.KnownPage {
					out.Title, out.Time = s.Title, timeOf(s.Time)
				}
			}
			if found.Lost != nil {
				out.Verdict = found.Lost.Verdict.Kind.String()
			}
			for _, p := range found.Pages {
				out.Pages = append(out.Pages, LostPage{URL: p.URL, Title: p.Title, How: string(p.How), Score: p.Score, Why: list(p.Why)})
			}
			return out, err
		},
	}
}

// lostAndFound returns what finds dead URLs in the run, and in the older one if the question names one.
func (q *Question) lostAndFound(ctx context.Context) (*query.Crawls, error) {
	switch {
	case q.Older != nil:
		m, err := q.Run.Moves(ctx, q.Older)
		if err != nil {
			return nil, sweepsProblem(err, q.Older.Name, q.Run.Name)
		}
		return m.lost, nil
	case q.Args.Has("older"):
		return nil, notFound("one-run", "There is one run.", "Ask a server of both runs.")
	}
	return query.NewCrawls(ctx, q.Run.Run)
}

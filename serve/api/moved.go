package api

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

func movedOperation() *Operation {
	return &Operation{
		ID: "moved", Path: "/v1/moved", Summary: "Where a dead URL went",
		Description: "Where the content of a URL is now that is dead or was never crawled, and what is nearest to it: the end of its redirects, the verdict on the page that the run of an older crawl has, pages with similar texts, pages that the web talks about in the same words, and pages with similar URLs. With `redirect`, or if the client prefers text/html, the answer is a redirect to the new URL, or 404 if no place is probable enough, so that the error page of a web server can ask here. The first question about two large runs is answered with 503 while all moves are being found.",
		Params: []Param{
			{Name: "url", Doc: "URL that is dead, in any form", Kind: Text, Required: true, Most: maxText, Header: OriginalURL, Example: "postgresql.org/docs/15/gin.html"},
			olderParam(),
			{Name: "limit", Doc: "number of pages of each kind at most", Kind: Whole, Default: "3", Least: 1, Most: 100},
			{Name: "min", Doc: "smallest confidence of a redirect", Kind: Number, Default: "0.9", Least: 0, Most: 1},
			{Name: "redirect", Doc: "status of a redirect, which is then the answer", Kind: Text, Enum: []string{"301", "302", "307", "308"}, Most: 3},
		},
		Answer: &answer.MovedAnswer{},
		Heavy:  true,
		Older:  true, Redirects: true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			if q.Redirect == 0 {
				return q.Run.Moved(ctx, q.Older, q.Args.Text("url"), q.Args.Int("limit"))
			}
			found, err := q.Run.Moved(ctx, q.Older, q.Args.Text("url"), 0)
			if err != nil {
				return nil, err
			}
			return redirectTo(found, q.Args.Number("min"))
		},
	}
}

// Moved finds where the content of a URL is now. older may be nil.
func (r *Run) Moved(ctx context.Context, older *Run, url string, limit int) (*answer.MovedAnswer, error) {
	names := []string{r.Name}
	var crawls *query.Crawls
	var err error
	if older == nil {
		crawls, err = query.NewCrawls(ctx, r.Run)
	} else {
		var c *answer.Changed
		if c, err = r.changed(ctx, older); err == nil {
			crawls, names = c.Crawls, []string{older.Name, r.Name}
		}
	}
	if err != nil {
		return nil, err
	}
	found, err := answer.Moved(ctx, crawls, names, url, limit)
	if found == nil && err != nil {
		return nil, notFound("no-url", brief(url)+" is no URL.", "Give a URL in any form, such as example.org/page.")
	}
	return found, err
}

// location is where a redirect leads.
type location string

// Location implements Redirecter.
func (l location) Location() string { return string(l) }

// redirectTo returns the target of a redirect for a dead URL, if its content was found elsewhere with at least a
// confidence. It redirects no page to itself: the web server that asks has just failed to find it there.
func redirectTo(m *answer.MovedAnswer, least float64) (location, error) {
	for _, p := range m.Items[:min(1, len(m.Items))] {
		confidence := p.Score
		if string(p.How) == m.Verdict {
			confidence = m.Confidence
		}
		sure := string(p.How) == m.Verdict || p.How == query.HowThere || p.How == query.HowRedirect
		if sure && confidence >= least && p.URL != m.Of && strings.HasPrefix(p.URL, "http") {
			return location(p.URL), nil
		}
	}
	return "", notFound("nowhere", "No page takes the place of "+brief(m.Of)+" with the confidence that was asked for.",
		"Show the error page, or ask for JSON without redirect to see what was considered.")
}

package api

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// Moved tells where the content of a page went.
type Moved struct {
	URL        string  `json:"url" doc:"canonical URL of the page that was asked about"`
	Verdict    string  `json:"verdict" doc:"what happened to its content; there: the newer run has a page at the URL, or at the end of its redirects" enum:"moved,merged into,split into,succeeded by,gone,there"`
	Confidence float64 `json:"confidence" doc:"probability that the verdict is right" least:"0" most:"1"`
	To         []Place `json:"to" doc:"where the content is now, the most probable place first; none if it is gone"`
	Others     []Place `json:"others" doc:"other pages that were considered, the most probable first"`

	asked string // in the canonical form of the newer run
}

// Place is a page that may have the content of another one.
type Place struct {
	URL        string   `json:"url" doc:"canonical"`
	Title      string   `json:"title"`
	Confidence float64  `json:"confidence" doc:"probability that it has the content" least:"0" most:"1"`
	Reasons    []string `json:"reasons" doc:"the evidence, in words"`
}

// there is the verdict on a URL at which the newer run has a page.
const there = "there"

func movedOperation() *Operation {
	return &Operation{
		ID: "moved", Path: "/v1/moved", Summary: "Where a dead URL went",
		Description: "Where the content of a page is now that the run of an older crawl has and the run of a newer crawl has not. With `redirect`, or if the client prefers text/html, the answer is a redirect to the new URL, or 404 if no place is probable enough, so that the error page of a web server can ask here. The first question about two large runs is answered with 503 while all moves are being found.",
		Params: []Param{
			{Name: "url", Doc: "URL that is dead, in any form", Kind: Text, Required: true, Most: maxText, Header: OriginalURL, Example: "postgresql.org/docs/15/gin.html"},
			olderParam(),
			{Name: "min", Doc: "smallest confidence of a redirect", Kind: Number, Default: "0.9", Least: 0, Most: 1},
			{Name: "redirect", Doc: "status of a redirect, which is then the answer", Kind: Text, Enum: []string{"301", "302", "307", "308"}, Most: 3},
		},
		Answer: &Moved{},
		Older:  true, Redirects: true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			m, err := q.Run.Moves(ctx, q.Older)
			if err != nil {
				return nil, sweepsProblem(err, q.Older.Name, q.Run.Name)
			}
			out, err := q.moved(m)
			if err == nil && q.Redirect != 0 {
				err = out.mayRedirect(q.Args.Number("min"))
			}
			return out, err
		},
	}
}

// sweepsProblem returns the problem of two runs that cannot be compared.
func sweepsProblem(err error, older, newer string) error {
	var settings *query.SettingsError
	switch {
	case errors.As(err, &settings):
		return NewProblem(http.StatusConflict, "settings", "The two runs cannot be compared", "The runs "+older+" and "+newer+" were built with other settings.",
			"Build both with the same settings.")
	case errors.Is(err, query.ErrOrder):
		return NewProblem(http.StatusConflict, "order", "The two runs cannot be compared", "The run "+older+" is of a newer crawl than the run "+newer+".",
			"Name the run of the newer crawl in run, and that of the older one in older.")
	}
	return err
}

// moved returns the answer about the URL of the question.
func (q *Question) moved(m *Moves) (*Moved, error) {
	asked, older := q.Args.Text("url"), q.Older
	canonical, err := q.Run.Canonical(asked)
	if err != nil {
		return nil, answer.Unknown(older.Run, asked, err)
	}
	old, unknown := older.Lookup(asked)
	if unknown == nil {
		if v, gone := m.Of(old); gone {
			return &Moved{
				URL: older.Document(old).URL, Verdict: v.Kind.String(), Confidence: v.Confidence, To: q.Run.places(v.Places), Others: q.Run.places(v.Others), asked: canonical,
			}, nil
		}
	}
	if id, err := q.Run.Lookup(asked); err == nil && q.Run.There(id) {
		d := q.Run.Document(id)
		return &Moved{URL: canonical, Verdict: there, Confidence: 1, To: []Place{{d.URL, d.Title, 1, []string{}}}, Others: []Place{}, asked: canonical}, nil
	}
	if unknown != nil {
		return nil, answer.Unknown(older.Run, asked, unknown)
	}
	return nil, notFound("not-crawled", "Neither crawl has a page at "+brief(asked)+".", "Ask what is related to it.")
}

func (r *Run) places(all []moved.Place) []Place {
	out := []Place{}
	for _, p := range all {
		d := r.Document(p.Page)
		out = append(out, Place{d.URL, d.Title, p.Confidence, list(p.Reasons())})
	}
	return out
}

// mayRedirect returns an error unless the answer is to be a redirect. A page that is where it was asked for leads nowhere,
// because the web server that asks has just not found it there.
func (m *Moved) mayRedirect(least float64) error {
	if m.Confidence < least || len(m.To) == 0 || m.To[0].URL == m.asked || !strings.HasPrefix(m.To[0].URL, "http") {
		return notFound("nowhere", "No page takes the place of "+brief(m.URL)+" with the confidence that was asked for.",
			"Show the error page, or ask for JSON without redirect to see what was considered.")
	}
	return nil
}

// Location implements Redirecter.
func (m *Moved) Location() string { return m.To[0].URL }

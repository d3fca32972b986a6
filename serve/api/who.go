package api

import (
	"context"
	"time"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// Who lists everyone who has a text or a part of it.
type Who struct {
	Pages     []WhoPage `json:"pages" doc:"host by host, those with the largest part of the text first"`
	Hosts     int       `json:"hosts" doc:"hosts with such a page, also those that are not listed"`
	Texts     int       `json:"texts" doc:"pages of all hosts, without their copies"`
	Copies    int       `json:"copies" doc:"pages that equal another one of their host"`
	Certainty Certainty `json:"certainty" doc:"what the answer may miss"`
	Estimated bool      `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
	answer.Portion
}

// Rows implements List.
func (w *Who) Rows() any { return w.Pages }

// WhoPage is a page that has a text or a part of it, and stands for the pages of its host that equal it.
type WhoPage struct {
	Host        string     `json:"host"`
	URL         string     `json:"url"`
	Title       string     `json:"title"`
	Relation    string     `json:"relation" doc:"shingle: the same shingles, or similar, contained, overlaps" enum:"shingle,similar,contained,overlaps"`
	Resemblance float64    `json:"resemblance" doc:"shared shingles divided by those of either, without boilerplate" least:"0" most:"1"`
	OfThis      float64    `json:"of_this" doc:"share of the shingles of the text that the page has" least:"0" most:"1"`
	OfOther     float64    `json:"of_other" doc:"share of the shingles of the page that the text has" least:"0" most:"1"`
	Time        *time.Time `json:"time,omitempty" doc:"when the page was fetched; missing if the crawl does not say"`
	Copies      int        `json:"copies" doc:"pages of the host that equal it and are not listed"`
	Last        *time.Time `json:"last_time,omitempty" doc:"when the last of the page and its copies was fetched"`
	Shared      int        `json:"shared" doc:"shingles of the text that the page has, or samples of them"`
	Passages    []Passage  `json:"passages" doc:"parts of the text that the page has, the longest first; none for a page of the run"`
}

// Passage is a part of a text.
type Passage struct {
	Text  string `json:"text" doc:"its beginning, if it is long"`
	Words int    `json:"words"`
}

// Bounds of the lists of who.
const (
	mostHosts     = 200
	mostHostPages = 20
	mostPassages  = 10
)

func whoParams() []Param {
	return []Param{
		{Name: "least", Doc: "smallest resemblance or containment, either way, of a page that is listed", Kind: Number, Default: "0.2", Least: 0, Most: 1},
		{Name: "words", Doc: "words of the text in a row, with which a page is listed too", Kind: Whole, Default: "30", Least: 1, Most: 1000},
		{Name: "hosts", Doc: "number of hosts at most", Kind: Whole, Default: "20", Least: 1, Most: mostHosts},
		{Name: "pages", Doc: "number of pages of a host at most", Kind: Whole, Default: "5", Least: 1, Most: mostHostPages},
	}
}

func whoOptions(a Args) query.WhoOptions {
	return query.WhoOptions{Least: a.Number("least"), Words: a.Int("words"), Hosts: a.Int("hosts"), Pages: a.Int("pages"), Passages: a.Int("passages")}
}

func whoOperation() *Operation {
	return &Operation{
		ID: "who", Path: "/v1/who", Summary: "Who has the text of a page, by host",
		Description: "Everyone who has a version of the text of a page, or a part of it, host by host. Copies on one host are counted and not listed.",
		Params:      append([]Param{urlParam("url", "URL of the page, in any form")}, whoParams()...),
		Answer:      &Who{},
		Heavy:       true,
		Ask: func(_ context.Context, q *Question) (Model, error) {
			id, err := q.Run.lookupPage(q.Args.Text("url"))
			if err != nil {
				return nil, err
			}
			found, err := q.Run.WhoHas(id, nil, whoOptions(q.Args))
			if err != nil {
				return nil, err
			}
			return q.Run.who(found), nil
		},
	}
}

func whoTextOperation() *Operation {
	return &Operation{
		ID: "whoText", Method: "POST", Path: "/v1/who", Summary: "Who has a text or a paragraph of it, by host",
		Description: "Everyone who has a version of a text, or a part of it, host by host, and which passages. The text is the body of the request, HTML or plain text, and need not be in the run. It is not kept.",
		Params: append(whoParams(), Param{
			Name: "passages", Doc: "number of passages of a page at most", Kind: Whole, Default: "2", Least: 0, Most: mostPassages,
		}),
		Body:   []string{"text/html", "text/plain"},
		Answer: &Who{},
		Heavy:  true,
		Ask: func(_ context.Context, q *Question) (Model, error) {
			text, err := q.Run.DocumentText(q.Body)
			if err != nil {
				return nil, err
			}
			found, err := q.Run.Who(text, whoOptions(q.Args))
			if err != nil {
				return nil, err
			}
			return q.Run.who(found), nil
		},
	}
}

func (r *Run) who(found *query.Holders) *Who {
	out := &Who{
		Pages: []WhoPage{}, Hosts: found.AllHosts, Texts: found.Texts, Copies: found.Copies,
		Certainty: certainty(found.Size, found.Certainty), Estimated: r.Sketches() != "",
	}
	for _, h := range found.Hosts {
		for _, x := range h.Holders {
			p := WhoPage{
				Host: h.Host, URL: x.URL, Title: r.Document(x.ID).Title, Relation: x.Relation, Resemblance: x.Resemblance, OfThis: x.OfThis, OfOther: x.OfOther,
				Time: timeOf(x.From), Copies: x.Copies, Last: timeOf(x.To), Shared: x.Shared, Passages: []Passage{},
			}
			for _, passage := range x.Passages {
				p.Passages = append(p.Passages, Passage{beginning(passage.Text), passage.Words})
			}
			out.Pages = append(out.Pages, p)
		}
	}
	return out
}

package api

import (
	"context"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

func queryParams() []Param {
	return []Param{
		{Name: "by", Doc: "list pages, or hosts with their pages; by host, copies on one host are counted and not listed", Kind: Text, Default: "page", Enum: []string{"page", "host"}, Most: 4},
		{Name: "min", Doc: "smallest resemblance or containment, either way, of a page that is listed", Kind: Number, Default: "0.2", Least: 0, Most: 1},
		{Name: "limit", Doc: "number of pages, or of hosts, at most", Kind: Whole, Default: "20", Least: 1, Most: mostRows},
		{Name: "words", Doc: "by host: words of the text in a row, with which a page is listed too", Kind: Whole, Default: "30", Least: 1, Most: 1000},
		{Name: "pages", Doc: "by host: number of pages of a host at most", Kind: Whole, Default: "5", Least: 1, Most: 20},
	}
}

func whoOptions(a Args) query.WhoOptions {
	return query.WhoOptions{
		ByHost: a.Text("by") == "host", Min: a.Number("min"), Words: a.Int("words"), Limit: a.Int("limit"), Pages: a.Int("pages"), Passages: a.Int("passages"),
	}
}

func queryOperation() *Operation {
	return &Operation{
		ID: "query", Path: "/v1/query", Summary: "Who has the text of a page",
		Description: "The pages that resemble a page, contain it, are contained in it, or overlap it. By host, everyone who has a version of the text or a part of it, host by host.",
		Params:      append([]Param{urlParam("url", "URL of the page, in any form")}, queryParams()...),
		Answer:      &answer.QueryAnswer{},
		Heavy:       true,
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.QueryPage(ctx, q.Run.Run, q.Args.Text("url"), whoOptions(q.Args))
		},
	}
}

func queryTextOperation() *Operation {
	return &Operation{
		ID: "queryText", Method: "POST", Path: "/v1/query", Summary: "Who has the text of a document",
		Description: "The same for any document, and which passages the pages have. It is the body of the request, HTML or plain text, and need not be in the run. It is not kept.",
		Params: append(queryParams(), Param{
			Name: "passages", Doc: "number of passages of a page at most", Kind: Whole, Default: "0", Least: 0, Most: 10,
		}),
		Body:   []string{"text/html", "text/plain"},
		Answer: &answer.QueryAnswer{},
		Heavy:  true,
		Ask: func(_ context.Context, q *Question) (Model, error) {
			document := crawl.Document(q.Body)
			found, err := answer.QueryDocument(q.Run.Run, "", &document, whoOptions(q.Args))
			if err != nil {
				return nil, err
			}
			for _, x := range found.Items {
				for i, p := range x.Passages {
					x.Passages[i].Text = beginning(p.Text)
				}
			}
			return found, nil
		},
	}
}

// beginning returns the first characters of a text as one line.
func beginning(text string) string {
	const most = 400
	runes := []rune(strings.Join(strings.Fields(text), " "))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

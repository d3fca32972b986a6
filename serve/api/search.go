package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
)

// mostFound is the maximum number of hits in all portions of an answer.
const mostFound = 1000

func searchOperation() *Operation {
	return &Operation{
		ID: "search", Path: "/v1/search", Summary: "Which pages some words name",
		Description: "Looks the words up in the bags of all documents: the words of links to a document, and some of its title and text. So it finds pages by what the web calls them, also pages that were never crawled. It reads the lists of these words and no more. The clusters are those of the best hits. A query that is a URL which the run holds comes with the document at that URL.",
		Params: append([]Param{
			{Name: "q", Doc: "words, or a URL", Kind: Text, Required: true, Most: 500, Example: "incremental backup postgres"},
		}, listParams("10")...),
		Answer: &answer.SearchAnswer{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.Search(ctx, q.Run.Run, q.Args.Text("q"), q.window(mostFound))
		},
	}
}

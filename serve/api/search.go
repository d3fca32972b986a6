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
		Description: "Lists the documents that are called so: by links, titles, hosts or the ends of paths, with at most one typo, or by a longer name that begins so. Then follow those whose bags fit the words: the words of links to a document, and some of its title and text. So it finds pages by what the web calls them, also pages that were never crawled. The clusters are those of the best hits. A query that is a URL which the run holds comes with the document at that URL.",
		Params: append([]Param{
			{Name: "q", Doc: "words, or a URL", Kind: Text, Required: true, Most: 500, Example: "incremental backup postgres"},
		}, listParams("10")...),
		Answer: &answer.SearchAnswer{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.Search(ctx, q.Run.Run, q.Args.Text("q"), q.window(mostFound))
		},
	}
}

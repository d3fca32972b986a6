package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
)

func pageOperation() *Operation {
	return &Operation{
		ID: "page", Path: "/v1/page", Summary: "What is known about a page",
		Description: "The document at a URL, crawled or only linked to: what the pages that link to it say, which clusters it is in, and which URLs redirect to it.",
		Params:      []Param{urlParam("url", "URL of the document, in any form")},
		Answer:      &answer.PageAnswer{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.Page(ctx, q.Run.Run, q.Args.Text("url"))
		},
	}
}

package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
)

// mostRelated is the maximum number of neighbours in all portions of an answer.
const mostRelated = 1000

func relatedOperation() *Operation {
	return &Operation{
		ID: "related", Path: "/v1/related", Summary: "What is related to a page",
		Description: "The documents whose linking pages use the most similar words, with exact similarities. They are found among the neighbours that the run has stored and the neighbours of these; with `exact`, all documents are compared, and none is missed.",
		Params: append([]Param{
			urlParam("url", "URL of the document, in any form"),
			{Name: "exact", Doc: "flag to compare with all documents", Kind: Flag, Default: "false"},
			{Name: "apart", Doc: "flag to leave out documents that some page links to together with the URL", Kind: Flag, Default: "false"},
		}, listParams("10")...),
		Answer: &answer.RelatedAnswer{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.Related(ctx, q.Run.Run, q.Args.Text("url"), answer.RelatedOptions{
				Window: q.window(mostRelated), Apart: q.Args.Flag("apart"), Exact: q.Args.Flag("exact"),
			})
		},
	}
}

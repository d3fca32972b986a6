package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// mostRelated is the maximum number of neighbours in all portions of an answer.
const mostRelated = 1000

func relatedOperation() *Operation {
	return &Operation{
		ID: "related", Path: "/v1/related", Summary: "What is related to a page",
		Description: "The documents whose bags are the most similar, with exact similarities: of the whole bags, of the words around the links to both, and of their own words, in order of relatedness, to which shared neighbours add. They are found among the neighbours that the run has stored and the neighbours of these; with `exact`, all documents are compared, and none is missed.",
		Params: append([]Param{
			urlParam("url", "URL of the document, in any form"),
			{Name: "by", Doc: "what to compare: the words around the links to both, their own words, or both; all but `both` compares with all documents", Kind: Text, Default: "both", Enum: []string{"links", "content", "both"}, Most: 7},
			{Name: "exact", Doc: "flag to compare with all documents", Kind: Flag, Default: "false"},
			{Name: "apart", Doc: "flag to leave out documents that some page links to together with the URL", Kind: Flag, Default: "false"},
			{Name: "elsewhere", Doc: "flag to leave out documents on the host of the URL", Kind: Flag, Default: "false"},
		}, listParams("10")...),
		Answer: &answer.RelatedAnswer{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.Related(ctx, q.Run.Run, q.Args.Text("url"), answer.RelatedOptions{
				Window: q.window(mostRelated), Apart: q.Args.Flag("apart"), Elsewhere: q.Args.Flag("elsewhere"), Exact: q.Args.Flag("exact"), By: query.By(q.Args.Text("by")),
			})
		},
	}
}

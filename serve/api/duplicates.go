package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
)

// mostDuplicates is the maximum number of pages compared for one answer.
const mostDuplicates = 10_000

func duplicatesOperation() *Operation {
	return &Operation{
		ID: "duplicates", Path: "/v1/duplicates", Summary: "Who has the same text",
		Description: "The pages that equal a page, resemble it, contain it or are contained in it, and those connected to it through other pages of its cluster.",
		Params: append([]Param{
			urlParam("url", "URL of the page, in any form"),
			{Name: "min", Doc: "smallest resemblance or containment of a page that is listed", Kind: Number, Default: "0", Least: 0, Most: 1},
		}, listParams("20")...),
		Answer: &answer.DuplicatesAnswer{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			return answer.Duplicates(ctx, q.Run.Run, q.Args.Text("url"), answer.DuplicatesOptions{Window: q.window(mostDuplicates), Min: q.Args.Number("min")})
		},
	}
}

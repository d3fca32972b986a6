package api

import (
	"context"
	"fmt"
	"net/http"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

func explainOperation() *Operation {
	b := urlParam("b", "URL of another document")
	b.Example = "postgresql.org/docs/15/gist.html"
	return &Operation{
		ID: "explain", Path: "/v1/explain", Summary: "Why two pages are related, or why not, and what their texts share",
		Description: "The words of both bags and where they come from, the sentences that link to either document, how the index met the pair or why it did not, and how similar the texts are. With `texts`, also the texts, line by line, with marks on what they share. A run keeps no texts, so the server reads the inputs of the run again, which must still be where they were. Pages that ask not to be indexed are not shown.",
		Params: append([]Param{
			urlParam("a", "URL of a document, in any form"), b,
			{Name: "terms", Doc: "number of terms at most", Kind: Whole, Default: "50", Least: 0, Most: 1000},
			{Name: "texts", Doc: "flag to compare the texts line by line", Kind: Flag, Default: "false"},
		}, listParams("200")...),
		Answer:    &answer.ExplainAnswer{},
		HeavyWith: "texts",
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			o := answer.ExplainOptions{Terms: q.Args.Int("terms"), Texts: q.Args.Flag("texts"), Window: q.window(0)}
			for _, side := range []string{"a", "b"} {
				if !o.Texts {
					break
				}
				if err := q.Run.MayShow(q.Args.Text(side)); err != nil {
					return nil, err
				}
			}
			return answer.Explain(ctx, q.Run.Run, q.Args.Text("a"), q.Args.Text("b"), o)
		},
	}
}

// MayShow returns a problem unless the text of the page may be shown.
func (r *Run) MayShow(url string) error {
	id, err := answer.LookupPage(r.Run, url)
	if err != nil {
		return err
	}
	const todo = "Use lshclust explain --texts on the machine of the run."
	switch d := r.Document(id); {
	case !d.Crawled:
		return query.ErrUnknown
	case d.NoIndex:
		return NewProblem(http.StatusForbidden, "noindex", "The page asks not to be shown", fmt.Sprintf("%s asks not to be indexed, so its text is not shown.", d.URL), todo)
	case d.NoSnippet:
		return NewProblem(http.StatusForbidden, "nosnippet", "The page asks not to be quoted", fmt.Sprintf("%s asks not to be quoted, so its text is not shown.", d.URL), todo)
	}
	return nil
}

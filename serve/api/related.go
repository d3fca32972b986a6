package api

import (
	"context"

	"github.com/lshclust/lshclust/query"
)

// Related lists the documents related to one.
type Related struct {
	Of   string           `json:"of" doc:"canonical URL of the document that was asked about"`
	Near []RelatedPage    `json:"related" doc:"the most similar first"`
	How  string           `json:"method" doc:"how the neighbours were looked for" enum:"stored,deep,exact"`
	Why  *WhyNoneAreFound `json:"none,omitempty" doc:"in an empty answer, the reason"`
	Portion
}

// Rows implements List.
func (r *Related) Rows() any { return r.Near }

// WhyNoneAreFound tells why a document has no neighbours.
type WhyNoneAreFound struct {
	Bag    bool   `json:"bag" doc:"whether links or the page itself have any word of the run"`
	Detail string `json:"detail"`
}

// RelatedPage is a neighbour.
type RelatedPage struct {
	URL        string   `json:"url"`
	Title      string   `json:"title" doc:"empty if the page has none or was not crawled"`
	Similarity float32  `json:"similarity" doc:"exact, of the words around the links to both" least:"0" most:"1"`
	Agreement  float32  `json:"agreement" doc:"share of equal signatures, which estimates the similarity" least:"0" most:"1"`
	Shared     []string `json:"shared" doc:"words that contribute most to the similarity"`
	Found      string   `json:"found" doc:"how it was found: same-bag, stored, exact, or round-1 for a neighbour of a neighbour"`
	Together   int      `json:"together" doc:"pages that link to both"`
}

// mostRelated is the number of neighbours that all portions of an answer have together.
const mostRelated = 1000

func relatedOperation() *Operation {
	return &Operation{
		ID: "related", Path: "/v1/related", Summary: "What is related to a page",
		Description: "The documents whose linking pages use the most similar words, with exact similarities. The method `stored` lists the neighbours that the run has stored, `deep` also compares with the neighbours of these, and `exact` compares with all documents and misses none.",
		Params: append([]Param{
			urlParam("url", "URL of the document, in any form"),
			{Name: "method", Doc: "way to look for neighbours", Kind: Text, Default: "deep", Enum: []string{"stored", "deep", "exact"}, Most: 10},
			{Name: "apart", Doc: "flag to leave out documents that some page links to together with the URL", Kind: Flag, Default: "false"},
		}, listParams("10")...),
		Answer: &Related{},
		Ask: func(ctx context.Context, q *Question) (Model, error) {
			if err := q.Run.Need("topical"); err != nil {
				return nil, err
			}
			id, err := q.Run.lookup(q.Args.Text("url"))
			if err != nil {
				return nil, err
			}
			return q.related(ctx, id)
		},
	}
}

func (q *Question) related(ctx context.Context, id uint32) (Model, error) {
	out := &Related{Of: q.Run.Document(id).URL, How: q.Args.Text("method")}
	limit := q.Args.Int("limit")
	near, err := q.neighbours(ctx, id, min(q.From+limit+1, mostRelated))
	if err != nil {
		return nil, err
	}
	out.Near = []RelatedPage{}
	for _, n := range portion(&out.Portion, near, q.From, limit, mostRelated) {
		out.Near = append(out.Near, RelatedPage{
			URL: n.URL, Title: q.Run.Document(n.ID).Title, Similarity: n.Similarity, Agreement: n.Agreement,
			Shared: list(q.Run.Shared(id, n.ID, mostShared)), Found: n.Found.String(), Together: n.Together,
		})
	}
	switch {
	case len(near) > 0:
	case q.Run.Bag(id).Len() == 0:
		out.Why = &WhyNoneAreFound{false, "The web says nothing about it: no link to it, and no title of its own, has a word of the run."}
	default:
		out.Why = &WhyNoneAreFound{true, "No document that the parameters allow is similar enough."}
	}
	return out, nil
}

func (q *Question) neighbours(ctx context.Context, id uint32, top int) ([]query.Neighbour, error) {
	l, apart := query.DefaultLookup, q.Args.Flag("apart")
	l.Top, l.Apart = top, apart
	switch q.Args.Text("method") {
	case "stored":
		l.Rounds = 0
	case "exact":
		var wanted func(id, other uint32) bool
		if apart {
			wanted = func(id, other uint32) bool { return q.Run.Together(id, other) == 0 }
		}
		lists, err := q.Run.Exact(ctx, []uint32{id}, top, wanted)
		if err != nil {
			return nil, err
		}
		return lists[0], nil
	}
	return q.Run.Related(id, l), nil
}

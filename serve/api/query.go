package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/shingles"
)

// Similar lists the pages whose text is similar to a document.
type Similar struct {
	Pages     []DuplicatePage `json:"pages" doc:"the most similar first; in them, this page is the document"`
	Certainty Certainty       `json:"certainty" doc:"what the answer may miss"`
	Estimated bool            `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
	answer.Portion
}

// Rows implements List.
func (s *Similar) Rows() any { return s.Pages }

// Certainty tells what a search by a text may miss.
type Certainty struct {
	Shingles   int     `json:"shingles" doc:"distinct shingles of the document; 0 if it has too few words"`
	Candidates int     `json:"candidates" doc:"pages that share a shingle of the index"`
	Compared   int     `json:"compared" doc:"of these, those that were compared exactly"`
	Exact      bool    `json:"exact" doc:"whether no page is missed"`
	Half       float64 `json:"half" doc:"probability that a long page with half of the document is found" least:"0" most:"1"`
}

func queryOperation() *Operation {
	return &Operation{
		ID: "query", Method: "POST", Path: "/v1/query", Summary: "Who has the text of a document",
		Description: "The pages that resemble a document, contain it, are contained in it, or overlap it. The document is the body of the request, HTML or plain text, and need not be in the run. It is not kept.",
		Params: []Param{
			{Name: "least", Doc: "smallest resemblance or containment, either way, of a page that is listed", Kind: Number, Default: "0.2", Least: 0, Most: 1},
			{Name: "limit", Doc: "number of rows at most", Kind: Whole, Default: "20", Least: 1, Most: mostRows},
		},
		Body:   []string{"text/html", "text/plain"},
		Answer: &Similar{},
		Heavy:  true,
		Ask:    func(_ context.Context, q *Question) (Model, error) { return q.similar() },
	}
}

func (q *Question) similar() (Model, error) {
	text, err := q.Run.DocumentText(q.Body)
	if err != nil {
		return nil, err
	}
	shingler, err := q.Run.Shingler()
	if err != nil {
		return nil, err
	}
	set := shingles.NewSet()
	shingler.Sketch(set, text)
	found, err := q.Run.Candidates(set)
	if err != nil {
		return nil, err
	}
	return &Similar{
		Pages:     q.Run.duplicatePages(found.Compare(q.Args.Number("least"), q.Args.Int("limit"))),
		Certainty: certainty(found.Size(), found.Certainty()), Estimated: q.Run.Sketches() != "",
	}, nil
}

func certainty(size int, c query.Certainty) Certainty {
	return Certainty{size, c.Candidates, c.Compared, c.Exact(), c.Probability(0.5)}
}

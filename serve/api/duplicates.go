package api

import (
	"context"
	"slices"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// Duplicates lists the pages whose text is similar to that of one.
type Duplicates struct {
	Of        string          `json:"of" doc:"canonical URL of the page that was asked about"`
	Pages     []DuplicatePage `json:"duplicates" doc:"the most similar first"`
	Total     int             `json:"total" doc:"pages of the list, over all portions"`
	All       bool            `json:"all" doc:"false if there are more pages, which were not compared because there are too many"`
	Estimated bool            `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
	answer.Portion
}

// Rows implements List.
func (d *Duplicates) Rows() any { return d.Pages }

// DuplicatePage is a page with a similar text.
type DuplicatePage struct {
	URL         string  `json:"url"`
	Title       string  `json:"title"`
	Relation    string  `json:"relation" doc:"identical bytes, lexical: the same words, shingle: the same shingles, or similar, contained, overlaps, chain: connected through other pages of the cluster" enum:"identical,lexical,shingle,similar,contained,overlaps,chain"`
	Resemblance float64 `json:"resemblance" doc:"shared shingles divided by those of either, without boilerplate" least:"0" most:"1"`
	OfThis      float64 `json:"of_this" doc:"share of the shingles of the page asked about that the other page has" least:"0" most:"1"`
	OfOther     float64 `json:"of_other" doc:"share of the shingles of the other page that the page asked about has" least:"0" most:"1"`
	Estimate    float64 `json:"estimate" doc:"of the resemblance, from samples" least:"0" most:"1"`
	Samples     int     `json:"samples" doc:"that the estimate rests on"`
	StdErr      float64 `json:"std_error,omitempty" doc:"of an estimated resemblance"`
}

// mostDuplicates is the number of pages that are compared for one answer.
const mostDuplicates = 10_000

func duplicatesOperation() *Operation {
	return &Operation{
		ID: "duplicates", Path: "/v1/duplicates", Summary: "Who has the same text",
		Description: "The pages that equal a page, resemble it, contain it or are contained in it, and those connected to it through other pages of its cluster.",
		Params: append([]Param{
			urlParam("url", "URL of the page, in any form"),
			{Name: "least", Doc: "smallest resemblance or containment of a page that is listed", Kind: Number, Default: "0", Least: 0, Most: 1},
		}, listParams("20")...),
		Answer: &Duplicates{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			id, err := q.Run.lookupPage(q.Args.Text("url"))
			if err != nil {
				return nil, err
			}
			found, all, err := q.Run.DuplicatesWithin(id, mostDuplicates)
			if err != nil {
				return nil, err
			}
			least := q.Args.Number("least")
			found = slices.DeleteFunc(found, func(d query.Duplicate) bool { return max(d.Resemblance, d.OfThis, d.OfOther) < least })
			out := &Duplicates{Of: q.Run.Document(id).URL, Total: len(found), All: all, Estimated: q.Run.Sketches() != ""}
			out.Pages = q.Run.duplicatePages(answer.Cut(&out.Portion, found, q.window(mostDuplicates)))
			return out, nil
		},
	}
}

func (r *Run) duplicatePages(found []query.Duplicate) []DuplicatePage {
	out := []DuplicatePage{}
	for _, d := range found {
		out = append(out, DuplicatePage{
			URL: d.URL, Title: r.Document(d.ID).Title, Relation: d.Relation, Resemblance: d.Resemblance, OfThis: d.OfThis, OfOther: d.OfOther,
			Estimate: d.Estimate, Samples: d.Samples, StdErr: d.StdErr,
		})
	}
	return out
}

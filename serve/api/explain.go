package api

import (
	"context"

	"github.com/lshclust/lshclust/internal/answer"
	"github.com/lshclust/lshclust/internal/query"
)

// Explanation tells why two documents are related, or why they are not.
type Explanation struct {
	A          Side       `json:"a"`
	B          Side       `json:"b"`
	Similarity float64    `json:"similarity" doc:"exact, of the bags: sum_min / sum_max" least:"0" most:"1"`
	SumMin     int        `json:"sum_min" doc:"sum of the smaller counts"`
	SumMax     int        `json:"sum_max" doc:"sum of the larger counts"`
	Terms      []Term     `json:"terms" doc:"of either bag, those with the largest shared count first"`
	AllTerms   int        `json:"all_terms" doc:"terms of either bag, listed or not"`
	Signatures int        `json:"signatures" doc:"of a bag"`
	Agreeing   int        `json:"agreeing" doc:"signatures that are equal"`
	Keys       int        `json:"keys" doc:"keys that are equal"`
	AllKeys    int        `json:"all_keys" doc:"keys of a bag"`
	Chance     float64    `json:"chance" doc:"probability that the index finds a pair of this similarity" least:"0" most:"1"`
	Found      bool       `json:"found" doc:"whether the run stores the pair"`
	Why        string     `json:"why" doc:"the reason, in words"`
	Together   bool       `json:"together" doc:"whether they are in one topical cluster"`
	LinkedBy   int        `json:"linked_by" doc:"pages that link to both"`
	Texts      *TextsPair `json:"texts,omitempty" doc:"how similar the texts are; missing unless the run holds both"`
}

// Side is one document of an explanation.
type Side struct {
	Document Document           `json:"document"`
	Bag      int                `json:"bag_sum" doc:"sum of the counts of the bag"`
	Terms    int                `json:"bag_terms" doc:"terms of the bag"`
	From     Origins            `json:"bag_from" doc:"where the words of the bag come from"`
	Cluster  *TopicalMembership `json:"topical,omitempty" doc:"topical cluster"`
	Quotes   []Quote            `json:"quotes" doc:"sentences that link to it"`
}

// Origins divides a count by where the words come from.
type Origins struct {
	Links   int `json:"links" doc:"links to the document and its URL"`
	Title   int `json:"title" doc:"its own title"`
	Content int `json:"content" doc:"its own text"`
}

// Term is a word of either bag.
type Term struct {
	Word  string  `json:"word"`
	DF    int     `json:"df" doc:"bags that have it"`
	A     int     `json:"a" doc:"count in the bag of a"`
	B     int     `json:"b" doc:"count in the bag of b"`
	AFrom Origins `json:"a_from"`
	BFrom Origins `json:"b_from"`
}

// TextsPair compares two texts.
type TextsPair struct {
	Relation    string  `json:"relation"`
	Resemblance float64 `json:"resemblance" least:"0" most:"1"`
	AInB        float64 `json:"a_in_b" doc:"share of the shingles of a that b has" least:"0" most:"1"`
	BInA        float64 `json:"b_in_a" doc:"share of the shingles of b that a has" least:"0" most:"1"`
	Estimated   bool    `json:"estimated" doc:"whether the run keeps sketches, so that these are estimates"`
}

func pairParams() []Param {
	b := urlParam("b", "URL of another document")
	b.Example = "postgresql.org/docs/15/gist.html"
	return []Param{urlParam("a", "URL of a document, in any form"), b}
}

func explainOperation() *Operation {
	return &Operation{
		ID: "explain", Path: "/v1/explain", Summary: "Why two pages are related, or why not",
		Description: "The words of both bags and where they come from, the sentences that link to either document, how the index met the pair or why it did not, and how similar the texts are.",
		Params:      append(pairParams(), Param{Name: "terms", Doc: "number of terms at most", Kind: Whole, Default: "50", Least: 0, Most: 1000}),
		Answer:      Explanation{},
		Ask: func(_ context.Context, q *Question) (Model, error) {
			if err := q.Run.Need("topical"); err != nil {
				return nil, err
			}
			a, err := q.Run.lookup(q.Args.Text("a"))
			if err != nil {
				return nil, err
			}
			b, err := q.Run.lookup(q.Args.Text("b"))
			if err != nil {
				return nil, err
			}
			return q.Run.explanation(a, b, q.Args.Int("terms")), nil
		},
	}
}

func (r *Run) explanation(a, b uint32, terms int) Explanation {
	x := r.Explain(a, b)
	out := Explanation{
		A: r.side(x.A), B: r.side(x.B), Similarity: x.Similarity, SumMin: x.SumMin, SumMax: x.SumMax, Terms: []Term{}, AllTerms: len(x.Terms),
		Signatures: x.Signatures, Agreeing: x.Agreeing, Keys: len(x.Keys), AllKeys: x.AllKeys, Chance: x.Chance, Found: x.Found, Why: x.Why,
		Together: x.Together, LinkedBy: r.Together(a, b),
	}
	for _, t := range x.Terms[:min(len(x.Terms), terms)] {
		out.Terms = append(out.Terms, Term{t.Word, int(t.DF), t.A, t.B, Origins(t.AFrom), Origins(t.BFrom)})
	}
	if d, err := r.Overlap(a, b); err == nil {
		out.Texts = textsPair(d)
	}
	return out
}

func (r *Run) side(s query.Side) Side {
	return Side{Document: answer.DocumentOf(r.Run, s.ID), Bag: s.Bag, Terms: s.Terms, From: Origins(s.From), Cluster: answer.TopicalOf(r.Run, s.ID), Quotes: answer.QuotesOf(r.Run, s.ID)}
}

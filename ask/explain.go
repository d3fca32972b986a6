package ask

import (
	"context"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// ExplainAnswer says why two documents are related or not, and what their texts share.
type ExplainAnswer struct {
	runs.Pair `row:"true"`
	A         ExplainSide `json:"a"`
	B         ExplainSide `json:"b"`
	*Explanation
	LinkedBy int        `json:"linked_by" doc:"pages that link to both" row:"true"`
	Shared   []string   `json:"shared" doc:"words that contribute most to the similarity" row:"true"`
	Texts    *TextsPair `json:"texts,omitempty" doc:"how similar the texts are, boilerplate left out; missing unless the run holds both"`
	Lines    []Line     `json:"lines,omitempty" doc:"lines of the texts, aligned, if they were asked for"`
	LinesA   int        `json:"lines_a,omitempty" doc:"lines of the text of a, listed or not"`
	LinesB   int        `json:"lines_b,omitempty" doc:"lines of the text of b, listed or not"`
	Absent
	Portion
}

// ExplainSide is one of two documents.
type ExplainSide struct {
	Document Document           `json:"document"`
	Bag      int                `json:"bag_sum" doc:"sum of the counts of the bag"`
	Terms    int                `json:"bag_terms" doc:"terms of the bag"`
	From     BagFrom            `json:"bag_from" doc:"where the words of the bag come from"`
	Cluster  *TopicalMembership `json:"topical,omitempty" doc:"topical cluster"`
	Quotes   []Quote            `json:"quotes" doc:"sentences that link to it"`
	Captures []Capture          `json:"captures,omitempty" doc:"captures of the URL, in a run that keeps all"`
}

// BagFrom divides the sum of a bag between its parts.
type BagFrom struct {
	Links   int `json:"link_words" doc:"sum of the counts of words around links to the document"`
	Content int `json:"content_words" doc:"sum of the counts of its own words"`
}

// TextsPair compares two texts.
type TextsPair struct {
	Relation    string  `json:"relation"`
	Resemblance float64 `json:"resemblance" least:"0" most:"1"`
	AInB        Share   `json:"a_in_b,omitzero" doc:"share of the shingles of a that b has; missing if sketches do not tell it" least:"0" most:"1"`
	BInA        Share   `json:"b_in_a,omitzero" doc:"share of the shingles of b that a has" least:"0" most:"1"`
	Estimated   bool    `json:"estimated" doc:"whether the run keeps sketches, so that these are estimates"`
}

// Explain asks why two documents are related or not. With Texts, the URLs must be those of pages, and the run may lack
// the topical view; the window is that of the lines.
type Explain struct {
	A      string `required:"true" doc:"URL of a document, in any form" example:"postgresql.org/docs/15/gin.html"`
	B      string `required:"true" doc:"URL of another document" example:"postgresql.org/docs/15/gist.html"`
	Terms  int    `default:"50" most:"1000" value:"N" doc:"list at most this many terms"`
	Texts  bool   `doc:"compare the texts of the pages line by line, read again from the inputs of the run"`
	Window `limit:"200"`
}

// Ask answers the question.
func (o Explain) Ask(ctx context.Context, r *Run) (*ExplainAnswer, error) {
	lookup, topical := Lookup, r.Need(config.Topical)
	if o.Texts {
		lookup = LookupPage
	} else if topical != nil {
		return nil, topical
	}
	a, err := lookup(r, o.A)
	if err != nil {
		return nil, err
	}
	b, err := lookup(r, o.B)
	if err != nil {
		return nil, err
	}
	out := &ExplainAnswer{
		Pair: runs.PairOf(runs.RefOf(r, a), runs.RefOf(r, b)), A: explainSide(r, a), B: explainSide(r, b),
		LinkedBy: topics.Together(r, a, b), Shared: []string{}, Absent: absentFrom(r),
	}
	if topical == nil {
		x := topics.Explain(r, a, b)
		x.Terms = x.Terms[:min(len(x.Terms), o.Terms)]
		out.A.From, out.B.From = BagFrom{x.Links.A, x.Content.A}, BagFrom{x.Links.B, x.Content.B}
		out.Explanation, out.Shared = x, List(topics.Shared(r, a, b, topics.ByBoth, mostShared))
	}
	if d, err := texts.Overlap(r, a, b); err == nil {
		out.Texts = &TextsPair{d.Relation, d.Resemblance, d.ThisInOther, d.OtherInThis, d.Estimated}
	}
	if !o.Texts {
		return out, nil
	}
	lines, err := texts.Diff(ctx, r, a, b, false)
	if err != nil {
		return nil, err
	}
	for _, l := range lines {
		if l.A != nil {
			out.LinesA++
		}
		if l.B != nil {
			out.LinesB++
		}
	}
	out.Lines = Cut(&out.Portion, lines, o.Window)
	return out, nil
}

func explainSide(r *Run, id uint32) ExplainSide {
	bag, captures := topics.Bag(r, id), runs.CapturesOf(r, r.URL(id))
	return ExplainSide{
		Document: documentOf(r, id), Bag: bag.Sum(), Terms: bag.Len(), Cluster: topicalOf(r, id), Quotes: QuotesOf(r, id),
		Captures: captures[:min(len(captures), MostCaptures)],
	}
}

package ask

import (
	"context"

	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/runs"
)

// PageAnswer is what the run knows about a document: what others say about it, and what it says itself.
type PageAnswer struct {
	Asked string `json:"asked" doc:"the URL as it was asked for; a redirect may have been followed"`
	Document
	Anchors   []string             `json:"anchors" doc:"texts of the links to it, the most common first"`
	Quotes    []Quote              `json:"quotes" doc:"sentences that link to it"`
	Hosts     []runs.HostLinks     `json:"hosts" doc:"hosts of pages that link to it, those with the most pages first, at most 12"`
	Bag       []topics.BagWord     `json:"bag" doc:"words of its bag, those with the largest counts first, at most 40; each field of a bag has the same sum"`
	Topical   *TopicalMembership   `json:"topical,omitempty" doc:"cluster by what others say about it; missing in a run without this view"`
	Syntactic *SyntacticMembership `json:"syntactic,omitempty" doc:"cluster by its text; missing if the run does not hold its text"`
	Captures  []Capture            `json:"captures" doc:"captures of the URL, in a run that keeps all"`
	From      []runs.RedirectHere  `json:"redirects_here" doc:"URLs that the crawl redirects to the document, at most 50"`
	AllFrom   int                  `json:"all_redirects_here" doc:"number of such URLs"`
	Absent
}

// Page asks what the run knows about the document at a URL.
type Page struct {
	URL string `required:"true" doc:"URL of the document, in any form" example:"postgresql.org/docs/15/gin.html"`
}

// Ask answers the question.
func (o Page) Ask(_ context.Context, r *Run) (*PageAnswer, error) {
	id, err := Lookup(r, o.URL)
	if err != nil {
		return nil, err
	}
	out := &PageAnswer{
		Asked: o.URL, Document: documentOf(r, id), Anchors: List(runs.Anchors(r, id, mostAnchors)), Quotes: QuotesOf(r, id),
		Hosts: List(runs.LinkingHosts(r, id, mostHosts)), Bag: List(topics.BagWords(r, id, mostBagWords)),
		Topical: topicalOf(r, id), Syntactic: syntacticOf(r, id), Absent: absentFrom(r),
	}
	captures := List(runs.CapturesAt(r, o.URL))
	out.Captures = captures[:min(len(captures), MostCaptures)]
	from, all := runs.RedirectsTo(r, id, mostRedirects)
	out.From, out.AllFrom = List(from), all
	return out, nil
}

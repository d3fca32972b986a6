package ask

import (
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
)

// Bounds on what an answer shows.
const (
	MostCaptures  = 50
	mostRedirects = 50 // redirects to a document
	mostQuotes    = 20
	mostAnchors   = 10
	mostHosts     = 12
	mostBagWords  = 40
	mostShared    = 6 // shared words
)

// documentOf returns what the run knows about a document.
func documentOf(r *Run, id uint32) Document {
	d := r.Document(id)
	d.Ref = runs.RefOf(r, id)
	return d
}

// QuotesOf returns sentences that link to a document. It omits pages that ask not to be indexed or quoted.
func QuotesOf(r *Run, id uint32) []Quote {
	out := []Quote{}
	for _, q := range runs.Quotes(r, id) {
		if id, err := r.Lookup(q.Source); err == nil && r.Docs.Hidden(id) {
			continue
		}
		if len(out) == mostQuotes {
			break
		}
		out = append(out, q)
	}
	return out
}

// Absent names the view that a run was built without. Answers to which both views contribute embed it.
type Absent struct {
	AbsentView string `json:"absent_view,omitempty" enum:"topical,syntactic" doc:"view that a run was built without, so that what it tells is missing"`
}

// Said says that a view is absent, in a sentence after others, or returns "".
func (a Absent) Said() string {
	if a.AbsentView == "" {
		return ""
	}
	return " The " + a.AbsentView + " view was not built, so what it tells is missing."
}

func absentFrom(all ...*Run) (a Absent) {
	for _, r := range all {
		for _, view := range []string{config.Topical, config.Syntactic} {
			if !r.Config.Has(view) {
				a.AbsentView = view
			}
		}
	}
	return a
}

// topicalOf returns the topical cluster of a document, or nil in a run without this view.
func topicalOf(r *Run, id uint32) *TopicalMembership {
	if r.Need("topical") != nil {
		return nil
	}
	m := topics.MembershipOf(r, id)
	return &m
}

// SyntacticMembership names the syntactic cluster of a page.
type SyntacticMembership struct {
	ID             string `json:"id" doc:"of the cluster, for /v1/cluster/{id}?view=syntactic"`
	Representative string `json:"representative" doc:"URL of the page that represents the cluster"`
	Size           int    `json:"size" doc:"pages"`
}

// syntacticOf returns the syntactic cluster of a document, or nil if the run does not have its text.
func syntacticOf(r *Run, id uint32) *SyntacticMembership {
	c, err := texts.ClusterOf(r, id)
	if err != nil {
		return nil
	}
	return &SyntacticMembership{c.ID, r.URL(c.Representative), c.Size}
}

package ask

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/runs"
)

// DuplicatesAnswer lists the pages with texts similar to that of one page.
type DuplicatesAnswer struct {
	URL       string      `json:"url" doc:"canonical URL of the page that was asked about" row:"of"`
	Items     []Duplicate `json:"items" doc:"the most similar first"`
	All       bool        `json:"all" doc:"false if there are more pages, which were not compared because there are too many"`
	Estimated bool        `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
	Label     string      `json:"page_label,omitempty" doc:"why the page is not content, such as not-found"`
	Words     string      `json:"words" doc:"what was compared, and what the list may miss"`
	Portion
}

// Duplicates asks which pages equal, resemble, contain or are contained in the page at a URL, or are connected to it
// through other pages of its cluster. Window.Most also limits the number of pages compared.
type Duplicates struct {
	URL    string  `required:"true" doc:"URL of the page, in any form" example:"postgresql.org/docs/15/gin.html"`
	Min    float64 `most:"1" value:"R" doc:"list pages with at least this resemblance or containment, either way"`
	Window `limit:"20"`
}

// Ask answers the question.
func (o Duplicates) Ask(_ context.Context, r *Run) (*DuplicatesAnswer, error) {
	id, err := LookupPage(r, o.URL)
	if err != nil {
		return nil, err
	}
	found, all, err := texts.Duplicates(r, id, cmp.Or(o.Most, math.MaxInt))
	if err != nil {
		return nil, Unknown(r, o.URL, err)
	}
	found = slices.DeleteFunc(found, func(d Duplicate) bool { return d.Most() < o.Min })
	out := &DuplicatesAnswer{
		URL: r.URL(id), All: all, Estimated: runs.Sketches(r) != "", Label: r.Docs.At(id).Label.String(), Words: duplicateWords(r, id),
	}
	out.Items = Cut(&out.Portion, found, o.Window)
	for i := range out.Items {
		out.Items[i].Ref = runs.RefOf(r, out.Items[i].ID)
	}
	return out, nil
}

package answer

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/lshclust/lshclust/internal/query"
)

// DuplicatesAnswer lists the pages with texts similar to that of one page.
type DuplicatesAnswer struct {
	Of        string            `json:"of" doc:"canonical URL of the page that was asked about" row:"true"`
	Items     []query.Duplicate `json:"items" doc:"the most similar first"`
	Total     int               `json:"total" doc:"pages of the list, over all portions"`
	All       bool              `json:"all" doc:"false if there are more pages, which were not compared because there are too many"`
	Estimated bool              `json:"estimated" doc:"whether the run keeps sketches, so that figures are estimates"`
	Label     string            `json:"label,omitempty" doc:"why the page that was asked about is not content, such as not-found"`
	Words     string            `json:"words" doc:"what was compared, and what the list may miss"`
	Portion
}

// DuplicatesOptions choose the pages to list. Window.Most also limits the number of pages compared.
type DuplicatesOptions struct {
	Window
	Min float64 // smallest resemblance or containment
}

// Duplicates lists the pages that equal, resemble, contain or are contained in the page at a URL, and those connected
// to it through other pages of its cluster.
func Duplicates(_ context.Context, r *query.Run, url string, o DuplicatesOptions) (*DuplicatesAnswer, error) {
	id, err := LookupPage(r, url)
	if err != nil {
		return nil, err
	}
	found, all, err := r.Duplicates(id, cmp.Or(o.Most, math.MaxInt))
	if err != nil {
		return nil, Unknown(r, url, err)
	}
	found = slices.DeleteFunc(found, func(d query.Duplicate) bool { return d.Most() < o.Min })
	out := &DuplicatesAnswer{Of: r.URL(id), Total: len(found), All: all, Estimated: r.Sketches() != "", Label: r.Label(id), Words: duplicateWords(r, id)}
	out.Items = Cut(&out.Portion, found, o.Window)
	for i := range out.Items {
		out.Items[i].Name = r.NameOf(out.Items[i].ID)
	}
	return out, nil
}

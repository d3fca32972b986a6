package pages

import (
	"cmp"
	"context"

	"github.com/lshclust/lshclust/ask"
)

// home is the start page of a run.
type home struct {
	SearchAt string // "" without a search
	Box      box
	Queries  []Link // examples
	Pages    []Link // examples
	Numbers  Facts
	Lead     string
	Picture  *overview
	All      Link  // link to the list of topics
	None     Empty // shown if there are no topics
}

// box is the data of the template "searchbox".
type box struct{ Search, Run string }

// mostExamples is the number of examples of queries and of pages.
const mostExamples = 3

func showHome(ctx context.Context, q *Question) (*View, error) {
	counts := q.Run.Manifest.Counts
	h := &home{
		SearchAt: q.place("/search", nil), Box: box{"", q.run},
		Numbers: Facts{
			{"pages known", Link{count(counts["documents"]), q.To("/hosts")}}, {"of them crawled", Link{count(counts["pages"] - counts["captures_superseded"]), q.To("/run")}}},
		None: Empty{Text: "No topic has more than one document."},
	}
	for _, of := range [...]struct{ view, name, count, path string }{
		{"topical", "topics", "topics", "/topics"}, {"syntactic", "groups of copies", "syntactic_clusters_of_two_or_more", "/copies"},
	} {
		if q.Run.Need(of.view) == nil {
			h.Numbers = append(h.Numbers, Fact{of.name, Link{count(counts[of.count]), q.To(of.path)}})
		}
	}
	v := &View{Title: "Start", JSON: q.JSON("stats"), Data: h}
	if q.Run.Need("topical") != nil {
		h.None = Empty{Text: "The run was built without the view of what others say about a page, so it has no topics."}
		return v, nil
	}
	a, err := ask.Defaults(ask.Overview{}).Ask(ctx, q.Run.Run)
	if err != nil {
		return nil, err
	}
	h.examples(q, a.Items)
	if len(a.Items) > 0 {
		h.Lead, h.Picture, h.All = a.Lead, overviewOf(q, "Topics of the crawl, the largest first", a), Link{"All topics as a list", q.To("/topics")}
	}
	return v, nil
}

// examples fills in the examples: of each of the largest topics its name, and the document that most hosts link to.
func (h *home) examples(q *Question, areas []ask.Area) {
	for _, a := range areas[:min(len(areas), mostExamples)] {
		h.Queries = append(h.Queries, Link{a.Title, q.To("/search", "q", a.Title)})
		for _, e := range a.Examples[:min(1, len(a.Examples))] {
			h.Pages = append(h.Pages, Link{cmp.Or(e.Name, short(e.URL)), q.Page(e.URL)})
		}
	}
}

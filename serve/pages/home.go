package pages

import (
	"context"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/internal/query"
)

func homePage() *Page {
	return &Page{Name: "home", Path: "/{$}", Show: showHome}
}

// home is the start page of a run.
type home struct {
	SearchAt string // "" without a search
	Box      box
	Queries  []Link // examples
	Pages    []Link // examples
	Numbers  Facts
	Topics   topicList
	All      Link  // link to all topics, "" if all are shown
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
			{"pages known", counts["documents"]}, {"of them crawled", counts["pages"]}},
		None: Empty{Text: "No topic has more than one document."},
	}
	for _, of := range [...]struct{ view, name string }{{"topical", "topics"}, {"syntactic", "groups of copies"}} {
		if q.Run.Need(of.view) == nil {
			h.Numbers = append(h.Numbers, Fact{of.name, counts[of.view+"_clusters_of_two_or_more"]})
		}
	}
	v := &View{Title: "Start", JSON: q.JSON("stats"), Data: h}
	if q.Run.Need("topical") != nil {
		h.None = Empty{Text: "The run was built without the view of what others say about a page, so it has no topics."}
		return v, nil
	}
	tops, err := topsOf(ctx, q.Run)
	if err != nil {
		return nil, err
	}
	h.examples(q, tops)
	h.Topics = topicList{Name: "The largest topics", Rows: topicRows(q, slices.Clone(tops[:min(len(tops), topicsOfHome)]))}
	if len(tops) > topicsOfHome {
		h.All = Link{"All topics", q.To("/topics")}
	}
	return v, nil
}

// examples fills in the examples: of each of the largest topics with a label, the first phrase of its label, and the
// document that most hosts link to.
func (h *home) examples(q *Question, tops []query.TreeNode) {
	for _, n := range tops {
		phrase, _, _ := strings.Cut(n.Label, ", ")
		if phrase == "" {
			continue
		}
		h.Queries = append(h.Queries, Link{phrase, q.To("/search", "q", phrase)})
		for _, id := range q.Run.BestLinked(n, 1) {
			h.Pages = append(h.Pages, Link{nameOf(q.Run, id), q.Page(q.Run.URL(id))})
		}
		if len(h.Queries) == mostExamples {
			break
		}
	}
}

package pages

import (
	"context"
	"errors"

	"github.com/lshclust/lshclust/serve/api"
)

func homePage() *Page {
	return &Page{Name: "home", Path: "/{$}", Show: showHome}
}

// home is the start page of a run.
type home struct {
	SearchAt string // "" without a search
	Box      box
	Numbers  Facts
	Topics   Bars
	None     Empty // shown if there are no topics
}

// box is the data of the template "searchbox".
type box struct{ Search, Run string }

func showHome(ctx context.Context, q *Question) (*View, error) {
	counts := q.Run.Manifest.Counts
	h := &home{
		SearchAt: q.place("/search", nil), Box: box{"", q.run},
		Numbers: Facts{
			{"pages known", counts["documents"]}, {"of them crawled", counts["pages"]}, {"topics", counts["topical_clusters_of_two_or_more"]},
			{"groups of copies", counts["syntactic_clusters_of_two_or_more"]},
		},
		None: Empty{Text: "No topic has more than one document."},
	}
	if q.Run.Need("topical") != nil {
		h.None = Empty{Text: "The run was built without the view of what others say about a page, so it has no topics."}
		return &View{Title: "Start", JSON: q.JSON("stats"), Data: h}, nil
	}
	largest, err := largestClusters(ctx, q.Run)
	if err != nil {
		return nil, err
	}
	h.Topics.Caption = "The largest topics, and how many documents each has"
	for _, t := range largest {
		h.Topics.List = append(h.Topics.List, Bar{Link{phrases(t.label), q.Cluster("topical", t.id)}, t.size, float64(t.size) / float64(largest[0].size), Web})
	}
	return &View{Title: "Start", JSON: q.JSON("stats"), Data: h}, nil
}

// topic is a topical cluster on the home page.
type topic struct {
	id    string
	label []string
	size  int
}

// mostTopics is the number of clusters on the home page.
const mostTopics = 48

// largestClusters returns the largest topical clusters with a label. It scans all documents, once for each run.
func largestClusters(ctx context.Context, r *api.Run) ([]topic, error) {
	return api.Kept(ctx, r, nil, "largest topical clusters", "The largest clusters of the run are being counted, once.", func(context.Context) (out []topic, err error) {
		all, err := r.TopicalClusters()
		for _, c := range all {
			if len(c.Label) > 0 && len(out) < mostTopics {
				out = append(out, topic{c.ID, c.Label, c.Size})
			}
		}
		return out, errors.Join(err, r.Err())
	})
}

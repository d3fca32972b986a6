package pages

import (
	"cmp"
	"context"
	"slices"

	"github.com/lshclust/lshclust/serve/api"
)

func homePage() *Page {
	return &Page{Name: "home", Path: "/{$}", Show: showHome}
}

// home is the way in to a run.
type home struct {
	SearchAt string // "" for no search
	Box      box
	Numbers  Facts
	Topics   Bars
	None     Empty // without topics
}

// box is what the template "searchbox" shows.
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

// largestClusters returns the largest topical clusters that have a label. It looks through all documents, once for a
// run.
func largestClusters(ctx context.Context, r *api.Run) ([]topic, error) {
	return api.Kept(ctx, r, "largest topical clusters", "The largest clusters of the run are being counted, once.", func(context.Context) ([]topic, error) {
		size := make([]uint32, r.Len())
		for _, center := range r.TopicalCenters() {
			if int64(center) < int64(len(size)) {
				size[center]++
			}
		}
		var large []uint32
		for center, n := range size {
			if n > 1 {
				large = append(large, uint32(center))
			}
		}
		slices.SortFunc(large, func(a, b uint32) int { return cmp.Or(cmp.Compare(size[b], size[a]), cmp.Compare(a, b)) })
		var out []topic
		for _, center := range large {
			if m := r.TopicalMembership(center); len(m.Label) > 0 {
				out = append(out, topic{m.ID, m.Label, int(size[center])})
			}
			if len(out) == mostTopics {
				break
			}
		}
		return out, r.Err()
	})
}

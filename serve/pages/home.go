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
	SearchAt, Surprise string
	Run                string // for the search form, "" for the first run
	Documents, Crawled int
	Clusters, Copies   int
	Map                *treemap
	Table              Table
	None               Empty
}

func showHome(ctx context.Context, q *Question) (*View, error) {
	h := &home{SearchAt: q.place("/search", nil), Run: q.run, Surprise: q.To("/surprise"), Documents: q.Run.Len()}
	counts := q.Run.Manifest.Counts
	h.Crawled, h.Clusters, h.Copies = int(counts["pages"]), int(counts["topical_clusters_of_two_or_more"]), int(counts["syntactic_clusters_of_two_or_more"])
	if q.Run.Need("topical") == nil {
		largest, err := largestClusters(ctx, q.Run)
		if err != nil {
			return nil, err
		}
		h.Map, h.Table = mapOf(q, largest)
	} else {
		h.None = Empty{Text: "The run was built without the view of what others say about a page, so it has no topics."}
	}
	return &View{Title: "Start", JSON: q.JSON("stats"), Data: h}, nil
}

// topic is a topical cluster on the home page.
type topic struct {
	id, center string
	label      []string
	size       int
}

// mostTopics is the number of the clusters on the home page.
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
			m := r.TopicalMembership(center)
			if len(m.Label) == 0 {
				continue
			}
			if out = append(out, topic{m.ID, r.Document(center).URL, m.Label, int(size[center])}); len(out) == mostTopics {
				break
			}
		}
		return out, r.Err()
	})
}

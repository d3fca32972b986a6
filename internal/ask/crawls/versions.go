package crawls

import (
	"strings"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/versions"
)

// keptPages returns, for each page of a version of a site that readers should not find, the same page of the version that
// they should.
func keptPages(r *runs.Run) map[uint32]uint32 {
	sites, places := versions.Find(runs.PageURLs(r))
	kept, out := map[string]string{}, map[uint32]uint32{}
	for _, s := range sites {
		kept[s.Name] = s.Kept
	}
	for url, p := range places {
		top := strings.TrimSuffix(p.Site, "*")
		if v := kept[p.Site]; v != "" {
			top += v + "/"
		}
		id, _ := r.At(url)
		if to, ok := r.At(strings.TrimSuffix(top+p.Page, "/")); ok && to != id {
			out[id] = to
		}
	}
	return out
}

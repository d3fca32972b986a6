package gold

import (
	"net/url"
	"strings"

	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/query"
)

// TreeName is the name of the gold made from a run.
const TreeName = "tree"

// Tree makes a gold from the folders in the URLs of the crawled pages of a run. The first level is the host, and each
// folder is another level. The last segment is the page itself and not part of the path.
func Tree(r *query.Run) *Gold {
	g := &Gold{Name: TreeName}
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		if !d.Crawled {
			continue
		}
		u, err := url.Parse(d.URL)
		if err != nil || u.Host == "" { // a document whose name is not a URL
			g.skip(BadURL, TreeName, int(id), d.URL)
			continue
		}
		path := strings.Split(u.Path, "/")
		g.Labels = append(g.Labels, score.Label{URL: strings.Clone(d.URL), Path: levels(append([]string{u.Host}, path[:len(path)-1]...))})
	}
	return g
}

package evaluate

import (
	"net/url"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
)

// Gold reads a gold by its name: a file, or tree for the folders of the run itself.
func Gold(name string, r *runs.Run) (*gold.Gold, error) {
	if name != "tree" {
		return gold.Read(name, r.Rules)
	}
	return tree(r), nil
}

// tree makes a gold from the folders in the URLs of the crawled pages of a run. The first level is the host, and each
// folder is another level. The last segment is the page itself and not part of the path.
func tree(r *runs.Run) *gold.Gold {
	g := &gold.Gold{Name: "tree"}
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		if !d.Crawled {
			continue
		}
		u, err := url.Parse(d.URL)
		if err != nil || u.Host == "" { // a document whose name is not a URL
			g.Skipped.Add(gold.BadURL, g.Name, d.URL)
			continue
		}
		path := strings.Split(u.Path, "/")
		path = slices.DeleteFunc(path[:len(path)-1], func(level string) bool { return strings.TrimSpace(level) == "" })
		g.Labels = append(g.Labels, score.Label{URL: strings.Clone(d.URL), Path: append([]string{u.Host}, path...)})
	}
	return g
}

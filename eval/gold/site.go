package gold

import (
	"context"
	"net/url"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/query"
)

// Names of the golds made from a run.
const (
	TreeName        = "tree"
	BreadcrumbsName = "breadcrumbs"
)

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

// NoBreadcrumbs is the reason for a page without breadcrumbs.
const NoBreadcrumbs = "no-breadcrumbs"

// Breadcrumbs makes a gold from the breadcrumbs on the pages of a run (schema.org BreadcrumbList, as JSON-LD or
// microdata). It reads the pages from the inputs again. The first level is the host; crumbs for the top of the site and
// for the page itself are left out. A page may have several trails.
func Breadcrumbs(ctx context.Context, r *query.Run) (*Gold, error) {
	g := &Gold{Name: BreadcrumbsName}
	err := r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		found := false
		for _, trail := range trails(p.HTML) {
			if path := trailPath(trail, p, r.Rules()); len(path) > 0 {
				g.Labels = append(g.Labels, score.Label{URL: strings.Clone(r.Document(id).URL), Path: path})
				found = true
			}
		}
		if !found {
			g.skip(NoBreadcrumbs, p.Pos.File, int(p.Pos.Record), p.Canonical)
		}
		return nil
	})
	return g, err
}

// trailPath returns the category path of a trail, or nil if it names no category.
func trailPath(trail []crumb, p *crawl.Page, rules *urls.Rules) []string {
	base, err := urls.Base(p.URL, "")
	if err != nil {
		return nil
	}
	page, err := url.Parse(p.Canonical)
	if err != nil {
		return nil
	}
	path := []string{page.Host}
	for i, c := range trail {
		to := ""
		if c.url != "" {
			to, _ = rules.Resolve(base, c.url) // a crumb without a valid URL only has a name
		}
		u, err := url.Parse(to)
		top := to != "" && err == nil && strings.Trim(u.Path, "/") == "" && u.RawQuery == ""
		self := to == p.Canonical || i == len(trail)-1 && to == ""
		if !top && !self {
			path = append(path, c.name)
		}
	}
	return levels(path)
}

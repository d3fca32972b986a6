package golds

import (
	"context"
	"net/url"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/runs"
)

// breadcrumbs reads the breadcrumbs on the pages of a run (schema.org BreadcrumbList, as JSON-LD or microdata) from its
// inputs. The first level is the host; crumbs for the top of the site and for the page itself are left out. A page may have
// several trails.
func breadcrumbs(ctx context.Context, run string, to *rows) error {
	r, err := runs.Open(run)
	if err != nil {
		return err
	}
	defer r.Close()
	return r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		for _, trail := range trails(p.HTML) {
			if path := trailPath(trail, p, r.Rules); len(path) > 1 {
				to.add(r.Document(id).URL, path)
			}
		}
		return nil
	})
}

// trailPath returns the category path of a trail.
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
	return path
}

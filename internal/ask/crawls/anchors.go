package crawls

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ascii"
	"github.com/lshclust/lshclust/internal/capture"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// Anchor is a place within a gone page, and where it is now.
type Anchor struct {
	URL    string    `json:"url" doc:"canonical, with the fragment"`
	NewURL string    `json:"new_url" doc:"as the site writes it, with the fragment if there is one"`
	How    moved.How `json:"how" doc:"by what the new place was found"`
	Score  float64   `json:"score"`
	Links  int       `json:"links" doc:"to the anchor in the crawl that has the page"`
}

// Anchors finds, for the pages whose verdict names a place, where the headings and the ids that links point to are
// now. It reads the inputs of the runs again, because a run keeps neither headings nor fragments.
func Anchors(ctx context.Context, c *Crawls, lost []LostPage) ([]Anchor, error) {
	target := map[uint32]bool{}
	for i := range lost {
		for _, p := range lost[i].Verdict.Places {
			target[p.Page] = true
		}
	}
	pages, err := sections(ctx, c.Last(), target, moved.Sections, false)
	if err != nil {
		return nil, err
	}
	found := make([][]Anchor, len(lost))
	for run, r := range c.runs[:len(c.runs)-1] {
		wanted := map[uint32]bool{}
		for i := range lost {
			if lost[i].Run == run && len(lost[i].Verdict.Places) > 0 {
				wanted[lost[i].Verdict.Page] = true
			}
		}
		if len(wanted) == 0 {
			continue
		}
		old, err := sections(ctx, r, wanted, moved.Sections, true)
		if err != nil {
			return nil, err
		}
		for i := range lost {
			if lost[i].Run == run && len(lost[i].Verdict.Places) > 0 {
				found[i] = anchorsOf(&lost[i], old[lost[i].Verdict.Page], pages)
			}
		}
	}
	return slices.Concat(found...), nil
}

// divided is a page with its sections and the links to them.
type divided struct {
	url      string // as written by the site
	sections []moved.Section
	linked   map[string]int // number of links by fragment
}

// anchors returns the first id of each heading, and all ids that links point to, sorted.
func (d *divided) anchors() (ids []string) {
	for _, s := range d.sections {
		if s.Heading != "" && len(s.IDs) > 0 {
			ids = append(ids, s.IDs[0])
		}
	}
	for id := range d.linked {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// anchorsOf maps the first id of each heading of a page, and all ids that links point to, to their new places.
func anchorsOf(p *LostPage, old *divided, pages map[uint32]*divided) (out []Anchor) {
	if old == nil {
		return nil
	}
	places := make([][]moved.Section, len(p.Verdict.Places))
	for i, place := range p.Verdict.Places {
		if d := pages[place.Page]; d != nil {
			places[i] = d.sections
		}
	}
	for _, id := range old.anchors() {
		t := moved.MapAnchor(id, old.sections, places)
		a := Anchor{URL: withFragment(p.URL, id), How: t.How, Score: t.Score, Links: old.linked[id]}
		if d := pages[p.Verdict.Places[t.Place].Page]; d != nil {
			a.NewURL = d.url
		}
		if t.ID != "" {
			a.NewURL = withFragment(a.NewURL, t.ID)
		}
		out = append(out, a)
	}
	return out
}

// withFragment returns the URL of a part of a page.
func withFragment(page, id string) string {
	return page + "#" + (&url.URL{Fragment: id}).EscapedFragment()
}

// sections reads the inputs of a run, divides the wanted pages at their headings with divide, and with links counts the links of all
// pages to parts of them.
func sections(ctx context.Context, r *runs.Run, wanted map[uint32]bool, divide func(page []byte) []moved.Section, links bool) (map[uint32]*divided, error) {
	parser, err := r.Parser()
	if err != nil {
		return nil, err
	}
	out := make(map[uint32]*divided, len(wanted))
	for id := range wanted {
		out[id] = &divided{url: r.Docs.URL(id), linked: map[string]int{}}
	}
	err = r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		if !runs.IsSource(r, id, p) {
			return nil // a superseded capture
		}
		if d := out[id]; d != nil {
			d.url, _, _ = strings.Cut(strings.Clone(p.URL), "#")
			d.sections = divide(p.HTML)
		}
		if !links {
			return nil
		}
		doc := capture.Parse(parser, p)
		base, err := urls.Base(p.URL, doc.Base)
		if err != nil {
			return nil //nolint:nilerr // no link of the page can be resolved
		}
		for i := range doc.Links {
			href, fragment, _ := strings.Cut(doc.Links[i].Href, "#")
			if fragment == "" || href == "" {
				continue // links within a page are gone with it
			}
			fragment = ascii.Unescaped(fragment)
			to, err := r.Rules.Resolve(base, href)
			if at, known := r.Docs.Find(to); err == nil && known && out[at] != nil {
				out[at].linked[strings.Clone(fragment)]++
			}
		}
		return nil
	})
	return out, err
}

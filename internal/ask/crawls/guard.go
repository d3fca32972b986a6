package crawls

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// Site describes the site of a run for rules. base is its URL, or "" if rules are for the hosts in them.
func Site(r *runs.Run, base string) rules.Site {
	return rules.Site{Base: strings.TrimSuffix(base, "/"), HTML: rules.HTML(runs.PageURLs(r)), Canonical: r.Canonical, Form: r.Seen}
}

// Host returns the scheme and the host with most pages.
func Host(r *runs.Run) string {
	count := map[string]int{"": 0}
	for _, url := range runs.PageURLs(r) {
		name, _ := urls.Cut(url)
		count["https://"+name]++
	}
	return slices.MaxFunc(slices.Sorted(maps.Keys(count)), func(a, b string) int { return count[a] - count[b] })
}

// KnownURL is a URL that a site must answer.
type KnownURL struct {
	URL      string // canonical
	Fragment string // id of a part of the page, or ""
	File     string // that lists it
	Line     int    // of the file; 0 for a URL of a run
}

// NearestPages returns for each of some URLs the page of its host in the run with the most similar URL, or "".
func NearestPages(r *runs.Run, urls []string) []string {
	out := make([]string, len(urls))
	for i, near := range runs.Suggest(r, urls, 10) {
		host, _ := runs.Split(urls[i])
		for _, url := range slices.Backward(near) {
			of, _ := runs.Split(url)
			if _, ok := r.At(url); ok && of == host {
				out[i] = url
			}
		}
	}
	return out
}

// KnownAnchors returns the URLs of the headings of the pages of a run and of what links point to within them.
func KnownAnchors(ctx context.Context, r *runs.Run) ([]KnownURL, error) {
	wanted := map[uint32]bool{}
	for id := range uint32(r.Docs.Len()) {
		if r.There(id) {
			wanted[id] = true
		}
	}
	pages, err := sections(ctx, r, wanted, moved.Anchors, true)
	var out []KnownURL
	for _, id := range slices.Sorted(maps.Keys(pages)) {
		d := pages[id]
		for _, anchor := range d.anchors() {
			if moved.Has(d.sections, anchor) {
				out = append(out, KnownURL{URL: r.Docs.URL(id), Fragment: anchor})
			}
		}
	}
	return out, err
}

// LostAnchor is a known URL whose page lacks the part that it points at.
type LostAnchor struct {
	At     int    // index of the known URL
	Page   string // the page where it leads
	NewURL string // where the part is now; empty if it is nowhere
	Score  float64
}

// LostAnchors returns the known URLs with a fragment whose pages lack it. ends are the URLs at which they end. It reads
// the inputs of the runs again.
func LostAnchors(ctx context.Context, c *Crawls, known []KnownURL, ends []string) (out []LostAnchor, err error) {
	last := c.Last()
	wanted := map[uint32]bool{}
	end := func(i int) (id uint32, fragment string, ok bool) {
		url, fragment, _ := strings.Cut(ends[i], "#")
		id, ok = last.At(url)
		return id, cmp.Or(fragment, known[i].Fragment), ok && cmp.Or(fragment, known[i].Fragment) != ""
	}
	for i := range known {
		if id, _, ok := end(i); ok {
			wanted[id] = true
		}
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	pages, err := sections(ctx, last, wanted, moved.Anchors, false)
	if err != nil {
		return nil, err
	}
	clear(wanted)
	for i := range known {
		if id, fragment, ok := end(i); ok && !moved.Has(pages[id].sections, fragment) {
			out, wanted[id] = append(out, LostAnchor{At: i, Page: pages[id].url}), true
		}
	}
	if len(out) == 0 || len(c.runs) == 1 {
		return out, nil
	}
	if pages, err = sections(ctx, last, wanted, moved.Sections, false); err != nil {
		return nil, err
	}
	return out, c.placeAnchors(ctx, known, out, pages, end)
}

// placeAnchors finds the new places of lost anchors by the texts of earlier runs.
func (c *Crawls) placeAnchors(ctx context.Context, known []KnownURL, lost []LostAnchor, pages map[uint32]*divided, end func(i int) (uint32, string, bool)) error {
	for _, r := range slices.Backward(c.runs[:len(c.runs)-1]) {
		wanted := map[uint32]bool{}
		for i := range lost {
			if id, ok := r.At(known[lost[i].At].URL); ok && lost[i].NewURL == "" {
				wanted[id] = true
			}
		}
		if len(wanted) == 0 {
			continue
		}
		old, err := sections(ctx, r, wanted, moved.Sections, false)
		if err != nil {
			return err
		}
		for i := range lost {
			l := &lost[i]
			id, ok := r.At(known[l.At].URL)
			to, _, _ := end(l.At)
			if !ok || l.NewURL != "" {
				continue
			}
			t := moved.MapAnchor(known[l.At].Fragment, old[id].sections, [][]moved.Section{pages[to].sections})
			if t.ID != "" {
				l.NewURL, l.Score = withFragment(l.Page, t.ID), t.Score
			}
		}
	}
	return nil
}

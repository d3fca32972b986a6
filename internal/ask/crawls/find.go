package crawls

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// ErrNoURL is wrapped by the error of [Find] for a text that is no URL.
var ErrNoURL = errors.New("is not a URL of the web")

// How is the way in which a page was found for a dead URL.
type How string

// Ways to find a page. A verdict on the content of a gone page is another one, named like its moved.Kind.
const (
	HowThere    How = "there"    // the last run has a page at the URL
	HowRedirect How = "redirect" // a crawl redirects the URL there
	HowText     How = "text"     // its text shares shingles with the page that was at the URL
	HowLinks    How = "links"    // the words around the links to both are similar
	HowURL      How = "url"      // the URLs are similar
)

// Sighting is what a run knows of a URL.
type Sighting struct {
	Run      string      `json:"run"`
	Known    texts.Known `json:"known" doc:"the text of a page, links to it, or nothing" enum:"page,links,nothing"`
	Name     string      `json:"name,omitempty" doc:"title of the page"`
	Time     time.Time   `json:"time,omitzero" doc:"when the page was fetched; missing if the crawl does not say"`
	Redirect string      `json:"redirect,omitempty" doc:"where the URL redirects"`
}

// FoundPage is a page of the last run that may be what was at a URL, or a document that the run knows only from links.
type FoundPage struct {
	runs.Ref
	How   How      `json:"how" doc:"how it was found: there: the run has a page at the URL; redirect; the verdict on the page that an earlier run has; text: it shares text with that page; links: the words around the links to both are alike; url: the URLs are alike" enum:"there,redirect,moved,merged into,split into,succeeded by,text,links,url"`
	Score float64  `json:"score" doc:"confidence of a verdict, resemblance, or similarity of the words around the links; 1 for a page that is there and for a redirect, 0 for a similar URL" least:"0" most:"1"`
	Why   []string `json:"why" doc:"the evidence, in words"`

	id uint32
}

// LostURL is the answer about a URL.
type LostURL struct {
	URL   string     // canonical URL
	Seen  []Sighting // for each run, without its name
	Lost  *LostPage  // the verdict on the page of an earlier run, or nil
	Pages []FoundPage
}

// Find finds where the content of a URL is in the last run, or which pages are nearest to it: the page at the URL;
// the end of its redirects; the place that the verdict on the page of an earlier run names, and the pages nearest to
// that page by text and by links; if no run has the page, the pages nearest to what the web says about it; and
// finally pages with similar URLs, or, if nothing was found, documents with similar URLs that were not crawled. It returns
// at most top pages for each way to find them; if top is 0, it returns only the page, redirects and the verdict. Each page
// is listed for the first way that finds it.
//
// The first call that needs a verdict computes the verdicts on all gone pages of the runs.
func Find(ctx context.Context, c *Crawls, url string, top int) (*LostURL, error) {
	last := c.Last()
	canonical, err := last.Canonical(url)
	if err != nil {
		return nil, fmt.Errorf("%q %w (%w)", url, ErrNoURL, err)
	}
	f := &finding{crawls: c, top: top, LostURL: &LostURL{URL: canonical}}
	newest := -1 // the newest run that has a page, and that knows the URL
	known := -1
	for i, r := range c.runs {
		s := sighting(r, canonical)
		f.Seen = append(f.Seen, s)
		if s.Known == texts.KnownPage {
			newest = i
		}
		if s.Known != texts.KnownNothing {
			known = i
		}
	}
	if newest == len(c.runs)-1 {
		id, _ := last.Docs.Find(canonical)
		f.add(id, HowThere, 1, f.backAfter()...)
		return f.LostURL, last.Err()
	}
	f.redirected()
	if newest >= 0 {
		err = f.judge(ctx, newest)
	} else if known >= 0 && top > 0 {
		f.said(known)
	}
	if top > 0 {
		f.similarURLs()
	}
	return f.LostURL, errors.Join(err, c.err())
}

// sighting returns what the run knows of a canonical URL.
func sighting(r *runs.Run, url string) Sighting {
	s := Sighting{Known: texts.KnownNothing}
	if to := r.RedirectTarget(url); to != url {
		s.Redirect = to
	}
	id, ok := r.Docs.Find(url)
	if !ok {
		return s
	}
	s.Known = texts.KnownLinks
	if r.There(id) {
		d := r.Document(id)
		s.Known, s.Name, s.Time = texts.KnownPage, d.Title, d.Time
	}
	return s
}

// finding is an answer under construction.
type finding struct {
	*LostURL
	crawls *Crawls
	top    int
}

// add adds a page of the last run unless it was added before.
func (f *finding) add(id uint32, how How, score float64, why ...string) bool {
	if slices.ContainsFunc(f.Pages, func(p FoundPage) bool { return p.id == id }) {
		return false
	}
	last := f.crawls.Last()
	f.Pages = append(f.Pages, FoundPage{runs.RefOf(last, id), how, score, why, id})
	return true
}

// backAfter names the runs that lack a page which runs before and after them have.
func (f *finding) backAfter() (why []string) {
	why = []string{"the last run has a page there"}
	first := slices.IndexFunc(f.Seen, func(s Sighting) bool { return s.Known == texts.KnownPage })
	for i := first + 1; i < len(f.Seen); i++ {
		if f.Seen[i].Known != texts.KnownPage {
			why = append(why, fmt.Sprintf("run %d had none", i+1))
		}
	}
	return why
}

// redirected adds the end of the redirects that a run knows.
func (f *finding) redirected() {
	last := f.crawls.Last()
	for i := len(f.Seen) - 1; i >= 0; i-- {
		to := f.Seen[i].Redirect
		if to == "" {
			continue
		}
		if id, ok := last.At(last.RedirectTarget(to)); ok {
			f.add(id, HowRedirect, 1, fmt.Sprintf("the crawl of run %d redirects the URL there", i+1))
			return
		}
	}
}

// judge adds the new place of the content of a page of the run, and the pages nearest to it.
func (f *finding) judge(ctx context.Context, run int) error {
	id, _ := f.crawls.runs[run].Docs.Find(f.URL)
	p, err := f.crawls.trace(ctx, run, id)
	if err != nil {
		return err
	}
	f.Lost = p
	for _, place := range p.Verdict.Places {
		var via []string
		for _, stop := range p.Via {
			via = append(via, fmt.Sprintf("by way of %s in run %d", stop.URL, stop.Run+1))
		}
		f.add(place.Page, How(p.Verdict.Kind.String()), place.Confidence, append(via, place.Reasons()...)...)
	}
	f.nearest(p.Verdict)
	return nil
}

// nearest adds the candidates of a verdict that are nearest by text and by links.
func (f *finding) nearest(v moved.Verdict) {
	for _, way := range []struct {
		how   How
		score func(e *moved.Evidence) float64
		least float64
	}{
		{HowText, func(e *moved.Evidence) float64 { return max(e.Resemblance, e.OfOld) }, 0.02},
		{HowLinks, func(e *moved.Evidence) float64 { return e.Context }, 0.05},
	} {
		others := slices.Clone(v.Others)
		slices.SortStableFunc(others, func(a, b moved.Place) int { return cmp.Compare(way.score(&b.Evidence), way.score(&a.Evidence)) })
		n := 0
		for _, p := range others {
			if score := way.score(&p.Evidence); n < f.top && score >= way.least && f.add(p.Page, way.how, score, p.Reasons()...) {
				n++
			}
		}
	}
}

// said adds the pages of the last run that links describe most like a URL in the newest run, up to the given one, where
// links describe it.
func (f *finding) said(newest int) {
	last := f.crawls.Last()
	if !last.Config.Has(config.Topical) {
		return
	}
	for i, r := range slices.Backward(f.crawls.runs[:newest+1]) {
		id, ok := r.Docs.Find(f.URL)
		if !ok {
			continue
		}
		by, when := topics.ByLinks, ""
		if r.Config.Bags == config.FromContent {
			by = topics.ByContent
		}
		bag := topics.OfField(r, topics.Bag(r, id), by)
		if bag.Len() == 0 {
			continue
		}
		two := &TwoCrawls{Older: r, Newer: last}
		if r != last {
			two.terms = translation(r, last)
			bag, when = two.translated(bag), fmt.Sprintf(", in run %d and now", i+1)
		}
		f.alike(two.nearest(bag, by), bag, by, when)
		return
	}
}

// alike adds those of some pages of the last run whose bags, by a field, are most like one.
func (f *finding) alike(pages []uint32, bag bags.Bag, by topics.By, when string) {
	last := f.crawls.Last()
	of := func(id uint32) bags.Bag { return topics.OfField(last, topics.Bag(last, id), by) }
	similarity := func(id uint32) float64 { return bags.Similarity(bag, of(id)) }
	slices.SortStableFunc(pages, func(a, b uint32) int { return cmp.Compare(similarity(b), similarity(a)) })
	n := 0
	for _, to := range pages {
		why := fmt.Sprintf("what the web says of both%s: %s", when, strings.Join(topics.SharedOf(last, bag, of(to), mostWhy), " "))
		if s := similarity(to); n < f.top && s > 0 && f.add(to, HowLinks, s, why) {
			n++
		}
	}
}

// mostWhy is the maximum number of shared words given as the reason for a similarity.
const mostWhy = 6

// similarURLs adds pages with URLs similar to the requested one; if nothing is found in any way, documents with such
// URLs that were not crawled.
func (f *finding) similarURLs() {
	last := f.crawls.Last()
	near := slices.DeleteFunc(runs.Suggest(last, []string{f.URL}, 10*f.top)[0], func(url string) bool { return !runs.LikeURL(url, f.URL) })
	add := func(why string, wanted func(id uint32) bool) {
		n := 0
		for _, url := range near {
			if id, _ := last.Docs.Find(url); n < f.top && wanted(id) && f.add(id, HowURL, 0, why) {
				n++
			}
		}
	}
	add("the URL is similar", last.There)
	if len(f.Pages) == 0 && f.Lost == nil {
		add("the URL is similar; the crawl knows it only from links",
			func(id uint32) bool { return !last.Docs.Crawled(id) && last.Docs.At(id).InLinks > 0 })
	}
}

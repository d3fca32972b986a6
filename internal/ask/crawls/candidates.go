package crawls

import (
	"context"
	"maps"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/crawl/urls"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/versions"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// Candidates finds, for each of some documents of the older run, the pages of the newer run that may have its content
// now, with all evidence except that of folders. If wanted is not nil, it selects the candidates; several goroutines
// may call it.
func (s *TwoCrawls) Candidates(ctx context.Context, ids []uint32, wanted func(candidate uint32) bool) ([]moved.Page, error) {
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	out := make([]moved.Page, len(ids))
	alike := s.scanned(ids)
	err := parallel.Each(ctx, len(ids), runtime.GOMAXPROCS(0), func(_, i int) error {
		out[i] = s.candidates(ids[i], alike, wanted)
		return nil
	})
	return out, err
}

// gonePage is a gone page prepared for comparison with candidates.
type gonePage struct {
	id          uint32
	text        ownText
	crawled     bool
	bag         bags.Bag
	names, path []string
	sources     []uint64
	segment     string
	redirect    uint32
	folder      string
}

func (s *TwoCrawls) candidates(old uint32, alike map[uint32][]uint32, wanted func(candidate uint32) bool) moved.Page {
	r, t := s.Newer, s.traces
	g := gonePage{id: old, redirect: tables.None, names: nameWords(s.Older, old), sources: s.Older.Sources.Of(old)}
	url := s.Older.Docs.URL(old)
	switch s.hidden {
	case HideNothing:
		g.folder, g.segment = pathOf(url)
		g.path = pathWords(s.Older, old)
		g.redirect = s.redirect(url)
	case HideFolders:
		_, g.segment = pathOf(url)
		g.path = moved.Words(withoutSuffix(g.segment))
	}
	g.text, g.crawled = s.oldText(old)
	g.bag = s.translated(topics.Bag(s.Older, old))
	found := map[uint32]bool{}
	_, versioned := versions.Split(url)
	add := func(ids ...uint32) {
		for _, id := range ids {
			if kept, ok := t.kept[id]; ok && !versioned && s.hidden == HideNothing { // the site has versions now
				id = kept
			}
			if wanted == nil || wanted(id) {
				found[id] = true
			}
		}
	}
	switch {
	case alike != nil:
		add(alike[old]...)
	case g.crawled:
		add(t.alike(g.text)...)
	}
	add(s.nearest(g.bag, topics.ByBoth)...)
	add(t.named(g.names, "")...)
	add(t.named(g.path, "/")...)
	add(t.linkedBy(g.sources)...)
	if g.redirect != tables.None {
		add(g.redirect)
	}
	p, host := moved.Page{Page: old, Folder: g.folder}, urls.Host(url)
	for _, id := range slices.Sorted(maps.Keys(found)) {
		c := moved.Candidate{Page: id, Evidence: s.evidence(&g, id)}
		if s.hidden == HideNothing {
			if url := r.Docs.URL(id); urls.Host(url) != host && c.Foreign() {
				continue
			}
			c.Folder, _ = pathOf(r.Docs.URL(id))
		}
		p.Candidates = append(p.Candidates, c)
	}
	return p
}

// redirect returns the page of the newer run at the end of the redirects of a URL in either crawl, or None.
func (s *TwoCrawls) redirect(url string) uint32 {
	for _, to := range []string{s.Newer.RedirectTarget(url), s.Newer.RedirectTarget(s.Older.RedirectTarget(url))} {
		if id, ok := s.Newer.At(to); ok && to != url {
			return id
		}
	}
	return tables.None
}

// nearest returns the documents of the newer run with the nearest bags.
func (s *TwoCrawls) nearest(bag bags.Bag, by topics.By) (out []uint32) {
	r := s.Newer
	if !r.Config.Has(config.Topical) {
		return nil
	}
	hits := r.Nearest.Nearest(nil, s.known(bag), inverted.Options{
		Top:    mostAlike,
		Field:  func(bag bags.Bag) bags.Bag { return topics.OfField(r, bag, by) },
		Wanted: func(node uint32) bool { return slices.ContainsFunc(r.Nodes.Members(node), r.There) },
	})
	for _, h := range hits {
		for _, id := range r.Nodes.Members(h.Node) {
			if r.There(id) && len(out) < 2*mostAlike {
				out = append(out, id)
			}
		}
	}
	return out
}

// scanned returns, for some documents of the older run, the documents of the newer run that share the most text with
// them. It returns nil if the newer run has an index for that.
func (s *TwoCrawls) scanned(ids []uint32) map[uint32][]uint32 {
	r := s.Newer
	if r.Posts != nil {
		return nil
	}
	values, best := make([][]uint64, len(ids)), make([][]texts.Hit, len(ids))
	for i, id := range ids {
		text, _ := s.oldText(id)
		values[i] = text.stored.Values
	}
	for i, h := range texts.Scan(r, values) {
		if id := r.Pages.Document(h.Page); id == tables.None || !r.There(id) {
			continue
		}
		best[i] = sets.Insert(best[i], h, mostAlike, texts.ByHits)
	}
	out := make(map[uint32][]uint32, len(ids))
	for i, hits := range best {
		for _, h := range hits {
			out[ids[i]] = append(out[ids[i]], r.Pages.Document(h.Page))
		}
	}
	return out
}

// evidence returns the evidence for a candidate.
func (s *TwoCrawls) evidence(g *gonePage, id uint32) (e moved.Evidence) {
	r, t := s.Newer, s.traces
	if text, ok := s.newText(id); ok && g.crawled {
		d := s.overlap(g.text, text)
		e.Resemblance, e.OfOld, e.OfNew = d.Resemblance, float64(d.ThisInOther), float64(d.OtherInThis)
	}
	e.Context = likeness(r, g.bag, topics.Bag(r, id))
	e.Links = t.links(g.sources, r.Sources.Of(id))
	names := nameWords(r, id)
	e.Name = t.names.Similarity(g.names, names) * moved.Telling(max(s.older.named(g.names), t.namesakes.named(names)))
	e.Fresh = true
	if s.hidden == HideURLs {
		return e
	}
	url := r.Docs.URL(id)
	_, segment := pathOf(url)
	segment = withoutSuffix(segment)
	own := withoutSuffix(g.segment)
	e.Segment = moved.Alike(own, segment) * moved.Telling(max(s.older.at(own), t.at(segment)))
	if s.hidden == HideFolders {
		e.Path = t.paths.Similarity(g.path, moved.Words(segment))
		return e
	}
	e.Path = t.paths.Similarity(g.path, pathWords(r, id))
	before, ok := s.Older.At(url)
	e.Fresh = !ok
	if ok && g.crawled && e.OfOld > 0 {
		e.Gained = s.gained(g.text, before, id)
	}
	e.Redirect = id == g.redirect
	return e
}

// fullBag is the number of terms at which the similarity of two bags is taken at face value. Bags with fewer terms
// are similar by chance.
const fullBag = 5

// likeness returns the similarity of what links say of two documents or, if links say nothing of one of them, of their
// contents. It is reduced if the bags have few terms there.
func likeness(r *runs.Run, a, b bags.Bag) float64 {
	for _, by := range [...]topics.By{topics.ByLinks, topics.ByContent} {
		a, b := topics.OfField(r, a, by), topics.OfField(r, b, by)
		if a.Len() > 0 && b.Len() > 0 {
			return bags.Similarity(a, b) * min(1, float64(max(a.Len(), b.Len()))/fullBag)
		}
	}
	return 0
}

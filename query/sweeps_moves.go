package query

import (
	"context"
	"maps"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/inverted"
	"github.com/lshclust/lshclust/moved"
)

// fates are the verdicts on all gone pages.
type fates struct {
	list []moved.Verdict   // in the order of the documents of the older run
	of   map[uint32]int    // document of the older run to place in list
	into map[uint32]uint32 // documents of the newer run to which content moved, to the document of the older run
}

// Gone returns the documents of the older run whose pages the newer run has not, in the order of their ids. A page that
// says "not found" is not there, and neither is one that redirects to another URL.
func (s *Sweeps) Gone() (gone []uint32) {
	for id := range uint32(s.Older.docs.Len()) {
		if _, still := s.Newer.at(s.Older.docs.URL(id)); s.Older.there(id) && !still {
			gone = append(gone, id)
		}
	}
	return gone
}

// Moves returns a verdict on each page that is gone, in the order of [Sweeps.Gone]. The numbers of pages in the verdicts
// are ids of documents, of the older run for the gone pages and of the newer run for the others. The first call computes
// all verdicts; later ones return them at once.
func (s *Sweeps) Moves(ctx context.Context) ([]moved.Verdict, error) {
	f, err := s.fates(ctx)
	if err != nil {
		return nil, err
	}
	return f.list, nil
}

// Trace returns the verdict on one document of the older run; false if its page is not gone.
func (s *Sweeps) Trace(ctx context.Context, old uint32) (v moved.Verdict, gone bool, err error) {
	f, err := s.fates(ctx)
	if err != nil {
		return v, false, err
	}
	at, gone := f.of[old]
	if gone {
		v = f.list[at]
	}
	return v, gone, nil
}

func (s *Sweeps) fates(ctx context.Context) (*fates, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fate != nil {
		return s.fate, nil
	}
	pages, err := s.Candidates(ctx, s.Gone(), nil)
	if err != nil {
		return nil, err
	}
	f := &fates{list: s.Decide(pages), of: map[uint32]int{}, into: map[uint32]uint32{}}
	for i, v := range f.list {
		f.of[v.Page] = i
		if v.Kind == moved.Moved {
			f.into[v.Places[0].Page] = v.Page
		}
	}
	s.fate = f
	return f, nil
}

// Decide gives verdicts on pages with their candidates, as moved.Model.Decide does.
func (s *Sweeps) Decide(pages []moved.Page) []moved.Verdict { return s.Model.Decide(pages, s.covered) }

// covered returns the share of the text of a page of the older run that some pages of the newer run together have.
func (s *Sweeps) covered(old uint32, ids []uint32) float64 {
	whole, ok := s.oldText(old)
	if !ok || len(whole.stored.Values) == 0 {
		return 0
	}
	left := whole.stored.Values
	for _, id := range ids {
		if piece, ok := s.newText(id); ok {
			left = sets.Minus(nil, left, piece.stored.Values)
		}
	}
	return 1 - float64(len(left))/float64(len(whole.stored.Values))
}

// gained returns the share of a text of the older run that a page has now and had not before.
func (s *Sweeps) gained(text ownText, before, now uint32) float64 {
	values := text.stored.Values
	old, _ := s.oldText(before)
	has, ok := s.newText(now)
	if !ok || len(values) == 0 {
		return 0
	}
	gained := sets.Minus(nil, sets.Intersect(nil, values, has.stored.Values), old.stored.Values)
	return float64(len(gained)) / float64(len(values))
}

// Candidates finds for each of some documents of the older run the pages of the newer run that may have its content now,
// with all evidence but that of folders. If wanted is not nil, only documents for which it is true are candidates;
// several goroutines call it.
func (s *Sweeps) Candidates(ctx context.Context, ids []uint32, wanted func(candidate uint32) bool) ([]moved.Page, error) {
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

// gonePage is a gone page as it is compared with candidates.
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

func (s *Sweeps) candidates(old uint32, alike map[uint32][]uint32, wanted func(candidate uint32) bool) moved.Page {
	r, t := s.Newer, s.traces
	g := gonePage{id: old, redirect: tables.None, names: s.Older.names(old), sources: s.Older.sources.Of(old)}
	url := s.Older.docs.URL(old)
	switch s.hidden {
	case HideNothing:
		_, g.folder, g.segment = pathOf(url)
		g.path = s.Older.pathWords(old)
		g.redirect = s.redirect(url)
	case HideFolders:
		_, _, g.segment = pathOf(url)
		g.path = moved.Words(withoutSuffix(g.segment))
	}
	g.text, g.crawled = s.oldText(old)
	g.bag = s.translated(old)
	found := map[uint32]bool{}
	add := func(ids ...uint32) {
		for _, id := range ids {
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
	add(s.nearest(g.bag)...)
	add(t.named(g.names, "")...)
	add(t.named(g.path, "/")...)
	add(t.linkedBy(g.sources)...)
	if g.redirect != tables.None {
		add(g.redirect)
	}
	p := moved.Page{Page: old, Folder: g.folder}
	for _, id := range slices.Sorted(maps.Keys(found)) {
		c := moved.Candidate{Page: id, Evidence: s.evidence(&g, id)}
		if s.hidden == HideNothing {
			_, c.Folder, _ = pathOf(r.docs.URL(id))
		}
		p.Candidates = append(p.Candidates, c)
	}
	return p
}

// redirect returns the page of the newer run at which a URL's redirects end, in either crawl, or None.
func (s *Sweeps) redirect(url string) uint32 {
	for _, to := range []string{s.Newer.RedirectTarget(url), s.Newer.RedirectTarget(s.Older.RedirectTarget(url))} {
		if id, ok := s.Newer.at(to); ok && to != url {
			return id
		}
	}
	return tables.None
}

// nearest returns the documents of the newer run with the nearest bags.
func (s *Sweeps) nearest(bag bags.Bag) (out []uint32) {
	r := s.Newer
	if !r.Config.Has(config.Topical) {
		return nil
	}
	hits := r.nearest.Nearest(nil, s.known(bag), inverted.Options{Top: mostAlike, Wanted: func(node uint32) bool {
		return slices.ContainsFunc(r.nodes.Members(node), r.there)
	}})
	for _, h := range hits {
		for _, id := range r.nodes.Members(h.Node) {
			if r.there(id) && len(out) < 2*mostAlike {
				out = append(out, id)
			}
		}
	}
	return out
}

// evidence returns what speaks for a candidate.
func (s *Sweeps) evidence(g *gonePage, id uint32) (e moved.Evidence) {
	r, t := s.Newer, s.traces
	if text, ok := s.newText(id); ok && g.crawled {
		d := s.overlap(g.text, text)
		e.Resemblance, e.OfOld, e.OfNew = d.Resemblance, d.OfThis, d.OfOther
	}
	e.Context = likeness(g.bag, r.Bag(id))
	e.Links = t.links(g.sources, r.sources.Of(id))
	names := r.names(id)
	e.Name = t.names.Similarity(g.names, names) * moved.Telling(max(s.older.named(g.names), t.namesakes.named(names)))
	if e.Fresh = true; s.hidden == HideURLs {
		return e
	}
	url := r.docs.URL(id)
	_, _, segment := pathOf(url)
	segment = withoutSuffix(segment)
	own := withoutSuffix(g.segment)
	e.Segment = moved.Alike(own, segment) * moved.Telling(max(s.older.at(own), t.at(segment)))
	if s.hidden == HideFolders {
		e.Path = t.paths.Similarity(g.path, moved.Words(segment))
		return e
	}
	e.Path = t.paths.Similarity(g.path, r.pathWords(id))
	before, ok := s.Older.at(url)
	if e.Fresh = !ok; ok && g.crawled && e.OfOld > 0 {
		e.Gained = s.gained(g.text, before, id)
	}
	e.Redirect = id == g.redirect
	return e
}

// fullBag is the number of terms from which on the similarity of two bags is taken for what it is: bags of fewer terms
// are alike by chance.
const fullBag = 5

// likeness returns the similarity of two bags, less if they have few terms.
func likeness(a, b bags.Bag) float64 {
	return bags.Similarity(a, b) * min(1, float64(max(a.Len(), b.Len()))/fullBag)
}

package crawls

import (
	"context"
	"iter"
	"runtime"
	"slices"

	"github.com/lshclust/lshclust/internal/parallel"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// Change is what became of a URL between two crawls.
type Change uint8

// The changes.
const (
	Same      Change = iota // the text is the same, apart from the boilerplate of the host
	Edited                  // the text resembles the old one
	Rewritten               // the text is a different one
	MovedAway               // the content has a new URL
	GonePage                // the page is gone, and its content has no new URL of its own
	NewPage                 // the older crawl has no page at the URL, and none moved to it
)

// Changes lists the changes.
var Changes = [...]Change{Same, Edited, Rewritten, MovedAway, GonePage, NewPage}

// String returns the name of the change in tables.
func (c Change) String() string {
	return [...]string{"same", "edited", "rewritten", "moved", "gone", "new"}[c]
}

// ChangedPage says what became of one URL.
type ChangedPage struct {
	ID          uint32 // document of the older run, or of the newer run for a new page
	URL         string
	Change      Change
	Verdict     *moved.Verdict // for a page that moved or is gone
	Resemblance float64        // of the page to its old self, or of a page that moved to its old self
	OfOld       float64        // share of the old text that the new one contains
	OfNew       float64
}

// Changed returns what became of each URL with a page in either run: first the pages of the older run in order of
// ids, then the new ones in order of the ids of the newer run. A page whose resemblance to its old self is at least
// edited, but not 1, was edited; below that it was rewritten. Fetterly et al. (2003) count pages in the same way.
func (s *TwoCrawls) Changed(ctx context.Context, edited float64) (iter.Seq[ChangedPage], error) {
	f, err := s.fates(ctx)
	if err != nil {
		return nil, err
	}
	n := s.Older.Docs.Len()
	pages := make([]ChangedPage, n)
	err = parallel.Each(ctx, n, runtime.GOMAXPROCS(0), func(_, i int) error {
		if s.Older.There(uint32(i)) {
			pages[i] = s.changed(f, uint32(i), edited)
		}
		return nil
	})
	return func(yield func(ChangedPage) bool) {
		for _, p := range pages {
			if p.URL != "" && !yield(p) {
				return
			}
		}
		for id := range uint32(s.Newer.Docs.Len()) {
			if s.fresh(f, id) && !yield(ChangedPage{ID: id, URL: s.Newer.Docs.URL(id), Change: NewPage}) {
				return
			}
		}
	}, err
}

// fresh reports whether a document of the newer run is a new page that did not move there.
func (s *TwoCrawls) fresh(f *fates, id uint32) bool {
	if !s.Newer.There(id) {
		return false
	}
	_, before := s.Older.At(s.Newer.Docs.URL(id))
	_, came := f.into[id]
	return !before && !came
}

// changed returns what became of a page of the older run.
func (s *TwoCrawls) changed(f *fates, old uint32, edited float64) ChangedPage {
	p := ChangedPage{ID: old, URL: s.Older.Docs.URL(old), Change: GonePage}
	if at, gone := f.of[old]; gone {
		if p.Verdict = &f.list[at]; p.Verdict.Kind == moved.Moved {
			to := p.Verdict.Places[0]
			p.Change, p.Resemblance, p.OfOld, p.OfNew = MovedAway, to.Resemblance, to.OfOld, to.OfNew
		}
		return p
	}
	id, ok := s.Newer.At(p.URL)
	if !ok {
		return p
	}
	d, err := s.Overlap(old, id)
	if err != nil {
		return p
	}
	p.Resemblance, p.OfOld, p.OfNew = d.Resemblance, float64(d.ThisInOther), float64(d.OtherInThis)
	if s.reframed(old, id) {
		p.Resemblance, p.OfOld, p.OfNew = 1, 1, 1
	}
	switch {
	case p.Resemblance == 1:
		p.Change = Same
	case p.Resemblance >= edited:
		p.Change = Edited
	default:
		p.Change = Rewritten
	}
	return p
}

// reframed reports whether only the boilerplate of a page has changed. Shingles across the border of boilerplate and
// text change, too: w-1 where the text begins and as many where it ends. An edit changes at least w shingles, so it
// is noticed even with a new header or footer.
func (s *TwoCrawls) reframed(old, id uint32) bool {
	a, okA := textOf(s.Older, old)
	b, okB := textOf(s.Newer, id)
	if !okA || !okB || s.Older.Sketched() {
		return false
	}
	x, y := a.stored.Values, b.stored.Values
	both, edges := sets.Common(x, y), 2*(s.Older.Config.Shingle-1)
	if both == 0 || len(x)-both > edges || len(y)-both > edges {
		return false
	}
	frameA := sets.Minus(nil, s.Older.Pages.Values(a.page), x)
	frameB := sets.Minus(nil, s.Newer.Pages.Values(b.page), y)
	return len(frameA)+len(frameB) > 0 && !slices.Equal(frameA, frameB)
}

package crawls

import (
	"cmp"
	"context"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// TwoCrawls compares two runs over crawls of the same sites at two times and determines what became of each page
// ([S1] section 4, "updating and rerunning", and section 5, "lost and found"). Several goroutines may use it at once.
type TwoCrawls struct {
	Older, Newer *runs.Run
	Model        moved.Model // moved.Default unless changed

	terms  []uint32 // maps terms of the older run to terms, or unused numbers, of the newer run
	traces *traces  // of the newer run
	older  namesakes
	plain  *templates
	hidden Hiding // for evaluation

	mu   sync.Mutex
	fate *fates // nil until all verdicts are computed
}

// NewTwoCrawls prepares questions about two runs. The error is a *SettingsError if their settings do not allow a
// comparison. It takes time proportional to the newer run.
func NewTwoCrawls(older, newer *runs.Run) (*TwoCrawls, error) {
	if err := runs.SameSettings(older, newer); err != nil {
		return nil, err
	}
	for _, r := range []*runs.Run{older, newer} {
		if err := r.Need(config.Syntactic); err != nil {
			return nil, err
		}
	}
	s := &TwoCrawls{Older: older, Newer: newer, Model: moved.Default, plain: &templates{}}
	s.terms = translation(older, newer)
	s.traces, s.older = newTraces(newer), countNamesakes(older)
	return s, nil
}

// translation maps the terms of a run to those of a newer run, or to numbers that the newer run does not use.
func translation(older, newer *runs.Run) []uint32 {
	terms := make([]uint32, older.Terms.Len())
	for i, hash := range older.Terms.Hashes() {
		id, ok := newer.Terms.Find(hash)
		if !ok {
			id = uint32(newer.Terms.Len() + i)
		}
		terms[i] = id
	}
	return terms
}

// translated returns a bag of the older run in terms of the newer run.
func (s *TwoCrawls) translated(bag bags.Bag) bags.Bag {
	type entry struct {
		term  uint32
		count uint16
	}
	all := make([]entry, 0, bag.Len())
	for i, t := range bag.Terms {
		if int64(t) < int64(len(s.terms)) {
			all = append(all, entry{s.terms[t], bag.Counts[i]})
		}
	}
	slices.SortFunc(all, func(a, b entry) int { return cmp.Compare(a.term, b.term) })
	out := bags.Bag{Terms: make([]uint32, len(all)), Counts: make([]uint16, len(all))}
	for i, e := range all {
		out.Terms[i], out.Counts[i] = e.term, e.count
	}
	return out
}

// known returns the part of a bag whose terms occur in the newer run.
func (s *TwoCrawls) known(bag bags.Bag) bags.Bag {
	n := 0
	for n < bag.Len() && int64(bag.Terms[n]) < int64(s.Newer.Terms.Len()) {
		n++
	}
	return bags.Bag{Terms: bag.Terms[:n], Counts: bag.Counts[:n]}
}

// ownText is the text of a page without boilerplate.
type ownText struct {
	page   uint32
	stored shingles.Stored
}

func textOf(r *runs.Run, id uint32) (t ownText, ok bool) { return textWithout(r, r.Boilerplate, id) }

// textWithout returns the text of a page without the given boilerplate.
func textWithout(r *runs.Run, b *resemble.Boilerplate, id uint32) (t ownText, ok bool) {
	if t.page, ok = r.Pages.Page(id); !ok {
		return t, false
	}
	own, _ := b.Own(nil, r.Pages.Host(t.page), r.Pages.Values(t.page))
	t.stored = texts.Stored(r, t.page, own)
	return t, true
}

// templates holds, for each host of two runs, the shingles that most of its pages share. They are more than the
// boilerplate of the runs, which keeps a text with many copies on a host, such as a licence, because frequency alone
// does not distinguish it from a menu. Either way, what most pages of a host say does not tell where one of them
// went.
type templates struct {
	once         sync.Once
	older, newer *resemble.Boilerplate
	err          error
}

// leastOwn is the least number of shingles that a page must have besides the template of its host. A page with fewer,
// such as one of many copies, is compared with its template.
const leastOwn = 5

// templateMemory limits the memory for finding templates.
const templateMemory = 64 << 20

// template finds the templates of the hosts of a run. If the run keeps sketches or no boilerplate, they are its
// boilerplate.
func template(ctx context.Context, r *runs.Run) (*resemble.Boilerplate, error) {
	if r.Config.Sketched() || r.Config.Stripped() == nil {
		return r.Boilerplate, nil
	}
	equal, err := r.Equal.Load()
	if err != nil {
		return nil, err
	}
	const anyShare = 1e-9 // any share of the text: leastOwn alone decides
	c := resemble.BoilerplateConfig{Own: anyShare, Least: leastOwn, Whole: anyShare}
	out, _, err := resemble.FindBoilerplate(ctx, r.Pages, equal, c, resemble.Resources{Memory: templateMemory})
	return out, err
}

// prepare finds the templates of both runs, once.
func (s *TwoCrawls) prepare(ctx context.Context) error {
	t := s.plain
	t.once.Do(func() {
		if t.older, t.err = template(ctx, s.Older); t.err == nil {
			t.newer, t.err = template(ctx, s.Newer)
		}
	})
	return t.err
}

// oldText returns the text of a page of the older run without the template of its host.
func (s *TwoCrawls) oldText(id uint32) (ownText, bool) {
	return textWithout(s.Older, s.plain.older, id)
}

// newText is oldText for the newer run.
func (s *TwoCrawls) newText(id uint32) (ownText, bool) {
	return textWithout(s.Newer, s.plain.newer, id)
}

// overlap compares a text of the older run with one of the newer run. Pages with the same content or the same words
// have resemblance 1, even without shingles.
func (s *TwoCrawls) overlap(a, b ownText) texts.Duplicate {
	switch {
	case s.Older.Pages.Bytes(a.page) == s.Newer.Pages.Bytes(b.page):
		return texts.Identical(resemble.Identical)
	case s.Older.Pages.Lexical(a.page) == s.Newer.Pages.Lexical(b.page) && s.Older.Pages.Count(a.page) > 0: // not two pages without words
		return texts.Identical(resemble.Lexical)
	}
	if s.Older.Sketched() {
		return texts.OverlapOf(s.Newer.Pages.Sketcher().Overlap(a.stored, b.stored))
	}
	x, y := a.stored.Values, b.stored.Values
	return texts.OverlapOf(shingles.Overlap{A: len(x), B: len(y), Both: sets.Common(x, y)})
}

// Overlap compares the text of a page of the older run with one of the newer run, each without the boilerplate of its
// host.
func (s *TwoCrawls) Overlap(old, id uint32) (texts.Duplicate, error) {
	a, ok := textOf(s.Older, old)
	if !ok {
		return texts.Duplicate{}, s.Older.NotCrawled(old)
	}
	b, ok := textOf(s.Newer, id)
	if !ok {
		return texts.Duplicate{}, s.Newer.NotCrawled(id)
	}
	return s.overlap(a, b), nil
}

// covered returns the share of the text of a page of the older run that pages of the newer run together contain.
func (s *TwoCrawls) covered(old uint32, ids []uint32) float64 {
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

// gained returns the share of a text of the older run that a page contains now and did not contain before.
func (s *TwoCrawls) gained(text ownText, before, now uint32) float64 {
	values := text.stored.Values
	old, _ := s.oldText(before)
	has, ok := s.newText(now)
	if !ok || len(values) == 0 {
		return 0
	}
	gained := sets.Minus(nil, sets.Intersect(nil, values, has.stored.Values), old.stored.Values)
	return float64(len(gained)) / float64(len(values))
}

// Hiding is what is hidden of URLs in an evaluation that recognizes versions of a page by its URL.
type Hiding uint8

// Ways of hiding. Both also hide redirects and which URLs are new.
const (
	HideNothing Hiding = iota
	HideFolders        // only the last segment of the path is visible, as if all folders were renamed
	HideURLs
)

// Hidden returns a copy with URLs hidden.
func (s *TwoCrawls) Hidden(what Hiding) *TwoCrawls {
	return &TwoCrawls{Older: s.Older, Newer: s.Newer, Model: s.Model, terms: s.terms, traces: s.traces, older: s.older, plain: s.plain, hidden: what}
}

// Gone returns the documents of the older run whose pages the newer run lacks, in order of ids. A page that says "not
// found", or whose URL redirects to another one, is lacking.
func (s *TwoCrawls) Gone() (gone []uint32) {
	for id := range uint32(s.Older.Docs.Len()) {
		if _, still := s.Newer.At(s.Older.Docs.URL(id)); s.Older.There(id) && !still {
			gone = append(gone, id)
		}
	}
	return gone
}

// fates holds the verdicts on all gone pages.
type fates struct {
	list []moved.Verdict   // in order of the documents of the older run
	of   map[uint32]int    // maps documents of the older run to indexes of list
	into map[uint32]uint32 // maps documents of the newer run to those of the older run whose content moved to them
}

// Moves returns a verdict on each gone page, in the order of [TwoCrawls.Gone]. The pages in a verdict are ids of
// documents: of the older run for the gone page, of the newer run for the others. The first call computes all
// verdicts.
func (s *TwoCrawls) Moves(ctx context.Context) ([]moved.Verdict, error) {
	f, err := s.fates(ctx)
	if err != nil {
		return nil, err
	}
	return f.list, nil
}

// trace returns the verdict on one document of the older run, or the zero verdict if its page is not gone.
func (s *TwoCrawls) trace(ctx context.Context, old uint32) (v moved.Verdict, err error) {
	f, err := s.fates(ctx)
	if err != nil {
		return v, err
	}
	if at, gone := f.of[old]; gone {
		v = f.list[at]
	}
	return v, nil
}

func (s *TwoCrawls) fates(ctx context.Context) (*fates, error) {
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

// Decide returns verdicts on pages with their candidates, as moved.Model.Decide does.
func (s *TwoCrawls) Decide(pages []moved.Page) []moved.Verdict {
	return s.Model.Decide(pages, s.covered)
}

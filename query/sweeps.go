package query

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/sets"
	"github.com/lshclust/lshclust/moved"
	"github.com/lshclust/lshclust/resemble"
	"github.com/lshclust/lshclust/shingles"
)

// Sweeps is two runs over crawls of the same sites at two times. It tells what became of each page ([S1] section 4,
// "updating and rerunning", and section 5, "lost and found"). Several goroutines may use it at once.
type Sweeps struct {
	Older, Newer *Run
	Model        moved.Model // moved.Default

	terms  []uint32 // for each term of the older run that of the newer run, or a number that the newer run has not
	traces *traces  // of the newer run
	older  namesakes
	plain  *templates
	hidden Hiding // for evaluation

	mu   sync.Mutex
	fate *fates // nil until all verdicts are computed
}

// ErrOrder is wrapped by the error for runs that are given in the wrong order.
var ErrOrder = errors.New("the first run is of the newer crawl")

// NewSweeps prepares the questions about two runs. The error is a *SettingsError if their settings do not allow a
// comparison. It takes time proportional to the newer run.
func NewSweeps(older, newer *Run) (*Sweeps, error) {
	if err := sameSettings(older, newer); err != nil {
		return nil, err
	}
	for _, r := range []*Run{older, newer} {
		if err := r.Need(config.Syntactic); err != nil {
			return nil, err
		}
	}
	s := &Sweeps{Older: older, Newer: newer, Model: moved.Default, plain: &templates{}}
	s.terms = translation(older, newer)
	s.traces, s.older = newTraces(newer), older.namesakes()
	return s, nil
}

// translation returns for each term of a run that of a newer run, or a number that the newer run has not.
func translation(older, newer *Run) []uint32 {
	terms := make([]uint32, older.terms.Len())
	for i, hash := range older.terms.Hashes() {
		id, ok := newer.terms.Find(hash)
		if !ok {
			id = uint32(newer.terms.Len() + i)
		}
		terms[i] = id
	}
	return terms
}

// CheckOrder returns an error that wraps ErrOrder if the captures of the first run are newer than those of the second one:
// a tenth of them are later than the last ones of the second run. So some wrong times do not matter, and neither do pages
// without a time, nor times that have not come yet.
func (s *Sweeps) CheckOrder() error {
	now := time.Now()
	late, last := s.Older.dates().late(), s.Newer.dates().last(now)
	if !reversed(late, last, now) {
		return nil
	}
	return fmt.Errorf("%w: a tenth of its pages are of %s or later, the last ones of the second run are of %s", ErrOrder, dateOf(late), dateOf(last))
}

// dates returns the times of the captures of a run.
func (r *Run) dates() *dates {
	d := &dates{}
	for id := range uint32(r.docs.Len()) { // in the order of the hashes of their URLs
		d.add(r.docs.At(id).Time)
	}
	return d
}

func dateOf(millis int64) string { return time.UnixMilli(millis).UTC().Format(time.DateTime) }

// there reports whether a run has a page at a document: it was crawled and does not say that it was not found.
func (r *Run) there(id uint32) bool {
	return r.docs.Crawled(id) && r.docs.At(id).Label.String() != notFound
}

// notFound is the label of pages that say that there is no such page.
const notFound = "not-found"

// at returns the document of a run with a page at a canonical URL.
func (r *Run) at(url string) (uint32, bool) {
	id, ok := r.docs.Find(url)
	return id, ok && r.there(id)
}

// translated returns the bag of a document of the older run in the terms of the newer one.
func (s *Sweeps) translated(old uint32) bags.Bag {
	bag := s.Older.Bag(old)
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

// known returns the part of a bag whose terms the newer run has.
func (s *Sweeps) known(bag bags.Bag) bags.Bag {
	n := 0
	for n < bag.Len() && int64(bag.Terms[n]) < int64(s.Newer.terms.Len()) {
		n++
	}
	return bags.Bag{Terms: bag.Terms[:n], Counts: bag.Counts[:n]}
}

// ownText is the text of a page without the boilerplate of its host.
type ownText struct {
	page   uint32
	stored shingles.Stored
}

func (r *Run) ownText(id uint32) (t ownText, ok bool) { return r.textWithout(r.strip, id) }

// textWithout is ownText with other boilerplate.
func (r *Run) textWithout(b *resemble.Boilerplate, id uint32) (t ownText, ok bool) {
	if t.page, ok = r.pages.Page(id); !ok {
		return t, false
	}
	own, _ := b.Own(nil, r.pages.Host(t.page), r.pages.Values(t.page))
	t.stored = r.stored(t.page, own)
	return t, true
}

// overlap compares a text of the older run with one of the newer run. Pages with the same content, or with the same
// words, resemble each other fully, even if they have no shingles.
func (s *Sweeps) overlap(a, b ownText) Duplicate {
	if s.Older.pages.Bytes(a.page) == s.Newer.pages.Bytes(b.page) || s.Older.pages.Lexical(a.page) == s.Newer.pages.Lexical(b.page) {
		return Duplicate{Relation: "identical", Resemblance: 1, OfThis: 1, OfOther: 1, Estimate: 1}
	}
	if s.Older.sketched() {
		return overlapOf(s.Newer.pages.Sketcher().Overlap(a.stored, b.stored))
	}
	x, y := a.stored.Values, b.stored.Values
	return overlapOf(shingles.Overlap{A: len(x), B: len(y), Both: sets.Common(x, y)})
}

// pathOf splits a canonical URL into its host, the folders of its path with the host, and its last segment.
func pathOf(url string) (host, folder, segment string) {
	_, rest, ok := strings.Cut(url, "://")
	if !ok {
		rest = url
	}
	rest = strings.TrimSuffix(rest, "/")
	host, path, _ := strings.Cut(rest, "/")
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		return host, host + "/" + path[:at], path[at+1:]
	}
	return host, host, path
}

// Hiding says what of the URLs an evaluation hides that knows the versions of a page by its URL.
type Hiding uint8

// The ways of hiding. Both also hide redirects and which URLs are new.
const (
	HideNothing Hiding = iota
	HideFolders        // of the path only the last segment is seen, as if all folders had new names
	HideURLs
)

// Hidden returns the same sweeps with URLs hidden.
func (s *Sweeps) Hidden(what Hiding) *Sweeps {
	return &Sweeps{Older: s.Older, Newer: s.Newer, Model: s.Model, terms: s.terms, traces: s.traces, older: s.older, plain: s.plain, hidden: what}
}

// Overlap compares the text of a page of the older run with one of the newer run, each without the boilerplate of its
// host.
func (s *Sweeps) Overlap(old, id uint32) (Duplicate, error) {
	a, ok := s.Older.ownText(old)
	if !ok {
		return Duplicate{}, s.Older.notCrawled(old)
	}
	b, ok := s.Newer.ownText(id)
	if !ok {
		return Duplicate{}, s.Newer.notCrawled(id)
	}
	return s.overlap(a, b), nil
}

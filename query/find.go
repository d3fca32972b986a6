package query

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/lshclust/lshclust/moved"
)

// LostAndFound finds dead URLs again in the newest of several runs over crawls of the same sites ([S1] section 5).
// Several goroutines may use it at once.
type LostAndFound struct {
	runs []*Run // in the order of time

	mu     sync.Mutex
	sweeps map[[2]int]*Sweeps // from a run to the next or the last one, made when they are first needed
}

// ErrNoRuns is returned by NewLostAndFound without runs.
var ErrNoRuns = errors.New("give a run")

// NewLostAndFound prepares the questions about runs that are given in the order of time; the last one is now. The error
// is a *SettingsError if the settings of two of them do not allow a comparison. The runs stay open until the last question
// is answered.
func NewLostAndFound(runs ...*Run) (*LostAndFound, error) {
	if len(runs) == 0 {
		return nil, ErrNoRuns
	}
	for _, r := range runs[1:] {
		if err := sameSettings(runs[0], r); err != nil {
			return nil, err
		}
	}
	return &LostAndFound{runs: runs, sweeps: map[[2]int]*Sweeps{}}, nil
}

// CheckOrder returns an error that wraps ErrOrder if the captures of a run are newer than those of the next one that has
// dates, as [Sweeps.CheckOrder] does.
func (l *LostAndFound) CheckOrder() error {
	now, before, at := time.Now(), int64(0), 0
	for i, r := range l.runs {
		d := r.dates()
		last := d.last(now)
		if reversed(before, last, now) {
			return fmt.Errorf("%w: a tenth of the pages of run %d are of %s or later, the last ones of run %d are of %s", ErrOrder, at+1, dateOf(before), i+1, dateOf(last))
		}
		if late := d.late(); late != 0 {
			before, at = late, i
		}
	}
	return nil
}

// How says how a page was found for a dead URL.
type How string

// The ways to find a page. A verdict on the content of a page that is gone is one more: the name of its moved.Kind.
const (
	HowThere    How = "there"    // the last run has a page at the URL
	HowRedirect How = "redirect" // a crawl redirects the URL there
	HowText     How = "text"     // what the page says: it shares text with the page that was at the URL
	HowLinks    How = "links"    // what the web says: the words around the links to both are alike
	HowURL      How = "url"      // the URLs are alike
)

// Sighting is what a run knows of a URL.
type Sighting struct {
	Known    Known
	Title    string
	Time     time.Time // when the page was fetched, zero if the crawl does not say
	Redirect string    // where its redirects end, if it redirects
}

// FoundPage is a page of the last run that may be what a URL was.
type FoundPage struct {
	ID         uint32
	URL, Title string
	How        How
	Score      float64  // probability of a verdict, resemblance, or similarity of the bags; 1 for the first two ways, 0 for the last
	Why        []string // the evidence, in words
}

// LostURL is the answer about a URL.
type LostURL struct {
	URL     string     // canonical
	Seen    []Sighting // by each run
	Verdict moved.Kind // on the page that an earlier run had
	Judged  bool       // whether there is a verdict
	Pages   []FoundPage
}

// Find tells where the content of a URL is in the last run, or which pages are nearest to it: the page that is there; the
// end of its redirects; if an earlier run has its page, the verdict on it, followed through the runs, and the pages
// nearest to it by text and by links; if no run has, the pages nearest to what the web says of it; and at the end pages
// with similar URLs. It returns at most top pages for each way. A page is found in one way only, the first.
//
// The first call that needs a verdict computes those of all gone pages of the runs.
func (l *LostAndFound) Find(ctx context.Context, url string, top int) (*LostURL, error) {
	last := l.last()
	canonical, err := last.canonical(url)
	if err != nil {
		return nil, fmt.Errorf("%q is no URL that a run can hold: %w", url, err)
	}
	f := &finding{l: l, top: top, LostURL: &LostURL{URL: canonical}}
	newest := -1 // that has a page, and that knows the URL
	known := -1
	for i, r := range l.runs {
		s := r.sighting(canonical)
		f.Seen = append(f.Seen, s)
		if s.Known == KnownPage {
			newest = i
		}
		if s.Known != KnownNothing {
			known = i
		}
	}
	if newest == len(l.runs)-1 {
		id, _ := last.docs.Find(canonical)
		f.add(id, HowThere, 1, f.backAfter()...)
		return f.LostURL, last.Err()
	}
	f.redirected()
	if newest >= 0 {
		err = f.judge(ctx, newest)
	} else if known >= 0 {
		f.said(known)
	}
	f.similarURLs()
	return f.LostURL, errors.Join(err, l.err())
}

func (l *LostAndFound) last() *Run { return l.runs[len(l.runs)-1] }

func (l *LostAndFound) err() error {
	var all []error
	for _, r := range l.runs {
		all = append(all, r.Err())
	}
	return errors.Join(all...)
}

// sighting returns what the run knows of a canonical URL.
func (r *Run) sighting(url string) Sighting {
	s := Sighting{Known: KnownNothing}
	if to := r.RedirectTarget(url); to != url {
		s.Redirect = to
	}
	id, ok := r.docs.Find(url)
	if !ok {
		return s
	}
	s.Known = KnownLinks
	if r.there(id) {
		d := r.Document(id)
		s.Known, s.Title, s.Time = KnownPage, d.Title, d.Time
	}
	return s
}

// finding is an answer while it is put together.
type finding struct {
	*LostURL
	l   *LostAndFound
	top int
}

// add adds a page of the last run, unless it was found before.
func (f *finding) add(id uint32, how How, score float64, why ...string) bool {
	if slices.ContainsFunc(f.Pages, func(p FoundPage) bool { return p.ID == id }) {
		return false
	}
	d := f.l.last().Document(id)
	f.Pages = append(f.Pages, FoundPage{ID: id, URL: d.URL, Title: d.Title, How: how, Score: score, Why: why})
	return true
}

// backAfter tells which runs between two with the page have none.
func (f *finding) backAfter() (why []string) {
	why = []string{"the last run has a page there"}
	first := slices.IndexFunc(f.Seen, func(s Sighting) bool { return s.Known == KnownPage })
	for i := first + 1; i < len(f.Seen); i++ {
		if f.Seen[i].Known != KnownPage {
			why = append(why, fmt.Sprintf("run %d had none", i+1))
		}
	}
	return why
}

// redirected adds the end of the redirects that a run knows.
func (f *finding) redirected() {
	last := f.l.last()
	for i := len(f.Seen) - 1; i >= 0; i-- {
		to := f.Seen[i].Redirect
		if to == "" {
			continue
		}
		if id, ok := last.at(last.RedirectTarget(to)); ok {
			f.add(id, HowRedirect, 1, fmt.Sprintf("the crawl of run %d redirects the URL there", i+1))
			return
		}
	}
}

// similarURLs adds pages whose URLs are like the one asked for.
func (f *finding) similarURLs() {
	last, n := f.l.last(), 0
	for _, url := range last.Suggest([]string{f.URL}, 10*f.top)[0] {
		if id, ok := last.at(url); ok && n < f.top && f.add(id, HowURL, 0, "the URL is similar") {
			n++
		}
	}
}

package query

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/lshclust/lshclust/moved"
	"github.com/lshclust/lshclust/rules"
)

// LostPage is a page of an earlier run whose URL has no page in the last one.
type LostPage struct {
	URL     string
	Run     int           // the newest run that has the page
	Verdict moved.Verdict // its Page is a document of that run, all other pages are documents of the last one
	Via     []Stop        // where the page was in between
}

// Stop is a URL that a page had in a run.
type Stop struct {
	Run int
	URL string
}

// LostAndFound returns the same questions for the two runs, without computing anything again.
func (s *Sweeps) LostAndFound() *LostAndFound {
	return &LostAndFound{runs: []*Run{s.Older, s.Newer}, sweeps: map[[2]int]*Sweeps{{0, 1}: s}}
}

// Since leaves out the runs whose newest page is older than t, but never the last run. Runs without times stay. Times
// that have not come yet do not count.
func (l *LostAndFound) Since(t time.Time) *LostAndFound {
	out, now := &LostAndFound{sweeps: map[[2]int]*Sweeps{}}, time.Now()
	for i, r := range l.runs {
		if newest := r.newest(now); i == len(l.runs)-1 || newest == 0 || newest >= t.UnixMilli() {
			out.runs = append(out.runs, r)
		}
	}
	return out
}

// newest returns the time of the newest page before now in milliseconds since 1970, 0 if there is none.
func (r *Run) newest(now time.Time) (most int64) {
	for id := range uint32(r.docs.Len()) {
		if t := r.docs.At(id).Time; t <= now.UnixMilli() {
			most = max(most, t)
		}
	}
	return most
}

// Runs returns the runs in the order of time.
func (l *LostAndFound) Runs() []*Run { return l.runs }

// Last returns the run of the newest crawl.
func (l *LostAndFound) Last() *Run { return l.last() }

// Moves returns a verdict on each page of an earlier run whose URL has no page in the last one. If several earlier runs
// have a page at the URL, the newest of them is meant. A page that moved several times is followed to its last place; a
// URL that was gone and is back is not gone. The order is that of the runs, and in each that of the ids.
func (l *LostAndFound) Moves(ctx context.Context) (out []LostPage, err error) {
	for run := range l.runs[:len(l.runs)-1] {
		r := l.runs[run]
		for id := range uint32(r.docs.Len()) {
			if url := r.docs.URL(id); !r.there(id) || l.newest(url) != run {
				continue
			}
			p, err := l.trace(ctx, run, id)
			if err != nil {
				return nil, err
			}
			out = append(out, *p)
		}
	}
	return out, nil
}

// newest returns the newest run that has a page at a canonical URL, or -1.
func (l *LostAndFound) newest(url string) int {
	for i := len(l.runs) - 1; i >= 0; i-- {
		if _, ok := l.runs[i].at(url); ok {
			return i
		}
	}
	return -1
}

// Trace returns the verdict on a URL, which may be in any form, and its canonical form. The verdict is nil if the last run
// has a page there, or if no earlier one has.
func (l *LostAndFound) Trace(ctx context.Context, url string) (p *LostPage, canonical string, err error) {
	for i := len(l.runs) - 2; i >= 0; i-- {
		var id uint32
		if id, err = l.runs[i].Lookup(url); err == nil {
			canonical = l.runs[i].docs.URL(id)
			break
		}
	}
	run := l.newest(canonical)
	if err != nil || run < 0 || run == len(l.runs)-1 {
		return nil, canonical, err
	}
	id, _ := l.runs[run].docs.Find(canonical)
	p, err = l.trace(ctx, run, id)
	return p, canonical, err
}

// trace decides where a page went that a run has and no later one. Two ways lead to the last run: the verdict between the
// two runs, and the verdicts from each run to the next. If they lead to different pages, the more probable one wins. The
// verdicts from run to run are worth the product of their confidences.
func (l *LostAndFound) trace(ctx context.Context, run int, id uint32) (*LostPage, error) {
	s, err := l.between(run, len(l.runs)-1)
	if err != nil {
		return nil, err
	}
	direct, _, err := s.Trace(ctx, id)
	if err != nil {
		return nil, err
	}
	p := &LostPage{URL: l.runs[run].docs.URL(id), Run: run, Verdict: direct}
	steps, end, err := l.follow(ctx, run, id)
	if err != nil || len(steps) == 0 {
		return p, err
	}
	chain := l.chained(steps, end)
	same := len(direct.Places) > 0 && direct.Places[0].Page == chain.Places[0].Page
	if !same && direct.Kind != moved.Gone && direct.Confidence >= chain.Confidence || same && len(steps) == 1 && len(direct.Places) > 1 {
		return p, nil
	}
	if same && direct.Confidence > chain.Confidence {
		chain.Confidence, chain.Places[0].Confidence = direct.Confidence, direct.Confidence
	}
	if direct.Kind == moved.Gone && chain.Confidence < least {
		return p, nil
	}
	chain.Page = id
	chain.Others = slices.DeleteFunc(slices.Concat(direct.Places, direct.Others), func(o moved.Place) bool {
		return slices.ContainsFunc(chain.Places, func(c moved.Place) bool { return c.Page == o.Page })
	})
	p.Verdict = chain
	p.Via = l.via(steps, end)
	return p, nil
}

// least is the least confidence of a chain of verdicts that names a page.
const least = 0.5

// chained returns the last verdict of a chain, with the confidence of all of them. end is the document of the last run.
func (l *LostAndFound) chained(steps []step, end uint32) moved.Verdict {
	v := steps[len(steps)-1].verdict
	v.Places = slices.Clone(v.Places)
	if len(v.Places) == 1 { // the page may have stayed where it was since
		v.Places[0].Page = end
	}
	before := 1.0
	for _, s := range steps[:len(steps)-1] {
		before *= s.verdict.Confidence
	}
	v.Confidence *= before
	for i := range v.Places {
		v.Places[i].Confidence *= before
	}
	return v
}

// via returns where a page was between its first URL and that of a document of the last run.
func (l *LostAndFound) via(steps []step, end uint32) (stops []Stop) {
	for _, s := range steps {
		if url := l.runs[s.to].docs.URL(s.verdict.Places[0].Page); url != l.last().docs.URL(end) {
			stops = append(stops, Stop{s.to, url})
		}
	}
	return stops
}

// Redirects is [RedirectMoves] for several runs: every move ends at a page of the last one.
func (l *LostAndFound) Redirects(lost []LostPage, confidence float64) (sound, dropped []rules.Move, others []string) {
	moves := make([]rules.Move, 0, len(lost))
	for i := range lost {
		moves = appendMove(moves, lost[i].URL, l.last(), &lost[i].Verdict, confidence)
	}
	return resolved(moves, l.runs...)
}

// SortLost sorts pages by the kinds of their verdicts, those that name a page first, and by URL.
func SortLost(lost []LostPage) {
	slices.SortStableFunc(lost, func(a, b LostPage) int {
		return cmp.Or(cmp.Compare(slices.Index(moved.Kinds[:], a.Verdict.Kind), slices.Index(moved.Kinds[:], b.Verdict.Kind)), cmp.Compare(a.URL, b.URL))
	})
}

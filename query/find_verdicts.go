package query

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/moved"
)

// between returns the sweeps from a run to a later one, which is the next or the last.
func (l *LostAndFound) between(from, to int) (*Sweeps, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	s := l.sweeps[[2]int{from, to}]
	if s == nil {
		var err error
		if s, err = NewSweeps(l.runs[from], l.runs[to]); err != nil {
			return nil, err
		}
		l.sweeps[[2]int{from, to}] = s
	}
	return s, nil
}

// Newest returns the sweeps from the run before the last one to the last one. Find uses them too. There must be two runs.
func (l *LostAndFound) Newest() (*Sweeps, error) { return l.between(len(l.runs)-2, len(l.runs)-1) }

// step is a verdict on a page of one run in a later one.
type step struct {
	to      int // the later run
	verdict moved.Verdict
}

// judge adds where the content of the page of a run went, and the pages nearest to it.
func (f *finding) judge(ctx context.Context, run int) error {
	id, _ := f.l.runs[run].docs.Find(f.URL)
	p, err := f.l.trace(ctx, run, id)
	if err != nil {
		return err
	}
	f.Judged, f.Verdict = true, p.Verdict.Kind
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

// follow follows a page from run to run and returns the verdicts on the way, and its document in the last run. Where a
// URL is gone and back, the page stays. It returns no verdicts if the page is lost on the way.
func (l *LostAndFound) follow(ctx context.Context, run int, id uint32) (steps []step, end uint32, err error) {
	last := len(l.runs) - 1
	for {
		url := l.runs[run].docs.URL(id)
		if run = l.newest(url); run == last {
			end, _ = l.last().docs.Find(url)
			return steps, end, nil
		}
		id, _ = l.runs[run].docs.Find(url)
		s, err := l.between(run, run+1)
		if err != nil {
			return nil, 0, err
		}
		v, _, err := s.Trace(ctx, id)
		if err != nil {
			return nil, 0, err
		}
		if len(v.Places) != 1 && (len(v.Places) == 0 || run+1 < last) {
			return nil, 0, nil
		}
		steps = append(steps, step{run + 1, v})
		run, id = run+1, v.Places[0].Page
	}
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

// said adds the pages of the last run whose bags are nearest to what the web says of a URL in the newest run, up to the
// given one, that has a bag for it.
func (f *finding) said(newest int) {
	last := f.l.last()
	if !last.Config.Has(config.Topical) {
		return
	}
	for i := newest; i >= 0; i-- {
		id, ok := f.l.runs[i].docs.Find(f.URL)
		if !ok || f.l.runs[i].Bag(id).Len() == 0 {
			continue
		}
		s := &Sweeps{Older: f.l.runs[i], Newer: last}
		bag, when := last.Bag(id), ""
		if s.Older != last {
			s.terms = translation(s.Older, last)
			bag, when = s.translated(id), fmt.Sprintf(", in run %d and now", i+1)
		}
		found := s.nearest(bag)
		slices.SortStableFunc(found, func(a, b uint32) int {
			return cmp.Compare(bags.Similarity(bag, last.Bag(b)), bags.Similarity(bag, last.Bag(a)))
		})
		n := 0
		for _, to := range found {
			why := fmt.Sprintf("what the web says of both%s: %s", when, strings.Join(last.sharedOf(bag, last.Bag(to), mostWhy), " "))
			if similarity := bags.Similarity(bag, last.Bag(to)); n < f.top && similarity > 0 && f.add(to, HowLinks, similarity, why) {
				n++
			}
		}
		return
	}
}

// mostWhy is the number of words that two documents share and that tell why they are alike.
const mostWhy = 6

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

// step is a verdict on a page of one run in a later one.
type step struct {
	to      int // the later run
	verdict moved.Verdict
}

// judge adds where the content of the page of a run went, and the pages nearest to it.
func (f *finding) judge(ctx context.Context, run int) error {
	id, _ := f.l.runs[run].docs.Find(f.URL)
	last := len(f.l.runs) - 1
	s, err := f.l.between(run, last)
	if err != nil {
		return err
	}
	direct, _, err := s.Trace(ctx, id)
	if err != nil {
		return err
	}
	steps, end, err := f.l.follow(ctx, run, id)
	if err != nil {
		return err
	}
	f.Judged, f.Verdict = true, direct.Kind
	switch {
	case len(steps) == 0:
		f.places(direct, nil)
	case steps[len(steps)-1].to == last:
		f.places(steps[len(steps)-1].verdict, steps[:len(steps)-1])
	default: // the page stayed where it was since
		v := steps[len(steps)-1].verdict
		v.Places = slices.Clone(v.Places)
		v.Places[0].Page = end
		f.places(v, steps[:len(steps)-1])
	}
	f.nearest(direct)
	return nil
}

// follow follows a page from run to run and returns the verdicts on the way, and its document in the last run. It
// returns no verdicts if the page is lost on the way.
func (l *LostAndFound) follow(ctx context.Context, run int, id uint32) (steps []step, end uint32, err error) {
	for next := run + 1; next < len(l.runs); next++ {
		if there, ok := l.runs[next].at(l.runs[run].docs.URL(id)); ok {
			run, id = next, there
			continue
		}
		s, err := l.between(run, next)
		if err != nil {
			return nil, 0, err
		}
		v, _, err := s.Trace(ctx, id)
		if err != nil {
			return nil, 0, err
		}
		if len(v.Places) != 1 && (len(v.Places) == 0 || next < len(l.runs)-1) {
			return nil, 0, nil
		}
		steps = append(steps, step{next, v})
		run, id = next, v.Places[0].Page
	}
	return steps, id, nil
}

// places adds the places of a verdict to which some steps led. The confidence is that of all of them.
func (f *finding) places(v moved.Verdict, before []step) {
	f.Verdict = v.Kind
	share, via := 1.0, []string(nil)
	for _, s := range before {
		share *= s.verdict.Confidence
		via = append(via, fmt.Sprintf("by way of %s in run %d", f.l.runs[s.to].docs.URL(s.verdict.Places[0].Page), s.to+1))
	}
	for _, p := range v.Places {
		f.add(p.Page, How(v.Kind.String()), share*p.Confidence, append(slices.Clone(via), p.Reasons()...)...)
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
		s := &Sweeps{Older: f.l.runs[i], Newer: last, terms: translation(f.l.runs[i], last)}
		bag := s.translated(id)
		found := s.nearest(bag)
		slices.SortStableFunc(found, func(a, b uint32) int {
			return cmp.Compare(bags.Similarity(bag, last.Bag(b)), bags.Similarity(bag, last.Bag(a)))
		})
		n := 0
		for _, to := range found {
			why := fmt.Sprintf("what the web says of both, in run %d and now: %s", i+1, strings.Join(last.sharedOf(bag, last.Bag(to), mostWhy), " "))
			if similarity := bags.Similarity(bag, last.Bag(to)); n < f.top && similarity > 0 && f.add(to, HowLinks, similarity, why) {
				n++
			}
		}
		return
	}
}

// mostWhy is the number of words that two documents share and that tell why they are alike.
const mostWhy = 6

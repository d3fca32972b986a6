package query

import (
	"context"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/moved"
	"github.com/lshclust/lshclust/rules"
)

// Redirects returns the moves for redirect rules: a page that has a verdict other than gone, of at least a confidence, is
// sent to the page that the verdict names first. It returns the moves that lead to no page of the newer run, too, and
// all other URLs of either run, which no rule may redirect.
func (s *Sweeps) Redirects(ctx context.Context, confidence float64) (sound, dropped []rules.Move, others []string, err error) {
	verdicts, err := s.Moves(ctx)
	if err != nil {
		return nil, nil, nil, err
	}
	sound, dropped, others = RedirectMoves(s.Older, s.Newer, verdicts, confidence)
	return sound, dropped, others, nil
}

// RedirectMoves is [Sweeps.Redirects] for verdicts that are known.
func RedirectMoves(older, newer *Run, verdicts []moved.Verdict, confidence float64) (sound, dropped []rules.Move, others []string) {
	var moves []rules.Move
	for _, v := range verdicts {
		if v.Kind != moved.Gone && v.Confidence >= confidence {
			moves = append(moves, rules.Move{From: older.docs.URL(v.Page), To: newer.docs.URL(v.Places[0].Page)})
		}
	}
	sound, dropped = rules.Resolve(moves, func(url string) bool { _, ok := newer.at(url); return ok })
	for _, r := range []*Run{older, newer} {
		for id := range uint32(r.docs.Len()) {
			if r.docs.Crawled(id) {
				others = append(others, r.docs.URL(id))
			}
		}
	}
	return sound, dropped, others
}

// Forms reads the inputs of a run again and returns its pages' URLs as they were crawled, by their canonical form.
func (r *Run) Forms(ctx context.Context) (map[string]string, error) {
	forms := map[string]string{}
	err := r.EachPage(ctx, func(id uint32, p *crawl.Page) error {
		forms[r.docs.URL(id)] = p.URL
		return nil
	})
	return forms, err
}

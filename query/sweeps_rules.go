package query

import (
	"context"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/moved"
	"github.com/lshclust/lshclust/rules"
)

// RedirectMoves returns the moves for redirect rules: a page that has a verdict other than gone, of at least a confidence,
// is sent to the page that the verdict names first. It returns the moves that lead to no page of the newer run, too, and
// all other URLs of either run, which no rule may redirect.
func RedirectMoves(older, newer *Run, verdicts []moved.Verdict, confidence float64) (sound, dropped []rules.Move, others []string) {
	var moves []rules.Move
	for i := range verdicts {
		moves = appendMove(moves, older.docs.URL(verdicts[i].Page), newer, &verdicts[i], confidence)
	}
	return resolved(moves, older, newer)
}

// appendMove appends the move of a page whose verdict names a page of the newer run with at least a confidence.
func appendMove(moves []rules.Move, from string, newer *Run, v *moved.Verdict, confidence float64) []rules.Move {
	if v.Kind == moved.Gone || v.Confidence < confidence {
		return moves
	}
	return append(moves, rules.Move{From: from, To: newer.docs.URL(v.Places[0].Page)})
}

// resolved returns the moves that lead to a page of the last run, those that do not, and all URLs that a run crawled.
func resolved(moves []rules.Move, runs ...*Run) (sound, dropped []rules.Move, others []string) {
	last := runs[len(runs)-1]
	sound, dropped = rules.Resolve(moves, func(url string) bool { _, ok := last.at(url); return ok })
	for _, r := range runs {
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

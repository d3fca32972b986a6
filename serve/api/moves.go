package api

import (
	"context"
	"slices"
	"sync"

	"github.com/lshclust/lshclust/internal/query"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// Moves are the verdicts on the pages that the run of an older crawl has and that of a newer crawl has not. They hold
// ids of documents, of the older run for the gone pages and of the newer run for the others.
type Moves struct {
	Verdicts []moved.Verdict     // in the order of the documents of the older run
	Counts   *query.ChangeCounts // of what became of all pages

	lost *query.Crawls // over both runs
	made chan struct{} // closed when Verdicts and err are set
	err  error
}

// movesKept are the moves that a run keeps, by the older run.
type movesKept struct {
	mu   sync.Mutex
	from map[*Run]*Moves
}

// Moves returns the moves from the run of an older crawl. They are found once, in the background, when they are first
// asked for. If the context ends before, the work goes on, and a later question finds the result.
func (r *Run) Moves(ctx context.Context, older *Run) (*Moves, error) {
	m := r.moves.moves(r, older)
	select {
	case <-m.made:
		return m, movesProblem(m.err, older.Name, r.Name)
	case <-ctx.Done():
		return nil, Busy("The moves between the two runs are being found, which takes a while for large runs, and once.", 10)
	}
}

// moves returns the moves from an older run, which are being found if nobody asked for them before.
func (s *movesKept) moves(r, older *Run) *Moves {
	s.mu.Lock()
	defer s.mu.Unlock()
	for from := range s.from {
		if from.ctx.Err() != nil { // it was replaced
			delete(s.from, from)
		}
	}
	m := s.from[older]
	if m == nil {
		m = &Moves{made: make(chan struct{})}
		if s.from == nil {
			s.from = map[*Run]*Moves{}
		}
		s.from[older] = m
		r.findMoves(m, older)
	}
	return m
}

// mostOthers is the number of improbable candidates of a verdict that are kept.
const mostOthers = 5

// edited is the resemblance from which a page was edited and not rewritten.
const edited = 0.5

// counted counts what became of the pages.
func counted(ctx context.Context, s *query.TwoCrawls) (*query.ChangeCounts, error) {
	pages, err := s.Changed(ctx, edited)
	if err != nil {
		return nil, err
	}
	counts := query.NewChangeCounts()
	for p := range pages {
		counts.Add(p)
	}
	return counts, nil
}

// findMoves finds moves in the background. Neither run is closed before it ends, and closing either cuts it short.
func (r *Run) findMoves(m *Moves, older *Run) {
	ctx, cancel := context.WithCancel(r.ctx)
	stop := context.AfterFunc(older.ctx, cancel)
	older.work.Add(1)
	r.work.Go(func() {
		defer older.work.Done()
		defer cancel()
		defer stop()
		defer close(m.made)
		var s *query.TwoCrawls
		var err error
		if m.lost, err = query.NewCrawls(ctx, older.Run, r.Run); err == nil {
			s, err = m.lost.Newest()
		}
		if err == nil {
			err = m.lost.CheckOrder()
		}
		if err == nil {
			m.Verdicts, err = s.Moves(ctx)
		}
		if err == nil {
			m.Counts, err = counted(ctx, s)
		}
		for i := range m.Verdicts {
			v := &m.Verdicts[i]
			v.Others = slices.Clone(v.Others[:min(len(v.Others), mostOthers)])
		}
		m.err = err
	})
}

package api

import (
	"context"
	"sync"

	"github.com/lshclust/lshclust/internal/query"
)

// Run is an open run that answers questions.
type Run struct {
	*query.Run
	Name  string   // under which it is served
	Names []string // of all runs that are served

	ctx  context.Context
	stop context.CancelFunc
	kept kept
	work sync.WaitGroup // in the background, on the tables
}

// NewRun returns a run that answers questions. Close closes it.
func NewRun(r *query.Run, name string, names []string) *Run {
	ctx, stop := context.WithCancel(context.Background())
	return &Run{Run: r, Name: name, Names: names, ctx: ctx, stop: stop}
}

// Close stops the work in the background, waits for its end and closes the run. No question may be open.
func (r *Run) Close() error {
	r.stop()
	r.work.Wait()
	return r.Run.Close()
}

package api

import (
	"context"
	"sync"

	"github.com/lshclust/lshclust/internal/query"
)

// Run is an open run that answers questions.
type Run struct {
	*query.Run
	Name  string   // name under which it is served
	Names []string // names of all served runs

	ctx  context.Context
	stop context.CancelFunc
	kept kept
	work sync.WaitGroup // background work on the tables
}

// NewRun returns a Run that Close closes together with r.
func NewRun(r *query.Run, name string, names []string) *Run {
	ctx, stop := context.WithCancel(context.Background())
	return &Run{Run: r, Name: name, Names: names, ctx: ctx, stop: stop}
}

// Close stops the background work, waits for it to end and closes the run. No question may be in progress.
func (r *Run) Close() error {
	r.stop()
	r.work.Wait()
	return r.Run.Close()
}

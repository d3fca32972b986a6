package serve

import (
	"context"
	"time"

	"github.com/lshclust/lshclust/serve/api"
	"golang.org/x/sync/semaphore"
)

// limits bounds the number of questions answered at the same time.
type limits struct {
	all, heavy *semaphore.Weighted
	patience   time.Duration
}

// enter waits for the turn of a question. The caller calls done when it is answered. A heavy question first waits
// among the heavy ones, so that it does not occupy a place that another question could use.
func (l *limits) enter(ctx context.Context, heavy bool) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, l.patience)
	defer cancel()
	places := []*semaphore.Weighted{l.all}
	if heavy {
		places = []*semaphore.Weighted{l.heavy, l.all}
	}
	held := 0
	done = func() {
		for _, p := range places[:held] {
			p.Release(1)
		}
	}
	for _, p := range places {
		if !p.TryAcquire(1) && p.Acquire(ctx, 1) != nil { // a free place is taken even if the time is up
			done()
			return nil, api.Busy("The server answers as many questions as it can.", 1)
		}
		held++
	}
	return done, nil
}

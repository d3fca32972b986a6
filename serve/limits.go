package serve

import (
	"context"
	"time"

	"github.com/lshclust/lshclust/serve/api"
)

// limits bounds the number of questions answered at the same time.
type limits struct {
	all, heavy chan struct{}
	patience   time.Duration
}

// enter waits for the turn of a question. The caller calls done when it is answered. A heavy question first waits
// among the heavy ones, so that it does not occupy a place that another question could use.
func (l *limits) enter(ctx context.Context, heavy bool) (done func(), err error) {
	ctx, cancel := context.WithTimeout(ctx, l.patience)
	defer cancel()
	var held []chan struct{}
	done = func() {
		for _, c := range held {
			<-c
		}
	}
	places := []chan struct{}{l.all}
	if heavy {
		places = []chan struct{}{l.heavy, l.all}
	}
	for _, c := range places {
		select { // take a free place even if the time is up
		case c <- struct{}{}:
			held = append(held, c)
			continue
		default:
		}
		select {
		case c <- struct{}{}:
			held = append(held, c)
		case <-ctx.Done():
			done()
			return nil, api.Busy("The server answers as many questions as it can.", 1)
		}
	}
	return done, nil
}

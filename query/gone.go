package query

import (
	"context"
	"fmt"
	"time"

	"github.com/lshclust/lshclust/internal/tables"
)

// Gone tells that an earlier sweep had a page of a URL and that this run, which comes after it, has none. last is the
// time of its last capture, zero if that is unknown. The URL may be in any form. A run that comes after no other one
// knows of no such page.
func (r *Run) Gone(url string) (last time.Time, gone bool) {
	if r.gone == nil {
		return last, false
	}
	g, ok := r.gone.Find(url)
	if !ok {
		if canonical, err := r.canonical(url); err == nil {
			g, ok = r.gone.Find(canonical)
		}
	}
	if !ok || g.Last == 0 {
		return last, ok
	}
	return time.UnixMilli(g.Last).UTC(), true
}

// unknown returns the error for a URL that the run has no document of.
func (r *Run) unknown(url, why string) error {
	last, gone := r.Gone(url)
	switch {
	case !gone:
		return fmt.Errorf("%s: %w (%s)", url, ErrUnknown, why)
	case last.IsZero():
		return fmt.Errorf("%s: %w (%s): its page is gone since an earlier sweep", url, ErrUnknown, why)
	}
	return fmt.Errorf("%s: %w (%s): its page is gone since an earlier sweep, which saw it last on %s", url, ErrUnknown, why, last.Format(time.DateOnly))
}

// checkGone checks that the URLs that are gone are in the order of their hashes.
func checkGone(ctx context.Context, r *Run) error {
	if r.gone == nil {
		return nil
	}
	last := uint64(0)
	for i := range r.gone.Len() {
		g := r.gone.At(i)
		h := tables.Hash(g.URL)
		if g.URL == "" || h < last {
			return fmt.Errorf("row %d of gone pages (%q) is out of order", i, g.URL)
		}
		if last = h; i%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

package capture

import (
	"cmp"
	"math"
	"time"

	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/crawl/record"
)

// ReasonRendered counts rendered text that is left out because each capture is its own document, and it is unknown to
// which of them the text belongs.
const ReasonRendered crawl.Reason = "rendered-text"

// renderedWithin is the greatest difference in milliseconds between the times of a rendered text and its page.
const renderedWithin = int64(24 * time.Hour / time.Millisecond)

// renderedTime is added to the time of rendered text, so that every other capture wins, and loadedTime in addition if
// scripts went on after that, so that the final text wins.
const (
	renderedTime = math.MinInt64 / 2
	loadedTime   = math.MinInt64 / 4
)

// OfRendered returns the order of a capture that is rendered text: every other capture of the URL wins over it.
func (a Order) OfRendered(at crawl.Rendering) Order {
	switch at {
	case record.NotRendered:
		return a
	case record.RenderedLoaded:
		a.Millis += loadedTime
	}
	a.Millis += renderedTime
	return a
}

func (a Order) isRendered() bool { return a.Millis < renderedTime/2 }
func (a Order) isLoaded() bool   { return a.Millis < renderedTime+loadedTime/2 }

// distance returns the milliseconds between a rendered text and a page.
func (a Order) distance(page Order) int64 {
	a.Millis -= renderedTime
	if a.Millis < loadedTime/2 {
		a.Millis -= loadedTime
	}
	return max(a.Millis-page.Millis, page.Millis-a.Millis)
}

// shown is the text that a browser rendered for the winner of a contest. People read that text, so it replaces the words
// of the page's HTML. A text belongs to the page of its URL if it was rendered within a day of the capture. If a URL has
// no other capture, the text is its page.
type shown struct {
	order  Order
	number Number
	found  bool
}

// offer takes a rendered text into account. It returns the text that does not belong to the page: that one, or an earlier
// one.
func (s *shown) offer(page, order Order, number Number) (lost Number, ok bool) {
	if order.distance(page) > renderedWithin || s.found && !order.belongs(s.order, page) {
		return number, true
	}
	lost, ok = s.number, s.found
	*s = shown{order, number, true}
	return lost, ok
}

// belongs reports whether text a belongs to a page rather than text b.
func (a Order) belongs(b, page Order) bool {
	if a.isLoaded() != b.isLoaded() {
		return b.isLoaded()
	}
	return cmp.Or(cmp.Compare(a.distance(page), b.distance(page)), a.Compare(b)) < 0
}

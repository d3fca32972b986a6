package capture

import (
	"cmp"
	"time"

	"github.com/lshclust/lshclust/crawl"
)

// ReasonRendered counts rendered text that is left out because each capture is its own document, and it is unknown to
// which of them the text belongs.
const ReasonRendered crawl.Reason = "rendered-text"

// renderedWithin is the greatest difference in milliseconds between the times of a rendered text and its page.
const renderedWithin = int64(24 * time.Hour / time.Millisecond)

// Text describes the text of a page, or a rendered text, to [RenderedTexts].
type Text struct {
	URL      string
	Order    Order // of the capture, not marked by [Order.OfRendered]
	Rendered crawl.Rendering
}

// RenderedTexts finds the rendered text of each page. People read the text that a browser rendered, so its shingles
// replace those of the page's HTML. A text belongs to the page of its URL if it was rendered within a day of the
// capture. If a URL has no other capture, the text is its page.
type RenderedTexts[T any] struct {
	of    func(*T) Text
	pages []Text
	byURL map[string][]int // the pages that are not themselves rendered text
	best  []*T             // for each page; nil for none
}

// NewRenderedTexts returns the finder for some pages; of describes each.
func NewRenderedTexts[T any](pages []T, of func(*T) Text) *RenderedTexts[T] {
	r := &RenderedTexts[T]{of: of, pages: make([]Text, len(pages)), byURL: map[string][]int{}, best: make([]*T, len(pages))}
	for i := range pages {
		p := of(&pages[i])
		r.pages[i] = p
		if p.Rendered == crawl.NotRendered {
			r.byURL[p.URL] = append(r.byURL[p.URL], i)
		}
	}
	return r
}

// Offer takes a rendered text into account. The order of the calls does not matter.
func (r *RenderedTexts[T]) Offer(text T) {
	t := r.of(&text)
	for _, i := range r.byURL[t.URL] {
		page := &r.pages[i]
		if t.distance(page) <= renderedWithin && (r.best[i] == nil || t.better(r.of(r.best[i]), page)) {
			r.best[i] = &text
		}
	}
}

// Of returns the text that belongs to page i, or nil.
func (r *RenderedTexts[T]) Of(i int) *T { return r.best[i] }

// better reports whether text a belongs to a page rather than text b.
func (a Text) better(b Text, page *Text) bool {
	return cmp.Or(cmp.Compare(b.Rendered, a.Rendered), cmp.Compare(a.distance(page), b.distance(page)), a.Order.Compare(b.Order)) < 0
}

func (a Text) distance(b *Text) int64 {
	return max(a.Order.Millis-b.Order.Millis, b.Order.Millis-a.Order.Millis)
}

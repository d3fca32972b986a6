package pipeline

import "github.com/lshclust/lshclust/internal/capture"

// renderedTexts finds the rendered texts of the pages of a span.
type renderedTexts struct {
	pages []shingled
	texts *capture.RenderedTexts[shingled]
}

func newRenderedTexts(pages []shingled) *renderedTexts {
	return &renderedTexts{pages, capture.NewRenderedTexts(pages, func(s *shingled) capture.Text {
		return capture.Text{URL: s.url, Order: capture.Order{Millis: s.millis, Record: capture.Number(s.capture)}, Rendered: s.rendered}
	})}
}

func (r *renderedTexts) offer(t shingled) { r.texts.Offer(t) }

// use replaces the shingles of the pages that have a rendered text by those of the text, and returns the number of
// these pages.
func (r *renderedTexts) use() (used int64) {
	for i := range r.pages {
		if t := r.texts.Of(i); t != nil {
			r.pages[i].page = t.page
			used++
		}
	}
	return used
}

package pipeline

import (
	"cmp"
	"time"

	"github.com/lshclust/lshclust/crawl"
)

// Text that a browser showed is what a page says: its shingles take the place of those of the page's HTML, whose links
// and words around links still count. It belongs to the capture of its URL that counts if it was taken within a day of
// it; without any other capture of the URL it is the page.

// reasonRendered counts rendered text where all captures are documents of their own: none of them is known to be its.
const reasonRendered crawl.Reason = "rendered-text"

const renderedWithin = int64(24 * time.Hour / time.Millisecond)

// renderedTexts finds for each page the text that belongs to it. All are of one part of a bucket.
type renderedTexts struct {
	pages []shingled
	of    map[string][]int // the pages of a URL that are not rendered text themselves
	best  []shingled       // for each page; without a URL: none
}

func newRenderedTexts(pages []shingled) *renderedTexts {
	r := &renderedTexts{pages: pages, of: map[string][]int{}, best: make([]shingled, len(pages))}
	for i, p := range pages {
		if p.rendered == crawl.NotRendered {
			r.of[p.url] = append(r.of[p.url], i)
		}
	}
	return r
}

// offer takes a text into account, in any order.
func (r *renderedTexts) offer(t shingled) {
	for _, i := range r.of[t.url] {
		p, best := &r.pages[i], &r.best[i]
		if t.distance(p) <= renderedWithin && (best.url == "" || t.better(best, p)) {
			*best = t
		}
	}
}

// better tells whether a text belongs to a page rather than another text does.
func (s shingled) better(t, p *shingled) bool {
	return cmp.Or(cmp.Compare(t.rendered, s.rendered), cmp.Compare(s.distance(p), t.distance(p)), s.order().compare(t.order())) < 0
}

// use takes shingles from rendered text for the pages that have one, and counts them.
func (r *renderedTexts) use() (used int64) {
	for i, t := range r.best {
		if t.url != "" {
			r.pages[i].page = t.page
			used++
		}
	}
	return used
}

func (s shingled) distance(p *shingled) int64 { return max(s.millis-p.millis, p.millis-s.millis) }

func (s shingled) order() captureOrder { return captureOrder{s.millis, recordNumber(s.capture)} }

package pipeline

import (
	"cmp"
	"slices"
	"time"

	"github.com/lshclust/lshclust/crawl"
)

// Text that a browser showed is what a page says: its shingles take the place of those of the page's HTML, whose links
// and words around links still count. It belongs to the capture of its URL that counts if it was taken within a day of
// it; without any other capture of the URL it is the page.

// reasonRendered counts rendered text where all captures are documents of their own: none of them is known to be its.
const reasonRendered crawl.Reason = "rendered-text"

const renderedWithin = int64(24 * time.Hour / time.Millisecond)

// useRendered takes shingles from rendered text for the pages that have one. Both are of one bucket.
func useRendered(pages, texts []shingled) (used int64) {
	if len(texts) == 0 {
		return 0
	}
	of := map[string][]shingled{}
	for _, t := range texts {
		of[t.url] = append(of[t.url], t)
	}
	for i := range pages {
		p := &pages[i]
		near := slices.DeleteFunc(of[p.url], func(t shingled) bool { return t.distance(p) > renderedWithin })
		if p.rendered != crawl.NotRendered || len(near) == 0 {
			continue
		}
		best := slices.MinFunc(near, func(s, t shingled) int {
			return cmp.Or(cmp.Compare(t.rendered, s.rendered), cmp.Compare(s.distance(p), t.distance(p)), s.order().compare(t.order()))
		})
		p.page = best.page
		used++
	}
	return used
}

func (s shingled) distance(p *shingled) int64 { return max(s.millis-p.millis, p.millis-s.millis) }

func (s shingled) order() captureOrder { return captureOrder{s.millis, recordNumber(s.capture)} }

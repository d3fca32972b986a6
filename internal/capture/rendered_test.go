package capture

import (
	"testing"
	"time"

	"github.com/lshclust/lshclust/crawl/record"
)

// A page gets the text that a browser rendered closest to it, within a day.
func TestRenderedTexts(t *testing.T) {
	hour := time.Hour.Milliseconds()
	type text struct {
		Text
		name string
	}
	const url, other = "https://a.example", "https://b.example"
	page := func(url string, hours int64) text { return text{Text: Text{URL: url, Order: Order{hours * hour, 1}}} }
	rendered := func(name, url string, hours int64, n Number) text {
		return text{Text{url, Order{hours * hour, n}, record.RenderedLoaded}, name}
	}
	final := rendered("final", url, 110, 2)
	final.Rendered = record.RenderedFinal
	for _, c := range []struct {
		name  string
		texts []text
		want  string // "": none
	}{
		{"none", nil, ""},
		{"of another URL", []text{rendered("x", other, 100, 2)}, ""},
		{"too early, too late", []text{rendered("x", url, 75, 2), rendered("y", url, 125, 3)}, ""},
		{"the closest", []text{rendered("x", url, 90, 2), rendered("y", url, 103, 3), rendered("z", url, 110, 4)}, "y"},
		{"of one distance the newest", []text{rendered("x", url, 98, 4), rendered("y", url, 102, 3)}, "y"},
		{"of one time the last record", []text{rendered("x", url, 102, 4), rendered("y", url, 102, 3)}, "x"},
		{"after the scripts", []text{rendered("x", url, 100, 3), final}, "final"},
	} {
		for range 2 {
			r := NewRenderedTexts([]text{page(url, 100), rendered("page", "https://alone.example", 100, 9)}, func(t *text) Text { return t.Text })
			for _, x := range c.texts {
				r.Offer(x)
			}
			got := ""
			if x := r.Of(0); x != nil {
				got = x.name
			}
			if got != c.want || r.Of(1) != nil {
				t.Errorf("%s: %q, want %q", c.name, got, c.want)
			}
			for i, j := 0, len(c.texts)-1; i < j; i, j = i+1, j-1 { // again in reverse order
				c.texts[i], c.texts[j] = c.texts[j], c.texts[i]
			}
		}
	}
}

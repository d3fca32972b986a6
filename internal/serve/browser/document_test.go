package browser

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestTwentyRows checks that a screen of 1440 by 900 shows twenty results of a search, and that a row is no higher on the
// page of a document than 24 pixels for each of its two lines.
func TestTwentyRows(t *testing.T) {
	tab := NewTab(t)
	tab.Screen(1440, "light", true)
	tab.Open("/search?q=index+search")
	if n := Ask[int](tab, "[...document.querySelectorAll('.rows .row')].filter(r => r.getBoundingClientRect().bottom <= 900).length"); n < 20 {
		t.Errorf("%d rows", n)
	}
	tab.Open("/page?url=" + url.QueryEscape(gin))
	if high := Ask[float64](tab, "Math.max(...[...document.querySelectorAll('.rows .row')].map(r => r.getBoundingClientRect().height))"); high > 50 {
		t.Errorf("a row is %v pixels high", high)
	}
}

// TestColumns checks that the words of both views are between the columns of the views where there is room, below the
// right one where there is less, and between them again on a narrow screen, and that both parts of a bar are in the
// colours of the views.
func TestColumns(t *testing.T) {
	const at = `(() => {
		const box = s => document.querySelector(s).getBoundingClientRect(), web = box(".column.web"), words = box(".words-of-both"), text = box(".column.text");
		return web.right < words.left && words.right < text.left ? "between" : web.right < words.left && text.bottom < words.top ? "below" : web.bottom < words.top && words.bottom < text.top ? "stacked" : JSON.stringify([web, words, text]);
	})()`
	tab := NewTab(t)
	for width, want := range map[int64]string{320: "stacked", 1000: "below", 1440: "between"} {
		tab.Screen(width, "light", true)
		tab.Open("/page?url=" + url.QueryEscape(gin))
		if got := Ask[string](tab, at); got != want {
			t.Errorf("%d: %s, want %s", width, got, want)
		}
	}
	const colours = `(() => {
		const of = e => getComputedStyle(e).fill, paint = (selector, property) => { const e = document.createElementNS("http://www.w3.org/2000/svg", "rect"); e.setAttribute("class", "fill"); document.querySelector(selector).append(e); const c = of(e); e.remove(); return c };
		const bar = document.querySelector(".column.web .score svg");
		return of(bar.querySelector("g.web .fill")) === paint(".column.web svg") && of(bar.querySelector("g.text .fill")) === paint(".column.text");
	})()`
	if !Ask[bool](tab, colours) {
		t.Error("the parts of a bar do not have the colours of the views")
	}
}

// TestMenuOfRuns checks that the menu of the runs is within a screen of 320 pixels.
func TestMenuOfRuns(t *testing.T) {
	tab := NewTab(t)
	tab.Screen(320, "dark", true)
	tab.Open("/page?url=" + url.QueryEscape(gin))
	tab.tabTo("document.activeElement.matches('.runs summary')")
	tab.Type(kb.Enter)
	tab.Wait("document.querySelector('.runs').open")
	if !Ask[bool](tab, "(b => b.left >= 0 && b.right <= 320 && b.width > 100)(document.querySelector('.runs ul').getBoundingClientRect())") {
		t.Error("the menu is not within the screen")
	}
	if n := Ask[int](tab, "document.documentElement.scrollWidth"); n > 320 {
		t.Errorf("the page is %d pixels wide", n)
	}
}

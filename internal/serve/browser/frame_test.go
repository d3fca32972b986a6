package browser

import (
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestLook checks the look of the pages of the frame, including hostile ones.
func TestLook(t *testing.T) {
	Look(t, map[string]string{
		"home":         "/",
		"other":        "/?run=" + url.QueryEscape("<b>other</b>"),
		"search":       "/search?q=index+search",
		"search-none":  "/search?q=xyzzyqux",
		"page":         "/page?url=" + url.QueryEscape(gin),
		"page-hostile": "/page?url=" + url.QueryEscape(evil),
		"page-never":   "/page?url=" + url.QueryEscape("https://evil.example/never?"+url.QueryEscape(attack)),
		"page-hidden":  "/page?url=" + url.QueryEscape(hidden),
		"host":         "/host?host=postgresql.org",
		"host-hostile": "/host?host=evil.example",
		"run":          "/run",
		"unknown":      "/page?url=" + url.QueryEscape("https://postgresql.org/docs/15/none.html"),
		"find":         "/find",
		"find-lost":    "/find?url=" + url.QueryEscape("https://postgresql.org/docs/15/none.html"),
		"find-there":   "/find?url=" + url.QueryEscape(gin),
		"find-linked":  "/find?url=" + url.QueryEscape("https://evil.example/never?"+url.QueryEscape(attack)),
		"attack-find":  "/find?url=" + url.QueryEscape(attack),
		"attack-url":   "/page?url=" + url.QueryEscape(attack),
		"attack-words": "/search?q=" + url.QueryEscape("index "+attack),
		"attack-host":  "/host?host=" + url.QueryEscape(attack),
		"attack-run":   "/?run=" + url.QueryEscape(attack),
		"attack-path":  "/" + url.PathEscape(attack),
		"traversal":    "/assets/..%2f..%2fgo.mod",
	})
}

// TestKeyboard searches, opens a page, asks why and goes to another run, by keys alone.
func TestKeyboard(t *testing.T) {
	for _, width := range []int64{360, 1440} {
		tab := NewTab(t)
		tab.Screen(width, "light", true)
		tab.Open("/")
		tab.Type("/")
		tab.Wait("document.activeElement.id === 'q'")
		tab.Type("index search" + kb.Enter)
		tab.At("/search")
		tab.Type("jjk")
		tab.Wait("document.activeElement === document.querySelector('.rows .row a')")
		heading := Ask[string](tab, "document.activeElement.textContent")
		tab.Type("o")
		tab.At("/page")
		if title := Ask[string](tab, "document.querySelector('h1').textContent"); title != heading {
			t.Errorf("the row %q leads to %q", heading, title)
		}
		tab.Type("?")
		tab.Wait("document.getElementById('keys').open")
		tab.Type("?")
		tab.Wait("!document.getElementById('keys').open")
		tab.Open("/page?url=" + url.QueryEscape(gin))
		tab.Type("jw")
		tab.At("/explain")
		tab.Open("/page?url=" + url.QueryEscape(gin))
		for range Ask[int](tab, "document.querySelectorAll('.column.web [data-row]').length") + 1 {
			tab.Type("j")
		}
		tab.Type("d")
		tab.At("/diff")
		if b := Ask[string](tab, "new URLSearchParams(location.search).get('b')"); b != copied {
			t.Errorf("the difference to %s", b)
		}
	}
}

// TestWithoutScripts does without scripts what TestKeyboard does with them: tab, space and enter are enough.
func TestWithoutScripts(t *testing.T) {
	for _, width := range []int64{360, 1440} {
		tab := NewTab(t)
		tab.Screen(width, "dark", false)
		tab.Open("/")
		tab.tabTo("document.activeElement.id === 'q'")
		tab.Type("index search" + kb.Enter)
		tab.At("/search")
		tab.tabTo("document.activeElement.matches('.row a')")
		tab.Type(kb.Enter)
		tab.At("/page")
		tab.tabTo("document.activeElement.matches('.runs summary')")
		tab.Type(kb.Enter)
		tab.Wait("document.querySelector('.runs').open")
		tab.tabTo("document.activeElement.textContent === '<b>other</b>'")
		tab.Type(kb.Enter)
		tab.Wait("new URLSearchParams(location.search).get('run') === '<b>other</b>'")
		tab.At("/page")
		if shown := Ask[bool](tab, "getComputedStyle(document.getElementById('keys')).display !== 'none'"); shown {
			t.Error("the keys are shown, but they do not work without scripts")
		}
		tab.Open("/")
		tab.tabTo("document.activeElement.matches('.area a')")
		tab.Type(kb.Enter)
		tab.At("/cluster")
	}
}

// TestLost checks that the search box leads to what is nearest to a URL that the run does not have, by keyboard, with
// scripts and without.
func TestLost(t *testing.T) {
	for _, width := range []int64{360, 1440} {
		for _, scripts := range []bool{true, false} {
			tab := NewTab(t)
			tab.Screen(width, "light", scripts)
			tab.Open("/")
			tab.tabTo("document.activeElement.id === 'q'")
			tab.Type("postgresql.org/docs/15/gin-index.html" + kb.Enter)
			tab.At("/find")
			if said := Ask[string](tab, "document.querySelector('main').textContent"); !strings.Contains(said, "knows nothing of this URL") || !strings.Contains(said, "URLs like it") {
				t.Errorf("%s", said)
			}
			tab.tabTo("document.activeElement.matches('.rows .row a')")
			tab.Type(kb.Enter)
			tab.At("/page")
		}
	}
}

// tabTo presses the tab key until an expression is true.
func (tab *Tab) tabTo(expression string) {
	tab.t.Helper()
	for range 200 {
		if Ask[bool](tab, expression) {
			return
		}
		tab.Type(kb.Tab)
	}
	tab.t.Fatalf("the tab key does not lead to %s: %s", expression, tab.at())
}

// TestExcerpts checks that a page that asks not to be indexed is not quoted.
func TestExcerpts(t *testing.T) {
	tab := NewTab(t)
	tab.Open("/page?url=" + url.QueryEscape(gin))
	said := Ask[string](tab, "document.querySelector('main').textContent")
	if strings.Contains(said, "sentence that is hidden") || !strings.Contains(said, "onerror=alert(1)") {
		t.Errorf("%s", said)
	}
}

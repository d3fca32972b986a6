package browser

import (
	"net/url"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// branchOf returns the path of the page of a topic with parts.
func branchOf(t *testing.T) string {
	t.Helper()
	tab := NewTab(t)
	tab.Open("/topics")
	return Ask[string](tab, `[...document.querySelectorAll(".topics th a")].map(a => a.pathname + a.search).find(to => to.includes("."))`)
}

// TestTopicsLook checks the look of the pages about topics and copies, including hostile texts.
func TestTopicsLook(t *testing.T) {
	pasted := func(path, name, text string) string { return path + "?" + url.Values{name: {text}}.Encode() }
	Look(t, map[string]string{
		"topics":        "/topics",
		"coloured":      "/?colour=views",
		"hosts":         "/hosts",
		"topics-none":   "/topics?label=" + url.QueryEscape(attack),
		"topic":         branchOf(t),
		"copies":        "/copies",
		"site":          "/site",
		"site-versions": "/site?kind=thin",
		"text":          "/text",
		"text-found":    pasted("/text", "text", "An index is a common way to enhance database performance. The index of the search tree is hostile, and all of its words say so again and again in this sentence."),
		"text-attack":   pasted("/text", "text", attack),
		"text-of":       pasted("/text", "url", copied),
	})
}

// TestDensity checks that at least twenty rows of a list fit a screen of 1440 × 900.
func TestDensity(t *testing.T) {
	tab := NewTab(t)
	tab.Screen(1440, "light", true)
	for _, path := range []string{"/topics", "/copies"} {
		tab.Open(path)
		fit, all := Ask[int](tab, `[...document.querySelectorAll("tbody tr")].filter(r => r.getBoundingClientRect().bottom <= 900).length`), Ask[int](tab, `document.querySelectorAll("tbody tr").length`)
		if fit < min(20, all) {
			t.Errorf("%s: %d of %d rows fit", path, fit, all)
		}
	}
}

// TestTopicsByKeys walks down the tree of topics to a page, and back up by the path above, with scripts and without.
func TestTopicsByKeys(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		tab := NewTab(t)
		tab.Screen(1440, "light", scripts)
		tab.Open("/")
		if n := Ask[int](tab, "document.querySelectorAll('.examples a').length"); n < 4 || n > 6 {
			t.Errorf("%d examples", n)
		}
		tab.tabTo("document.activeElement.matches('.area.has h3 a')")
		tab.Type(kb.Enter)
		tab.At("/cluster")
		name := Ask[string](tab, "document.querySelector('h1').textContent")
		tab.tabTo("document.activeElement.matches('.area h3 a')")
		tab.Type(kb.Enter)
		tab.Wait("document.querySelector('h1').textContent !== " + quoted(name))
		tab.tabTo("document.activeElement.matches('.path a') && document.activeElement.textContent === " + quoted(name))
		tab.Type(kb.Enter)
		tab.Wait("document.querySelector('h1').textContent === " + quoted(name))
		tab.tabTo("document.activeElement.matches('.path a')")
		tab.Type(kb.Enter)
		tab.At("/topics")
	}
}

// TestPaste pastes a text by keys, with scripts and without.
func TestPaste(t *testing.T) {
	for _, scripts := range []bool{true, false} {
		tab := NewTab(t)
		tab.Screen(360, "dark", scripts)
		tab.Open("/copies")
		tab.tabTo("document.activeElement.pathname === '/text'")
		tab.Type(kb.Enter)
		tab.At("/text")
		tab.tabTo("document.activeElement.id === 'text'")
		tab.Type("the index of the search tree is hostile, and all of its words say so again and again in this sentence" + kb.Tab + kb.Enter)
		tab.Wait("document.querySelectorAll('.column.text .row').length > 0 && document.querySelectorAll('.column.web .row').length > 0")
	}
}

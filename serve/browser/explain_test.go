package browser

import (
	"encoding/json"
	"net/http"
	"net/url"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

const gist = "https://postgresql.org/docs/15/gist.html"

// pair returns the path of a page about two documents.
func pair(path, a, b string) string {
	return path + "?" + url.Values{"a": {a}, "b": {b}}.Encode()
}

func around(of string) string { return "/map?url=" + url.QueryEscape(of) }

// clustersOf returns the ids of the topical and of the syntactic cluster of a page.
func clustersOf(t *testing.T, of string) (topical, syntactic string) {
	t.Helper()
	r, err := http.Get(site(t) + "/v1/page?url=" + url.QueryEscape(of)) //nolint:noctx // of this test
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var p struct{ Topical, Syntactic struct{ ID string } }
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		t.Fatal(err)
	}
	return p.Topical.ID, p.Syntactic.ID
}

// TestLookWhy checks the look of the pages about pairs and clusters, including hostile ones.
func TestLookWhy(t *testing.T) {
	topical, _ := clustersOf(t, gin)
	evilTopical, evilTexts := clustersOf(t, evil)
	Look(t, map[string]string{
		"explain":         pair("/explain", gin, gist),
		"why-hostile":     pair("/explain", evil, evilToo),
		"why-unknown":     pair("/explain", gin, attack),
		"diff":            pair("/diff", gin, copied),
		"diff-hostile":    pair("/diff", evil, evilToo),
		"diff-hidden":     pair("/diff", gin, hidden),
		"diff-all":        pair("/diff", evil, evilToo) + "&all=true",
		"cluster":         "/cluster?id=" + topical,
		"cluster-hostile": "/cluster?id=" + evilTopical,
		"cluster-texts":   "/cluster?view=syntactic&id=" + evilTexts,
		"map":             around(gin),
		"map-hostile":     around(evil),
		"map-cluster":     "/map?cluster=" + topical,
		"map-of-nothing":  "/map",
		"attack-id":       "/cluster?id=" + url.QueryEscape(attack),
	})
}

// TestWhyByKeys goes from a page to the reasons, to the texts and to the map, and along the circles of the map, by keys
// alone.
func TestWhyByKeys(t *testing.T) {
	for _, width := range []int64{360, 1440} {
		tab := NewTab(t)
		tab.Screen(width, "light", true)
		tab.Open(pair("/explain", gin, copied))
		tab.Type("d")
		tab.At("/diff")
		tab.Type("w")
		tab.At("/explain")
		tab.Type("m")
		tab.At("/map")
		tab.tabTo("document.activeElement.matches('.map a.node:not(.middle)')")
		name := Ask[string](tab, "document.activeElement.getAttribute('aria-label')")
		tab.Type(kb.Tab)
		tab.Wait("document.activeElement.matches('.map a.node') && document.activeElement.getAttribute('aria-label') !== " + quoted(name))
		tab.Wait("!document.querySelector('.map-card').hidden && document.querySelector('.map-card').textContent.trim() !== ''")
		tab.Type(kb.Escape)
		tab.Wait("document.querySelector('.map-card').hidden")
		tab.walk()
		tab.Open(around(gin))
		tab.Type("jjo")
		tab.At("/page")
	}
}

// TestWhyWithoutScripts goes from a page to the reasons, to a cluster, to its map and to a page, by tab and enter.
func TestWhyWithoutScripts(t *testing.T) {
	topical, _ := clustersOf(t, gin)
	for _, width := range []int64{360, 1440} {
		tab := NewTab(t)
		tab.Screen(width, "dark", false)
		tab.Open(pair("/explain", gin, copied))
		tab.tabTo("document.activeElement.textContent === 'compare the texts'")
		tab.Type(kb.Enter)
		tab.At("/diff")
		tab.Open("/cluster?id=" + topical)
		tab.tabTo("document.activeElement.textContent === 'map of the topic'")
		tab.Type(kb.Enter)
		tab.At("/map")
		tab.tabTo("document.activeElement.matches('.map a.node:not(.middle)')")
		tab.walk()
	}
}

// walk follows the circle of a map that has the focus to the map around it, and its trail back.
func (tab *Tab) walk() {
	tab.t.Helper()
	from := Ask[string](tab, "document.querySelector('h1').textContent")
	tab.Type(kb.Enter)
	tab.Wait("location.pathname === '/map' && document.querySelector('h1').textContent !== " + quoted(from))
	if Ask[bool](tab, "new URLSearchParams(location.search).has('trail')") {
		tab.tabTo("document.activeElement.matches('.path a') && document.activeElement.textContent === " + quoted(from))
		tab.Type(kb.Enter)
		tab.Wait("document.querySelector('h1').textContent === " + quoted(from))
	}
}

// overlapping finds circles of a map that are on one another or too small for a finger.
const overlapping = `(() => {
	const seen = e => e.getBoundingClientRect(), bad = [];
	const circles = [...document.querySelectorAll(".map .node circle")];
	circles.forEach((a, i) => {
		const r = seen(a), at = c => [c.left + c.width / 2, c.top + c.height / 2];
		if (innerWidth < 500 && r.width < 24) bad.push("a circle is only " + r.width + " wide");
		circles.slice(0, i).map(seen).filter(b => Math.hypot(at(r)[0] - at(b)[0], at(r)[1] - at(b)[1]) < (r.width + b.width) / 2 - 1).forEach(() => bad.push("circles on one another"));
	});
	return bad.join("\n");
})()`

// TestMapIsLegible checks that nothing on a map overlaps in the browser, with its fonts.
func TestMapIsLegible(t *testing.T) {
	topical, _ := clustersOf(t, gin)
	tab := NewTab(t)
	for _, path := range []string{around(gin), around(gist), around(evil), "/map?cluster=" + topical} {
		for _, width := range []int64{360, 800, 1440} {
			tab.Screen(width, "light", true)
			tab.Open(path)
			if bad := Ask[string](tab, overlapping); bad != "" {
				t.Errorf("%s at %d: %s", path, width, bad)
			}
		}
	}
}

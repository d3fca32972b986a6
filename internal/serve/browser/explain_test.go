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
		"attack-id":       "/cluster?id=" + url.QueryEscape(attack),
	})
}

// TestWhyByKeys goes from a page to the reasons, to the texts and to a page, by keys alone.
func TestWhyByKeys(t *testing.T) {
	for _, width := range []int64{360, 1440} {
		tab := NewTab(t)
		tab.Screen(width, "light", true)
		tab.Open(pair("/explain", gin, copied))
		tab.Type("d")
		tab.At("/diff")
		tab.Type("w")
		tab.At("/explain")
		tab.Open("/page?url=" + url.QueryEscape(gin))
		tab.Type("jjo")
		tab.At("/page")
	}
}

// TestWhyWithoutScripts goes from a page to the reasons, to a cluster and to a page, by tab and enter.
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
		tab.tabTo("document.activeElement.matches('.row a')")
		tab.Type(kb.Enter)
		tab.At("/page")
	}
}

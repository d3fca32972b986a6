package serve

import (
	"net/http"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
)

// TestNoSnippet checks that a page that asks not to be quoted is found, but none of its text is shown: neither the
// sentences and the anchors in it nor its lines.
func TestNoSnippet(t *testing.T) {
	const said = "<p>The orchard has an old gate and a wall of stone on which the cats of the village sleep through the warm afternoons of the summer."
	run := sweep(t, "quiet", "2024", map[string]string{
		"/open":  said,
		"/quiet": "<meta name=Robots content='index, Max-Snippet: 0'>" + said + " <a href='/open'>a secret name</a>",
		"/mute":  "<meta name=robots content='nosnippet'>" + said + " <a href='/open'>a hidden name</a>",
	})
	c := start(t, Options{}, run)
	page := c.get(200, "/v1/page", "url", orchard+"/open")
	if strings.Contains(string(page.body), "secret name") || strings.Contains(string(page.body), "hidden name") {
		t.Errorf("%s", page.body)
	}
	for _, path := range []string{"/quiet", "/mute"} {
		d := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", orchard+path)).Document
		if !d.NoSnippet || d.NoIndex {
			t.Errorf("%+v", d)
		}
		c.get(403, "/v1/explain", "a", orchard+"/open", "b", orchard+path, "texts", "true")
		shown := c.do(http.MethodGet, "/diff?a="+orchard+"/open&b="+orchard+path, nil)
		if text := string(shown.body); strings.Contains(text, "village sleep") || !strings.Contains(text, "asks not to be quoted") {
			t.Errorf("%s", text)
		}
	}
	if d := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", orchard+"/open")).Document; d.NoSnippet {
		t.Errorf("%+v", d)
	}
}

package serve

import (
	"encoding/json"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
)

const orchard = "https://a.example"

// sweep returns a run of pages at one time, whose texts are at paths. Tests share the one of a name.
func sweep(t testing.TB, name, year string, texts map[string]string) string {
	t.Helper()
	dir := filepath.Dir(sampleRun(t))
	out := filepath.Join(dir, name)
	if _, err := os.Stat(out); err == nil {
		return out
	}
	var lines []byte
	links := ""
	for path := range texts {
		links += "<a href='" + path + "'>" + filepath.Base(path) + "</a> "
	}
	texts[""] = "The orchard has an old gate and a wall of stone on which the cats of the village sleep through the warm afternoons of the summer." + links
	for path, text := range texts {
		line, err := json.Marshal(map[string]string{"url": orchard + path, "timestamp": year + "-01-01T00:00:00Z", "html": "<title>" + filepath.Base(path) + "</title><p>" + text})
		if err != nil {
			t.Fatal(err)
		}
		lines = append(append(lines, line...), '\n')
	}
	cluster(t, filepath.Join(dir, name+".jsonl"), out, lines)
	return out
}

// crawlsOf returns the runs of a site before and after it moved its documentation.
func crawlsOf(t testing.TB) (older, newer string) {
	t.Helper()
	const (
		apples   = "An apple keeps through the winter if the cellar is cool and dark and nobody puts the crates beside the potatoes, which make everything sprout."
		pears    = "Pears are picked before they are ripe, wrapped in paper one by one, and brought into the kitchen a week before the guests are expected."
		cherries = "Whoever wants cherries must be faster than the starlings, spread a net in time, and have a ladder that reaches the upper branches."
		plums    = "Plums become jam without any sugar when they are stirred for a night and a day in a copper pot over a fire of beech wood."
	)
	older = sweep(t, "older", "2023", map[string]string{"/docs/apples": apples, "/docs/pears": pears, "/docs/cherries": cherries, "/docs/plums": plums})
	return older, sweep(t, "newer", "2024", map[string]string{"/manual/apples": apples, "/manual/pears": pears, "/manual/cherries": cherries})
}

// TestMoved checks that the run of the newer crawl tells where the pages of the older one went, as JSON and as
// redirects.
func TestMoved(t *testing.T) {
	older, newer := crawlsOf(t)
	c := start(t, Options{}, newer, older) // run0 and run1
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	m := into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", "a.example/docs/apples/"))
	if m.Verdict != "moved" || m.URL != orchard+"/docs/apples" || m.Items[0].URL != orchard+"/manual/apples" || m.Confidence < 0.9 || len(m.Items[0].Why) == 0 {
		t.Errorf("%+v", m)
	}
	if m := into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", orchard, "run", "run0", "older", "run1")); m.Verdict != "" || m.Items[0].How != "there" || m.Items[0].URL != orchard {
		t.Errorf("%+v", m)
	}
	for _, x := range []struct {
		status int
		to     string
		accept string
		params url.Values
		header []string
	}{
		{302, "/manual/apples", "text/html,application/xhtml+xml,*/*;q=0.8", url.Values{"url": {orchard + "/docs/apples"}}, nil},
		{301, "/manual/pears", "*/*", url.Values{"url": {orchard + "/docs/pears"}, "redirect": {"301"}}, nil},
		{308, "/manual/cherries", "", url.Values{"redirect": {"308"}}, []string{"X-Original-Url" + ": " + orchard + "/docs/cherries"}},
		{404, "", "text/html", url.Values{"url": {orchard + "/docs/plums"}}, nil},
		{404, "", "text/html", url.Values{"url": {orchard}}, nil}, // the page exists: a redirect would lead to itself
		{404, "", "", url.Values{"url": {orchard + "/docs/apples"}, "min": {"1"}, "redirect": {"307"}}, nil},
		{404, "", "", url.Values{"url": {orchard + "/nothing"}, "redirect": {"302"}}, nil},
		{404, "", "", url.Values{"url": {"javascript:alert(1)"}, "redirect": {"302"}}, nil},
		{400, "", "", url.Values{"redirect": {"302"}}, nil},
		{400, "", "", url.Values{"url": {orchard}, "redirect": {"200"}}, nil},
		{404, "", "", url.Values{"url": {orchard}, "older": {"run2"}}, nil},
		{409, "", "", url.Values{"url": {orchard}, "run": {"run1"}}, nil}, // the wrong way round
	} {
		if x.accept != "" {
			x.header = append(x.header, "Accept: "+x.accept)
		}
		a := c.do(http.MethodGet, "/v1/moved?"+x.params.Encode(), nil, x.header...)
		if x.to != "" {
			x.to = orchard + x.to
		}
		if a.StatusCode != x.status || a.Header.Get("Location") != x.to || x.status < 400 && (a.Header.Get("Etag") != "" || len(a.body) > 0) {
			t.Errorf("%v: %d %q, want %d %q\n%s", x.params, a.StatusCode, a.Header.Get("Location"), x.status, x.to, a.body)
		}
	}
	etag := c.get(200, "/v1/moved", "url", orchard).Header.Get("Etag")
	if etag == c.get(200, "/v1/page", "url", orchard).Header.Get("Etag") {
		t.Error("the ETag does not tell the older run")
	}
	one := start(t, Options{}, newer)
	if m := into[ask.MovedAnswer](t, one.get(200, "/v1/moved", "url", orchard+"/docs/pears")); len(m.Seen) != 1 || m.Verdict != "" {
		t.Errorf("one run: %+v", m)
	}
	one.get(404, "/v1/moved", "url", orchard, "redirect", "302")
}

// TestMovedSwap checks that moves are computed again after an older run was replaced, and that those of the old one
// are forgotten.
func TestMovedSwap(t *testing.T) {
	older, newer := crawlsOf(t)
	pointer := filepath.Join(t.TempDir(), "current")
	point(t, pointer, older)
	c := start(t, Options{}, newer, pointer)
	for _, x := range []struct{ run, how string }{{older, "moved"}, {newer, "there"}, {older, "moved"}} {
		point(t, pointer, x.run)
		if _, err := c.s.runs.served["run1"].reload(true); err != nil {
			t.Fatal(err)
		}
		address := orchard + "/docs/apples"
		if x.how == "there" {
			address = orchard + "/manual/apples"
		}
		if m := into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", address)); string(m.Items[0].How) != x.how {
			t.Errorf("%s: %+v", x.run, m)
		}
	}
}

// TestMovedPage finds a gone page by the text that an older run has of it.
func TestMovedPage(t *testing.T) {
	older, newer := crawlsOf(t)
	c := start(t, Options{}, newer, older)
	got := into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", orchard+"/docs/pears", "older", "run1"))
	before, now := got.Seen[0], got.Seen[1]
	if now.Known != "nothing" || before.Known != "page" || before.Name != "pears" || before.Time.IsZero() || before.Time.Year() != 2023 {
		t.Errorf("%+v", got)
	}
	if p := got.Items[0]; p.URL != orchard+"/manual/pears" || p.How != "moved" || p.Score < 0.5 || len(p.Why) == 0 {
		t.Errorf("%+v", got)
	}
	if got := into[ask.MovedAnswer](t, c.get(200, "/v1/moved", "url", orchard+"/docs/plums")); got.Verdict != "gone" {
		t.Errorf("%+v", got)
	}
	for path, says := range map[string][]string{
		"/find?url=" + orchard + "/docs/pears":                   {"The page moved to another URL", "Where it went", "https://a.example/manual/pears", "2023-01-01", "confidence"},
		"/find?url=" + orchard + "/docs/plums":                   {"its content is nowhere", "2023-01-01"},
		"/find?to=run1&from=run0&url=" + orchard + "/docs/pears": {"The crawl has a page at this URL", "So only this crawl was asked"},
		"/find?url=" + orchard + "/manual/pear":                  {"The crawl knows nothing of this URL", "URLs like it"},
	} {
		body := string(c.get(200, path).body)
		for _, s := range says {
			if !strings.Contains(body, s) {
				t.Errorf("%s does not say %q: %s", path, s, body)
			}
		}
	}
	c.get(404, "/v1/moved", "url", orchard+"/docs/pears", "older", "no-such-run")
	c.get(409, "/v1/moved", "url", orchard+"/docs/pears", "older", "run0", "run", "run1")
}

// TestApprovedMoves asks for the rules of some moves only.
func TestApprovedMoves(t *testing.T) {
	older, newer := crawlsOf(t)
	c := start(t, Options{}, newer, older)
	said := c.post(200, "/changes", "rules", "csv", "min", "1", "only", orchard+"/docs/apples\n"+orchard+"/docs/none")
	if !strings.Contains(said, orchard+"/docs/apples,"+orchard+"/manual/apples,false") || strings.Contains(said, orchard+"/docs/pears,") || !strings.Contains(said, "Only for the moves that you approved") {
		t.Errorf("%s", said)
	}
	for _, bar := range []string{`title="text `, `title="links `, "<summary>why</summary>"} {
		if !strings.Contains(said, bar) {
			t.Errorf("a move has no %q: %s", bar, said)
		}
	}
}

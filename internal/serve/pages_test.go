package serve

import (
	"bytes"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/serve/pages"
)

const browserAccepts = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// jsonLink matches the link of a page to its content as JSON.
var jsonLink = regexp.MustCompile(`<a href="([^"]*)" rel="alternate" type="application/json">`)

// TestPages checks that every page is HTML with its policy, is small, names no path of the machine, and contains no
// character that reorders text.
func TestPages(t *testing.T) {
	c := start(t, Options{}, sampleRun(t), sampleRun(t))
	for path, says := range map[string]string{
		"/": "What the web says", "/search": "Type a URL", "/search?q=index+search&run=run1": "Pages about", "/search?q=%20": "Type a URL", "/search?q=gin": "Called <q><bdi>gin</bdi></q>", "/run": "Settings",
		"/page?url=" + url.QueryEscape(gin): "What the page says", "/page?utm_source=x&cursor=&url=" + url.QueryEscape(hostileURL): "&lt;script&gt;alert(1)", "/host?host=WWW.PostgreSQL.org": "Documents",
		"/find": "Type a URL that is dead", "/find?url=postgresql.org/docs/15/none": "URLs like it", "/find?to=run0&url=" + url.QueryEscape(gin): "The crawl has a page at this URL",
		"/host?host=https://postgresql.org": "Documents",
	} {
		a := c.do(http.MethodGet, path, nil, "Accept: "+browserAccepts)
		body := string(a.body)
		if a.StatusCode != http.StatusOK || !strings.Contains(body, says) || len(body) > 100_000 || a.Header.Get("Content-Security-Policy") != pages.Policy {
			t.Errorf("%s: %d %v, %d bytes without %q", path, a.StatusCode, a.Header, len(body), says)
		}
		if strings.ContainsAny(body, "\x1b\u202e\x00") || strings.Contains(body, "<script>") || strings.Contains(body, sampleRun(t)) || strings.Contains(body, "pages.jsonl") {
			t.Errorf("%s shows what it must not: %s", path, body)
		}
		if strings.Contains(path, "run1") != strings.Contains(body, `class="main" href="/page?run=run1&amp;url=`) {
			t.Errorf("%s: links do not keep the run: %s", path, body)
		}
		if link := jsonLink.FindStringSubmatch(body); link != nil {
			if a := c.do(http.MethodGet, strings.ReplaceAll(link[1], "&amp;", "&"), nil); a.StatusCode != http.StatusOK || a.Header.Get("Content-Type") != api.JSON {
				t.Errorf("%s as JSON, %s: %d %s", path, link[1], a.StatusCode, a.body)
			}
		} else if says != "Type a URL" && says != "Type a URL that is dead" {
			t.Errorf("%s has no link to its content as JSON", path)
		}
		again := c.do(http.MethodGet, path, nil, "If-None-Match: "+a.Header.Get("Etag"))
		if again.StatusCode != http.StatusNotModified || again.Header.Get("Content-Security-Policy") != pages.Policy || len(again.body) > 0 {
			t.Errorf("%s again: %d %v", path, again.StatusCode, again.Header)
		}
	}
}

// TestPageTroubles checks that a failed page answers with a page that explains the problem, and other paths in the
// format that the client prefers.
func TestPageTroubles(t *testing.T) {
	c := start(t, Options{})
	for path, want := range map[string]struct {
		status       int
		says, accept string
	}{
		"/page?url=https://postgresql.org/docs/15/nothing": {404, "Did you mean", "*/*"}, "/page": {400, "the parameter url is missing", "*/*"}, "/search?q=a&q=b": {400, "more than once", ""},
		"/?run=none": {404, "The server has no run of this name", ""}, "/page?url=%zz": {400, "cannot be read", ""}, "/host?host=none.example": {404, "holds no document", ""},
		"/nothing": {404, "<h1>There is nothing at this path</h1>", browserAccepts}, "/none": {404, `"title":"There is nothing`, "*/*"}, "/assets/../go.mod": {404, "nothing at this path", ""},
		"/search?q=a&cursor=AAAAAAAAAAAAAAAA": {409, "The cursor is not of this list", ""},
	} {
		a := c.do(http.MethodGet, path, nil, "Accept: "+want.accept)
		if a.StatusCode != want.status || !strings.Contains(string(a.body), want.says) || a.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v %s", path, a.StatusCode, a.Header, a.body)
		}
		if isPage := bytes.HasPrefix(a.body, []byte("<!DOCTYPE html>")); isPage != (a.Header.Get("Content-Security-Policy") == pages.Policy) {
			t.Errorf("%s: %v", path, a.Header)
		}
	}
	if a := c.do(http.MethodPost, "/search?q=a", nil); a.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", a.StatusCode)
	}
}

// TestAssets checks that the assets of a page exist and may be cached forever.
func TestAssets(t *testing.T) {
	c := start(t, Options{})
	found := regexp.MustCompile(`(?:href|src)="(/assets/[^"]+)"`).FindAllSubmatch(c.get(200, "/").body, -1)
	if len(found) != 2 {
		t.Fatalf("%q", found)
	}
	for _, m := range found {
		a := c.get(200, string(m[1]))
		if !strings.Contains(a.Header.Get("Cache-Control"), "immutable") || a.Header.Get("Content-Type") == "" || len(a.body) < 1000 {
			t.Errorf("%s: %v", m[1], a.Header)
		}
	}
}

// TestPageRedirects checks that a URL in the search box leads to its page.
func TestPageRedirects(t *testing.T) {
	c := start(t, Options{})
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	location := func(path string) string {
		t.Helper()
		a := c.do(http.MethodGet, path, nil)
		if a.StatusCode != http.StatusSeeOther {
			t.Errorf("%s: %d", path, a.StatusCode)
		}
		return a.Header.Get("Location")
	}
	for typed, leads := range map[string]string{gin: "/page", "postgresql.org/docs/15/none": "/find", "https://a.example": "/find", "www.postgresql.org/docs/15/gin.html": "/page", "http://": "/find"} {
		if to := location("/search?q=" + url.QueryEscape(typed)); to != leads+"?url="+url.QueryEscape(typed) {
			t.Errorf("%q leads to %s", typed, to)
		}
	}
	if words := string(c.get(200, "/search", "q", "node.js").body); !strings.Contains(words, `href="/find?url=node.js"`) {
		t.Errorf("no way from words that may be a URL to what is nearest to it: %s", words)
	}
	if unknown := string(c.get(404, "/page", "url", "postgresql.org/docs/15/none").body); !strings.Contains(unknown, `href="/find?url=postgresql.org%2Fdocs%2F15%2Fnone"`) {
		t.Errorf("no way from an unknown URL to what is nearest to it: %s", unknown)
	}
}

// TestPageToken checks that browsers can send the token as a password.
func TestPageToken(t *testing.T) {
	c := start(t, Options{Token: "0123456789abcdef"})
	a := c.do(http.MethodGet, "/", nil, "Accept: "+browserAccepts)
	if a.StatusCode != http.StatusUnauthorized || !strings.Contains(strings.Join(a.Header.Values("Www-Authenticate"), " "), "Basic ") {
		t.Errorf("%d %v", a.StatusCode, a.Header)
	}
	for given, status := range map[string]int{"YW55Ym9keTowMTIzNDU2Nzg5YWJjZGVm": 200, "OjAxMjM0NTY3ODlhYmNkZWY=": 200, "MDEyMzQ1Njc4OWFiY2RlZjo=": 401, "YTpi": 401} {
		if a := c.do(http.MethodGet, "/", nil, "Authorization: Basic "+given); a.StatusCode != status {
			t.Errorf("%s: %d", given, a.StatusCode)
		}
	}
}

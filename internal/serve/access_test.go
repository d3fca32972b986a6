package serve

import (
	"encoding/csv"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/serve/api"
)

// TestHostile checks that text of pages is only data in every format, that the headers restrict browsers, and that no
// answer contains a path of the machine or a link to another scheme.
func TestHostile(t *testing.T) {
	c := start(t, Options{})
	dir := filepath.Dir(sampleRun(t))
	asked := 0
	for _, path := range []string{
		"/v1/page?url=" + url.QueryEscape(hostileURL), "/v1/related?url=" + url.QueryEscape(hostileURL), "/v1/search?q=hostile", "/v1/stats", "/openapi.json", "/healthz", "/readyz",
		"/v1/duplicates?url=" + url.QueryEscape(hostileURL), "/v1/explain?texts=true&a=" + url.QueryEscape(hostileURL) + "&b=https://evil.example/linking",
		"/v1/explain?a=" + url.QueryEscape(hostileURL) + "&b=" + gin, "/v1/compare", "/v1/nothing%0d%0aSet-Cookie:%20a=b", "/v1/page?url=%0d%0aSet-Cookie:%20a=b%3Cscript%3E", "/metrics",
	} {
		for _, accept := range []string{"*/*", "text/csv", api.NDJSON} {
			a := c.do(http.MethodGet, path, nil, "Accept: "+accept)
			asked++
			if bad := strings.IndexFunc(string(a.body), func(r rune) bool { return r == 0x1b || r == '\u202e' || r == '\r' }); bad >= 0 {
				t.Errorf("%s %s: %.100q", path, accept, a.body[bad:])
			}
			if strings.Contains(string(a.body), dir) || strings.Contains(string(a.body), "pages.jsonl") {
				t.Errorf("%s shows a path: %s", path, a.body)
			}
			h := a.Header
			if h.Get("X-Content-Type-Options") != "nosniff" || !strings.HasPrefix(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("Set-Cookie") != "" || h.Get("Content-Type") == "" {
				t.Errorf("%s: %v", path, h)
			}
			if strings.HasPrefix(h.Get("Content-Type"), "text/csv") {
				rows, err := csv.NewReader(strings.NewReader(string(a.body))).ReadAll()
				if err != nil {
					t.Errorf("%s: %v", path, err)
				}
				for _, row := range rows {
					for _, cell := range row {
						if strings.HasPrefix(cell, "=") {
							t.Errorf("%s: a formula: %s", path, cell)
						}
					}
				}
			} else if h.Get("Content-Type") == api.JSON && strings.Contains(string(a.body), "<script") {
				t.Errorf("%s: markup that is not escaped: %s", path, a.body)
			}
		}
	}
	page := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", hostileURL))
	if !strings.Contains(page.Document.Title, "<script>") {
		t.Errorf("title %q: is the page in the run?", page.Document.Title)
	}
	if strings.Contains(c.log.text(), dir) {
		t.Error("the log of requests shows a path")
	}
}

// TestToken checks that without the token only health checks are answered.
func TestToken(t *testing.T) {
	c := start(t, Options{Token: "0123456789abcdef"})
	for _, path := range []string{"/v1/stats", "/openapi.json", "/metrics", "/nothing"} {
		for header, status := range map[string]int{
			"X: y": 401, "Authorization: Bearer 0123456789abcdeX": 401, "Authorization: Basic 0123456789abcdef": 401, "Authorization: Bearer ": 401, "Authorization: bearer 0123456789abcdef": 200,
		} {
			a := c.do(http.MethodGet, path, nil, header)
			if path == "/nothing" && status == 200 {
				status = 404
			}
			if a.StatusCode != status || status == 401 && a.Header.Get("Www-Authenticate") == "" {
				t.Errorf("%s, %s: %d, want %d", path, header, a.StatusCode, status)
			}
		}
	}
	c.get(200, "/healthz")
	c.get(200, "/readyz")
}

// TestCORS checks that pages of other sites read nothing unless their origin is allowed.
func TestCORS(t *testing.T) {
	closed, open := start(t, Options{}), start(t, Options{Origins: []string{"https://example.org"}, Hosts: []string{"runs.example.org"}})
	for _, x := range []struct {
		c             *client
		origin, allow string
	}{{closed, "https://example.org", ""}, {open, "https://example.org", "https://example.org"}, {open, "https://other.example", ""}, {open, "null", ""}} {
		a := x.c.do(http.MethodGet, "/v1/stats", nil, "Origin: "+x.origin)
		if a.Header.Get("Access-Control-Allow-Origin") != x.allow || (a.Header.Get("Cross-Origin-Resource-Policy") == "same-origin") != (x.allow == "") {
			t.Errorf("%s: %v", x.origin, a.Header)
		}
		before := x.c.do(http.MethodOptions, "/v1/query", nil, "Origin: "+x.origin, "Access-Control-Request-Method: POST")
		if (before.StatusCode == http.StatusNoContent) != (x.allow != "") {
			t.Errorf("%s: %d before a POST", x.origin, before.StatusCode)
		}
	}
	a := open.do(http.MethodPost, "/v1/query", strings.NewReader("some words"), "Origin: https://example.org", "Content-Type: text/plain", "Sec-Fetch-Site: cross-site", "Host: runs.example.org")
	if a.StatusCode != http.StatusOK {
		t.Errorf("%d %s", a.StatusCode, a.body)
	}
	if _, err := New([]Source{{"r", sampleRun(t)}}, Options{Origins: []string{"example.org"}}); err == nil {
		t.Error("an origin without a scheme was taken")
	}
}

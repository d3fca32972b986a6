package serve

import (
	"encoding/csv"
	"fmt"
	escape "html"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/serve/pages"
)

const formType = "Content-Type: application/x-www-form-urlencoded"

// post sends a form.
func (c *client) post(status int, path string, params ...string) string {
	c.t.Helper()
	v := url.Values{}
	for i := 0; i < len(params); i += 2 {
		v.Set(params[i], params[i+1])
	}
	a := c.do(http.MethodPost, path, strings.NewReader(v.Encode()), formType)
	if a.StatusCode != status || a.Header.Get("Cache-Control") != "no-store" {
		c.t.Fatalf("%s %.100q: status %d, want %d, %v\n%s", path, params, a.StatusCode, status, a.Header, a.body)
	}
	return string(a.body)
}

// TestPastedText pastes texts: one that pages have, a hostile one, one without words, and one that is too long.
func TestPastedText(t *testing.T) {
	c := start(t, Options{MaxBody: 50_000}, sampleRun(t), sampleRun(t))
	said := c.post(200, "/text", "text", hostileText+hostileText, "run", "run1")
	for _, want := range []string{"in 3 pages on 1 host", "100 % of the page is this text", "search tree is hostile", "Related pages", "run=run1", `name="run" value="run1"`} {
		if !strings.Contains(said, want) {
			t.Errorf("the answer lacks %q: %s", want, said)
		}
	}
	if strings.Contains(said, "A secret index") {
		t.Error("a page that asks not to be quoted is quoted")
	}
	const attack = "</textarea><script>alert(1)</script>\u202e\x07"
	if said := c.post(200, "/text", "text", attack); strings.Contains(said, "<script>alert") || strings.ContainsAny(said, "\u202e\x07") || !strings.Contains(said, "&lt;/textarea&gt;") {
		t.Errorf("%s", said)
	}
	if said := c.post(200, "/text", "text", "!!!"); !strings.Contains(said, "Nobody has it") || !strings.Contains(said, "none of its words") {
		t.Errorf("%s", said)
	}
	if said := c.post(200, "/text", "text", "just three words"); !strings.Contains(said, "No page says just this. A part of a page is found if it has more than 10 words.") {
		t.Errorf("%s", said)
	}
	for name, long := range map[string]string{"one word": strings.Repeat("a", 40_000), "markup": strings.Repeat("<", 16_000), "words": strings.Repeat("index of the search tree ", 1900)} {
		if said := c.post(200, "/text", "text", long); len(said) > 100_000 {
			t.Errorf("%s: %d bytes", name, len(said))
		}
	}
	c.post(413, "/text", "text", strings.Repeat("a ", 50_000))
	if a := c.do(http.MethodPost, "/text", strings.NewReader("text=a"), "Content-Type: text/plain"); a.StatusCode != http.StatusUnsupportedMediaType {
		t.Errorf("%d", a.StatusCode)
	}
	if a := c.do(http.MethodPost, "/text", strings.NewReader("text=a"), formType, "Origin: https://evil.example", "Sec-Fetch-Site: cross-site"); a.StatusCode != http.StatusForbidden {
		t.Errorf("another site asked: %d", a.StatusCode)
	}
	if of := string(c.get(200, "/text", "url", hidden).body); !strings.Contains(of, "in 2 pages on 1 host") || strings.Contains(of, "Related pages") {
		t.Errorf("%s", of)
	}
	c.get(404, "/text", "url", "nowhere.example")
	for _, from := range []string{"/page?url=" + url.QueryEscape(hidden), "/copies"} {
		if body := string(c.do(http.MethodGet, from, nil).body); !strings.Contains(body, `href="/text?url=`) {
			t.Errorf("no way from %s to who has a text", from)
		}
	}
}

// TestListsAsCSV checks that every page with a list links to it as CSV, that the link leads to at least as many rows
// as the page shows, and that a page without a list has none.
func TestListsAsCSV(t *testing.T) {
	c := start(t, Options{}, sampleRun(t), sampleRun(t))
	top := c.get(200, "/topics").body
	_, id, _ := strings.Cut(string(top), `href="/cluster?id=`)
	id, _, _ = strings.Cut(id, `"`)
	for path, first := range map[string]string{
		"/topics": "id", "/copies": "id", "/cluster?id=" + id: "id", "/search?q=index+search": "query", "/find?url=" + url.QueryEscape(gin): "of", "/compare?corner=same-links": "url_a", "/changes": "url", "/site": "kind", "/site?kind=thin": "kind",
		"/text?url=" + url.QueryEscape(hidden): "of", "/search?q=index&run=run1": "query",
	} {
		body := string(c.do(http.MethodGet, path, nil).body)
		_, link, _ := strings.Cut(body, `<p><a href="`)
		for !strings.Contains(link[:max(0, strings.Index(link, `"`))], "format=csv") && link != "" {
			_, link, _ = strings.Cut(link, `<p><a href="`)
		}
		link, _, _ = strings.Cut(link, `"`)
		a := c.do(http.MethodGet, escape.UnescapeString(link), nil)
		rows, err := csv.NewReader(strings.NewReader(string(a.body))).ReadAll()
		if err != nil || a.Header.Get("Content-Type") != "text/csv; charset=utf-8; header=present" || !strings.HasPrefix(a.Header.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %q leads to %d %v %v", path, link, a.StatusCode, a.Header, err)
			continue
		}
		if shown := strings.Count(body, " data-row>"); rows[0][0] != first || len(rows)-1 < shown {
			t.Errorf("%s shows %d rows, and %s has %d: %v", path, shown, link, len(rows)-1, rows[0])
		}
		again := c.do(http.MethodGet, escape.UnescapeString(link), nil, "If-None-Match: "+a.Header.Get("Etag"))
		if again.StatusCode != http.StatusNotModified || again.Header.Get("Content-Disposition") != a.Header.Get("Content-Disposition") {
			t.Errorf("%s again: %d %v", link, again.StatusCode, again.Header)
		}
	}
	if body := string(c.get(200, "/run").body); strings.Contains(body, "format=csv") {
		t.Error("the page of the run has a list")
	}
	c.get(404, "/run", "format", "csv")
	if got := c.get(404, "/topics", "format", "csv", "run", "none"); got.Header.Get("Content-Security-Policy") != pages.Policy {
		t.Errorf("%v", got.Header)
	}
}

// TestAllGroupsOfCopies checks that the portions of the list show every group, or say how many they do not show.
func TestAllGroupsOfCopies(t *testing.T) {
	const groups, long = 70, 3
	var in strings.Builder
	for i := range groups {
		words := ""
		for j := range 40 {
			words += fmt.Sprintf("w%dx%d ", i, j)
		}
		name := fmt.Sprintf("page%d", i)
		if i < long {
			name += strings.Repeat("%25", 600)
		}
		for copied := range 2 {
			fmt.Fprintf(&in, `{"url": "https://h%d.example/%s", "text": "%s"}`+"\n", copied, name, words)
		}
	}
	dir := t.TempDir()
	cluster(t, filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, "run"), []byte(in.String()))
	c, shown, cut := start(t, Options{}, filepath.Join(dir, "run")), map[string]bool{}, 0
	name, more := regexp.MustCompile(`>h\d\.example/(page\d+)`), regexp.MustCompile(`(\d+) more, whose`)
	for row := 0; row < groups; row += 30 {
		page := strings.ReplaceAll(string(c.get(200, "/copies", "row", strconv.Itoa(row)).body), "<wbr>", "")
		for _, m := range name.FindAllStringSubmatch(page, -1) {
			shown[m[1]] = true
		}
		if m := more.FindStringSubmatch(page); m != nil {
			n, _ := strconv.Atoi(m[1])
			cut += n
		}
	}
	if len(shown)+cut != groups || len(shown) < groups-long {
		t.Errorf("%d of %d groups are shown, and %d are said not to be", len(shown), groups, cut)
	}
}

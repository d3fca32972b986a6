package serve

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/ask"
	"github.com/lshclust/lshclust/internal/ask/views"
)

// unsafe matches what no page may contain: inline scripts and styles, handlers, and links to what a browser runs.
var unsafe = regexp.MustCompile(`(?i)<script(>| [^>]*[^/]>[^<])|<style|\sstyle="[^i]|<[^>]*\son[a-z]+=|href="javascript:`)

// looked gets a page and checks what holds for all pages.
func (c *client) looked(status int, path string, params ...string) string {
	c.t.Helper()
	page := string(c.get(status, path, params...).body)
	if bad := unsafe.FindString(page); bad != "" {
		c.t.Errorf("%s %v: %s", path, params, bad)
	}
	if len(page) > 100_000 {
		c.t.Errorf("%s %v: %d bytes", path, params, len(page))
	}
	return page
}

// TestComparePage checks that every cell of the histogram with a count leads to pairs of that cell, and to those of
// the corners.
func TestComparePage(t *testing.T) {
	c := start(t, Options{})
	x := into[ask.CompareAnswer](t, c.get(200, "/v1/compare"))
	page := c.looked(200, "/compare")
	cells := 0
	for i, column := range x.Histogram {
		for j, n := range column {
			params := []string{"x", string(rune('0' + i)), "y", string(rune('0' + j))}
			if i > 9 || j > 9 || n == 0 {
				continue
			}
			cells++
			link := "/compare?x=" + params[1] + "&amp;y=" + params[3] + "#pairs"
			if !strings.Contains(page, `<a href="`+link+`">`) {
				t.Errorf("no link to cell %d, %d", i, j)
			}
			of := into[ask.CompareAnswer](t, c.get(200, "/v1/compare", append(params, "limit", "1000")...))
			if of.Cell == nil || of.Cell.Pairs != int(n) || len(of.Items) == 0 || len(of.Items) > int(n) {
				t.Fatalf("cell %d, %d: %+v with %d pairs", i, j, of.Cell, len(of.Items))
			}
			for _, p := range of.Items {
				if i > 0 && (p.Similarity < of.Cell.FromX-1e-9 || p.Similarity > of.Cell.ToX) || j > 0 && p.Resemblance < of.Cell.FromY-1e-9 || i == 0 && p.Similarity != 0 {
					t.Errorf("cell %+v: %+v", of.Cell, p)
				}
			}
		}
	}
	if cells < 5 {
		t.Errorf("%d cells", cells)
	}
	for _, corner := range x.Corners {
		list := c.looked(200, "/compare", "corner", string(corner.Corner))
		if says := strings.Contains(list[strings.Index(list, `id="pairs"`):strings.Index(list, `id="corners"`)], "a page has no links."); says != (corner.Unlinked > 0) {
			t.Errorf("%+v: does the page say that there are no links: %v", corner, says)
		}
	}
	for _, corner := range views.Corners {
		if list := c.looked(200, "/compare", "corner", string(corner)); !strings.Contains(list, `class="pair"`) && strings.Count(page, "No pair is here") == 0 {
			t.Errorf("no pairs of %s", corner)
		}
	}
	if row := into[ask.CompareAnswer](t, c.get(200, "/v1/compare", "y", "1", "corner", "both")); row.Cell == nil || row.Cell.X != 0 || row.Cell.Y != 1 {
		t.Errorf("the cell of y=1 is %+v", row.Cell)
	}
	c.get(400, "/compare", "x", "11", "y", "1")
}

// TestChangesPage checks the page with what changed, what moved, and redirect rules.
func TestChangesPage(t *testing.T) {
	older, newer := crawlsOf(t)
	c := start(t, Options{}, newer, older, sampleRun(t)) // run0, run1, run2
	s := into[ask.ChangesAnswer](t, c.get(200, "/v1/changes", "older", "run1", "rules", "nginx", "min", "0.5"))
	changes := map[string]int{}
	for _, n := range s.Changes {
		changes[n.Change] = n.Pages
	}
	if changes["moved"] != 3 || changes["gone"] != 1 || changes["new"] != 0 || len(s.Items) != 4 || s.Items[0].Verdict != "moved" || len(s.Items[0].Reasons) == 0 {
		t.Errorf("%+v", s)
	}
	if s.Rules == nil || s.Rules.Pages != 3 || s.Rules.Without != 1 || s.Rules.Cut || !strings.Contains(s.Rules.Text, "/docs/") {
		t.Errorf("%+v", s.Rules)
	}
	gone := into[ask.ChangesAnswer](t, c.get(200, "/v1/changes", "verdict", "gone", "limit", "1"))
	if len(gone.Items) != 1 || !strings.HasSuffix(gone.Items[0].URL, "/docs/plums") || gone.Next != "" {
		t.Errorf("%+v", gone.Items)
	}
	page := c.looked(200, "/changes", "from", "run1", "to", "run0", "rules", "apache", "min", "0.5")
	for _, text := range []string{
		"from <bdi>run1</bdi> to <bdi>run0</bdi>", "RewriteEngine On", `<option selected>apache</option>`, "/manual/apples", ">gone <", `href="/page?run=run1&amp;url=`,
	} {
		if !strings.Contains(page, text) {
			t.Errorf("%s is missing", text)
		}
	}
	if page == c.looked(200, "/changes", "from", "run1", "verdict", "gone") {
		t.Error("one verdict has the page of all")
	}
	// Runs that cannot be compared: the page says why and keeps the form.
	for _, runs := range [][2]string{{"run0", "run1"}, {"run1", "run2"}} {
		if page := c.looked(200, "/changes", "from", runs[0], "to", runs[1]); runs[1] == "run1" && !strings.Contains(page, "newer crawl than") || !strings.Contains(page, `<select id="from"`) {
			t.Errorf("%v: %s", runs, page)
		}
	}
	c.looked(404, "/changes", "from", "<script>alert(1)</script>")
	alone := start(t, Options{}, newer)
	if page := alone.looked(200, "/changes"); !strings.Contains(page, "The server has one run") {
		t.Error("a server of one run")
	}
}

// TestURLsTooLong checks that a page stays small and harmless with hostile titles and with URLs too long for any
// page.
func TestURLsTooLong(t *testing.T) {
	texts := map[string]string{}
	for i := range 30 {
		texts["/"+strings.Repeat(string(rune('a'+i%26))+"%22%3E%3Cscript%3E", 100)+string(rune('a'+i/26))] = strings.Repeat("The same words are on every page of this site, which nobody should read twice. ", 3)
	}
	c := start(t, Options{}, sweep(t, "long", "2024", texts))
	for _, path := range []string{"/compare", "/compare?corner=both", "/compare?corner=same-text", "/compare?x=10&y=10"} {
		u, err := url.Parse(path)
		if err != nil {
			t.Fatal(err)
		}
		var params []string
		for name, v := range u.Query() {
			params = append(params, name, v[0])
		}
		c.looked(200, u.Path, params...)
	}
}

// TestSwitch checks that the links to the same page of another run never end at a missing page, and that the navigation
// marks the page that is shown in every run.
func TestSwitch(t *testing.T) {
	older, newer := crawlsOf(t)
	c := start(t, Options{}, newer, older)
	gone := orchard + "/docs/plums" // only the older run has it
	id := into[ask.PageAnswer](t, c.get(200, "/v1/page", "url", gone, "run", "run1")).Topical.ID
	for _, from := range []struct{ path, leads string }{
		{"/page?run=run1&url=" + url.QueryEscape(gone), "Lost and found"},
		{"/page?run=run1&url=" + url.QueryEscape(orchard), "<h1><bdi>"},
		{"/explain?run=run1&a=" + url.QueryEscape(gone) + "&b=" + url.QueryEscape(orchard), "Lost and found"},
		{"/cluster?run=run1&id=" + id, ""},
		{"/run?run=run1", "Settings"},
	} {
		page := string(c.do(http.MethodGet, from.path, nil).body)
		link := regexp.MustCompile(`<li><a href="([^"]+)"><bdi>run0</bdi>`).FindStringSubmatch(page)
		if link == nil {
			t.Fatalf("%s: no link to the other run: %s", from.path, page)
		}
		a := c.do(http.MethodGet, strings.ReplaceAll(link[1], "&amp;", "&"), nil)
		if a.StatusCode != http.StatusOK || !strings.Contains(string(a.body), from.leads) {
			t.Errorf("%s: %s leads to %d without %q", from.path, link[1], a.StatusCode, from.leads)
		}
	}
	if page := c.looked(200, "/run", "run", "run1"); !strings.Contains(page, `aria-current="page">Run</a>`) {
		t.Errorf("the navigation does not mark the page: %s", page)
	}
	c.get(404, "/page", "url", gone)
}

// TestWhereItWent checks that the page of a URL that was not crawled leads to where it went only if the older run has
// the page.
func TestWhereItWent(t *testing.T) {
	older, _ := crawlsOf(t)
	newer := sweep(t, "dead-links", "2024", map[string]string{"/new": "A note about fruit with <a href='/docs/apples'>apples</a> and <a href='/docs/figs'>figs</a>, neither of which is here any more."})
	c := start(t, Options{}, newer, older)
	for path, want := range map[string]bool{"/docs/apples": true, "/docs/figs": false} {
		if page := c.looked(200, "/page", "url", orchard+path); strings.Contains(page, "Where it went") != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

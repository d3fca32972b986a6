package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve"
	"github.com/lshclust/lshclust/internal/serve/api"
	"github.com/lshclust/lshclust/internal/serve/static"
)

// TestPlanesLook checks the look of the pages about whole runs.
func TestPlanesLook(t *testing.T) {
	other := url.QueryEscape("<b>other</b>")
	Look(t, map[string]string{
		"compare":       "/compare",
		"compare-cell":  "/compare?x=3&y=1",
		"compare-links": "/compare?corner=same-links",
		"compare-none":  "/compare?x=0&y=10",
		"changes":       "/changes?rules=apache",
		"changes-other": "/changes?to=" + other + "&from=sample",
	})
}

// TestPlane goes from the plane to the pairs of a cell and from there to the reasons, by mouse and by keys, with scripts
// and without.
func TestPlane(t *testing.T) {
	const cell = "document.activeElement.matches('.matrix a')"
	for _, scripts := range []bool{true, false} {
		for _, width := range []int64{360, 1440} {
			tab := NewTab(t)
			tab.Screen(width, "light", scripts)
			tab.Open("/compare")
			tab.tabTo(cell)
			said := Ask[string](tab, "document.activeElement.textContent")
			tab.Type(kb.Enter)
			tab.Wait("location.search !== '' && document.querySelector('#pairs .pair')")
			tab.At("/compare")
			if n := Ask[string](tab, "document.querySelector('#pairs .rule').textContent"); said != strings.Fields(n)[0] {
				t.Errorf("the cell %q leads to %q", said, n)
			}
			if n := Ask[int](tab, "document.querySelectorAll('.matrix [aria-current]').length"); n != 1 {
				t.Errorf("%d cells are marked", n)
			}
			tab.tabTo("document.activeElement.closest('#pairs') !== null && document.activeElement.textContent === 'why'")
			tab.Type(kb.Enter)
			tab.At("/explain")
		}
	}
}

// crawls starts a server of two crawls of a site that moved its documentation in between.
func crawls(t *testing.T) string {
	t.Helper()
	texts := map[string]string{
		"apples":   "An apple keeps through the winter if the cellar is cool and dark and nobody puts the crates beside the potatoes, which make everything sprout.",
		"pears":    "Pears are picked before they are ripe, wrapped in paper one by one, and brought into the kitchen a week before the guests are expected.",
		"cherries": "Whoever wants cherries must be faster than the starlings, spread a net in time, and have a ladder that reaches the upper branches.",
	}
	dir := t.TempDir()
	var sources []serve.Source
	for _, crawl := range []struct{ name, year, folder string }{{"newer", "2024", "/manual/"}, {"older", "2023", "/docs/"}} {
		var lines []byte
		for name, text := range texts {
			line, err := json.Marshal(map[string]string{
				"url": "https://a.example" + crawl.folder + name, "timestamp": crawl.year + "-01-01T00:00:00Z",
				"html": fmt.Sprintf("<title>%s &lt;script>alert(1)&lt;/script></title><p>%s", name, text),
			})
			if err != nil {
				t.Fatal(err)
			}
			lines = append(append(lines, line...), '\n')
		}
		in, out := filepath.Join(dir, crawl.name+".jsonl"), filepath.Join(dir, crawl.name)
		cluster(t, in, out, lines)
		sources = append(sources, serve.Source{Name: crawl.name, Path: out})
	}
	base, err := started(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return base
}

// TestChanges checks that moved pages are listed, that a verdict can be chosen, and that the rules can be shown in
// another form and copied.
func TestChanges(t *testing.T) {
	base := crawls(t)
	for _, scripts := range []bool{true, false} {
		tab := NewTab(t)
		tab.base = base
		tab.Screen(1440, "light", scripts)
		tab.Open("/changes?from=older&to=newer")
		if n := Ask[int](tab, "document.querySelectorAll('.moves .pair').length"); n != 3 {
			t.Errorf("%d pages moved", n)
		}
		tab.tabTo("document.activeElement.id === 'form'")
		tab.Type("cs")
		tab.tabTo("document.activeElement.textContent === 'Write'")
		tab.Type(kb.Enter)
		tab.Wait("new URLSearchParams(location.search).get('rules') === 'csv'")
		if text := Ask[string](tab, "document.getElementById('rules-text').textContent"); !strings.Contains(text, "https://a.example/docs") || !strings.Contains(text, "/manual") {
			t.Errorf("%s", text)
		}
		if there := Ask[bool](tab, "Boolean(document.querySelector('button.copy'))"); there != scripts {
			t.Errorf("a button to copy: %v, scripts: %v", there, scripts)
		}
		if scripts {
			approve(tab)
		}
		tab.Open("/changes?from=older&to=newer&verdict=gone")
		if n := Ask[int](tab, "document.querySelectorAll('.moves .pair').length"); n != 0 {
			t.Errorf("%d pages are gone", n)
		}
	}
}

// approve approves a move and rejects another one by keys, and asks for the rules of the approved one. The browser
// remembers both.
func approve(tab *Tab) {
	tab.t.Helper()
	tab.tabTo("document.activeElement.dataset.says === 'true'")
	old := Ask[string](tab, "document.activeElement.closest('[data-old]').dataset.old")
	tab.Type(" ")
	tab.Wait("document.activeElement.getAttribute('aria-pressed') === 'true'")
	tab.Open("/changes?from=older&to=newer&rules=csv")
	tab.tabTo("document.activeElement.dataset.says === 'false' && document.activeElement.closest('[data-old]').dataset.old !== " + quoted(old))
	tab.Type(kb.Enter)
	tab.Wait("document.querySelectorAll('.rejected').length === 1")
	tab.tabTo("document.activeElement.matches('#approved [type=submit]')")
	if said := Ask[string](tab, "document.activeElement.textContent"); said != "Rules for the approved moves: 1" {
		tab.t.Errorf("%s", said)
	}
	tab.Type(kb.Enter)
	tab.Wait("document.querySelector('main').textContent.includes('Only for the moves that you approved')")
	if text := Ask[string](tab, "document.getElementById('rules-text').textContent"); strings.Count(text, "\n") != 2 || !strings.Contains(text, old) {
		tab.t.Errorf("the rules are not those of %s: %s", old, text)
	}
	tab.tabTo("document.activeElement.matches('#approved [type=button]')")
	tab.Type(kb.Enter)
	tab.Wait("document.getElementById('approved').hidden")
}

// TestReport opens a report from a file: its style sheet and its keys work, its links lead to its pages, and nothing
// asks a server.
func TestReport(t *testing.T) {
	site(t) // makes the run
	r, err := runs.Open(filepath.Join(removed, "run"))
	if err != nil {
		t.Fatal(err)
	}
	run := api.NewRun(r, "<b>run</b>", []string{"<b>run</b>"})
	defer run.Close()
	dir := filepath.Join(t.TempDir(), "a report")
	if _, err := static.Write(t.Context(), dir, run, static.Options{Pages: 10, Clusters: 3}); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	base := (&url.URL{Scheme: "file", Path: dir}).String()
	for _, scripts := range []bool{true, false} {
		tab := NewTab(t)
		tab.base = base
		tab.Screen(1440, "light", scripts)
		for _, f := range files {
			if strings.HasSuffix(f.Name(), ".html") && (strings.HasPrefix(f.Name(), "page-") || !strings.Contains(f.Name(), "-")) {
				tab.Open("/" + f.Name())
				if n := Ask[int64](tab, "document.documentElement.scrollWidth"); n > 1440 {
					t.Errorf("%s is %d pixels wide", f.Name(), n)
				}
				if n := Ask[int](tab, "document.querySelectorAll('h1').length"); n != 1 {
					t.Errorf("%s has %d headings", f.Name(), n)
				}
				keep(t, tab, "report-"+f.Name()+".png")
			}
		}
		tab.Open("/index.html")
		if width := Ask[string](tab, "getComputedStyle(document.querySelector('main')).maxWidth"); width == "none" {
			t.Error("the style sheet is missing")
		}
		if n := Ask[int](tab, "document.querySelectorAll('form').length"); n != 0 {
			t.Errorf("%d forms", n)
		}
		if scripts {
			tab.Type("?")
			tab.Wait("document.getElementById('keys').open")
		}
		tab.tabTo("document.activeElement.textContent === 'Both views'")
		tab.Type(kb.Enter)
		tab.Wait("location.pathname.endsWith('/compare.html')")
		tab.tabTo("document.activeElement.matches('.matrix a')")
		tab.Type(kb.Enter)
		tab.Wait("location.pathname.includes('/compare-')")
	}
}

// cluster builds a run of lines with the preset web.
func cluster(t testing.TB, in, out string, lines []byte) {
	t.Helper()
	if err := os.WriteFile(in, lines, 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
}

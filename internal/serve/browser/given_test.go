package browser

import (
	"context"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/chromedp/kb"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/serve"
	"github.com/lshclust/lshclust/internal/shareddata"
)

// givenRuns names the variable with paths of runs, newest first, whose pages the tests of this file look at. Without
// it they use two releases of a real site.
const givenRuns = "LSHCLUST_RUNS"

// releases builds a run of each of two releases of the documentation of LLVM, and returns their paths, the newer first.
func releases(t *testing.T) []string {
	t.Helper()
	data := shareddata.Dir(t, "versions-llvm")
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, release := range []string{"16", "13"} {
		path := filepath.Join(t.TempDir(), release)
		if _, err := pipeline.Cluster(context.Background(), path, []string{filepath.Join(data, "pages-"+release+".jsonl.gz")}, c, pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

// given is a server of the given runs.
type given struct {
	base   string
	runs   int
	newest *runs.Run
	kinds  map[string]uint32 // documents of it by what is special about them
}

// give starts a server of the given runs.
func give(t *testing.T) *given {
	t.Helper()
	paths := filepath.SplitList(os.Getenv(givenRuns))
	if len(paths) == 0 {
		paths = releases(t)
	}
	var sources []serve.Source
	for i, p := range paths {
		sources = append(sources, serve.Source{Name: "run-" + strconv.Itoa(i), Path: p})
	}
	g := &given{runs: len(paths)}
	var err error
	if g.base, err = started(sources...); err != nil {
		t.Fatal(err)
	}
	if g.newest, err = runs.Open(paths[0]); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.newest.Close() })
	g.kinds = remarkable(g.newest)
	return g
}

// remarkable returns documents that are hard to show well, by what is special about them. A run may lack some kinds.
func remarkable(r *runs.Run) map[string]uint32 {
	sizes := map[string]int{} // of topical clusters
	for id := range uint32(r.Len()) {
		sizes[topics.MembershipOf(r, id).ID]++
	}
	kinds := map[string]func(id uint32, d runs.Document) int{
		"linked":     func(_ uint32, d runs.Document) int { return int(d.InLinks) },
		"long-title": func(_ uint32, d runs.Document) int { return utf8.RuneCountInString(d.Title) },
		"long-url":   func(_ uint32, d runs.Document) int { return len(d.URL) },
		"script":     func(_ uint32, d runs.Document) int { return strange(d.Title) },
		"only-links": func(_ uint32, d runs.Document) int { return only(!d.Crawled, int(d.InLinks)) },
		"one-link":   func(_ uint32, d runs.Document) int { return only(!d.Crawled && d.InLinks == 1, 1) },
		"no-links":   func(_ uint32, d runs.Document) int { return only(d.Crawled && d.InLinks == 0, int(d.Words)+1) },
		"no-text":    func(_ uint32, d runs.Document) int { return only(d.Crawled, max(1, 1_000_000-int(d.Words))) },
		"topic":      func(id uint32, _ runs.Document) int { return sizes[topics.MembershipOf(r, id).ID] },
		"copied": func(id uint32, d runs.Document) int {
			c, err := texts.ClusterOf(r, id)
			return only(err == nil && d.InLinks > 0 && c.Size > 1, c.Size)
		},
	}
	most, found := map[string]int{}, map[string]uint32{}
	for id := range uint32(r.Len()) {
		d := r.Document(id)
		for name, score := range kinds {
			if n := score(id, d); n > most[name] {
				most[name], found[name] = n, id
			}
		}
	}
	return found
}

// only returns n if a condition holds, and otherwise 0.
func only(condition bool, n int) int {
	if condition {
		return n
	}
	return 0
}

// strange returns the number of non-Latin letters in a text.
func strange(s string) (n int) {
	for _, c := range s {
		if unicode.IsLetter(c) && !unicode.Is(unicode.Latin, c) {
			n++
		}
	}
	return n
}

// url returns the URL of the document of a kind, "" if the run has none.
func (g *given) url(kind string) string {
	id, ok := g.kinds[kind]
	if !ok {
		return ""
	}
	return g.newest.URL(id)
}

// words returns words that name the largest topic.
func (g *given) words() string {
	return strings.ReplaceAll(topics.MembershipOf(g.newest, g.kinds["topic"]).Label, ",", "")
}

// pair returns the path of a page about the document of a kind and another one that the run finds for it.
func (g *given) pair(t *testing.T, path, kind string) string {
	t.Helper()
	id := g.kinds[kind]
	if path == "/diff" {
		list, _, err := texts.Duplicates(g.newest, id, 1)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s has no copy: %v", g.newest.URL(id), err)
		}
		return pair(path, g.newest.URL(id), g.newest.URL(list[0].ID))
	}
	near := topics.Related(g.newest, id, topics.Lookup{Top: 1, Stored: true})
	if len(near) == 0 {
		t.Fatalf("%s has no neighbour", g.newest.URL(id))
	}
	return pair(path, g.newest.URL(id), near[0].URL)
}

// TestGiven looks at the pages of real runs and goes through them.
func TestGiven(t *testing.T) {
	g := give(t)
	topic := topics.MembershipOf(g.newest, g.kinds["topic"]).ID
	texts, err := texts.ClusterOf(g.newest, g.kinds["copied"])
	if err != nil {
		t.Fatal(err)
	}
	host, err := url.Parse(g.url("linked"))
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{
		"home": "/", "run": "/run", "compare": "/compare", "compare-copies": "/compare?corner=same-text", "changes": "/changes?rules=nginx",
		"search": "/search?q=" + url.QueryEscape(g.words()), "search-none": "/search?q=xyzzyqux",
		"host": "/host?host=" + url.QueryEscape(host.Host), "explain": g.pair(t, "/explain", "linked"), "explain-topic": g.pair(t, "/explain", "topic"),
		"diff": g.pair(t, "/diff", "copied"), "cluster": "/cluster?id=" + topic, "cluster-texts": "/cluster?view=syntactic&id=" + texts.ID,
	}
	for kind := range g.kinds {
		pages["page-"+kind] = "/page?url=" + url.QueryEscape(g.url(kind))
	}
	given := map[string]string{}
	for name, path := range pages {
		given["given-"+name] = path
	}
	LookAt(t, g.base, given)
	for _, scripts := range []bool{true, false} {
		t.Run("journey with scripts "+strconv.FormatBool(scripts), func(t *testing.T) {
			tab := NewTab(t)
			tab.base = g.base
			tab.Screen(1440, "light", scripts)
			g.search(tab, scripts)
			g.wonder(tab)
			g.stroll(tab)
		})
	}
}

// search finds a page by words, by keys alone.
func (g *given) search(tab *Tab, scripts bool) {
	tab.t.Helper()
	tab.Open("/")
	if scripts {
		tab.Type("/")
	} else {
		tab.tabTo("document.activeElement.id === 'q'")
	}
	tab.Wait("document.activeElement.id === 'q'")
	tab.Type(g.words() + kb.Enter)
	tab.At("/search")
	if scripts {
		tab.Type("jo")
	} else {
		tab.tabTo("document.activeElement.matches('.row a')")
		tab.Type(kb.Enter)
	}
	tab.At("/page")
}

// wonder asks why two pages are related and compares two texts.
func (g *given) wonder(tab *Tab) {
	tab.t.Helper()
	for _, to := range []struct{ kind, column, path string }{{"linked", ".web", "/explain"}, {"copied", ".text", "/diff"}} {
		tab.Open("/page?url=" + url.QueryEscape(g.url(to.kind)))
		tab.tabTo("document.activeElement.matches('" + to.column + " a') && document.activeElement.pathname === '" + to.path + "'")
		tab.Type(kb.Enter)
		tab.At(to.path)
	}
}

// stroll visits a cluster, the comparison of the views, and what changed since the run before.
func (g *given) stroll(tab *Tab) {
	tab.t.Helper()
	tab.Open("/page?url=" + url.QueryEscape(g.url("topic")))
	tab.tabTo("document.activeElement.pathname === '/cluster'")
	tab.Type(kb.Enter)
	tab.At("/cluster")
	tab.Open("/compare")
	tab.tabTo("document.activeElement.matches('.plane a')")
	tab.Type(kb.Enter)
	tab.Wait("location.search !== '' && document.querySelector('#pairs .pair')")
	tab.Open("/changes")
	if n := Ask[int](tab, "document.querySelectorAll('.moves .pair').length"); (n > 0) != (g.runs > 1) {
		tab.t.Errorf("%d moves in %d runs", n, g.runs)
	}
}

package crawls

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/ask/texts"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/sites/moved"
)

// lostPage is a page with a text of 90 words that depends on the seed, and links.
func lostPage(url string, seed uint64, day string, links ...string) string {
	return runtest.SitePage("https://a.example/"+url, fmt.Sprintf("Topic %s", runtest.MadeWords(seed, 2)), day, []string{runtest.MadeWords(seed, 90)}, links...)
}

// found formats an answer as ways and URLs.
func found(t *testing.T, l *Crawls, url string) (string, *LostURL) {
	t.Helper()
	f, err := Find(t.Context(), l, url, 2)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range f.Pages {
		out = append(out, fmt.Sprintf("%s %s", p.How, strings.TrimPrefix(p.URL, "https://a.example/")))
		if len(p.Why) == 0 || slices.Contains(p.Why, "") {
			t.Errorf("%s: %s says not why it was found", url, p.URL)
		}
	}
	return strings.Join(out, ", "), f
}

// lostRuns returns three sweeps of a site: a page moves twice, one moves once, one comes back, one is gone, one was
// always linked to and never crawled.
func lostRuns(t *testing.T) *Crawls {
	t.Helper()
	c := runtest.Preset(t, config.DefaultPreset)
	c.MinDF, c.Bags = 1, config.FromLinks
	const d1, d2, d3 = "2021-01-01T00:00:00Z", "2022-01-01T00:00:00Z", "2023-01-01T00:00:00Z"
	orchard := func(day string, link string) string {
		return runtest.SitePage("https://a.example/orchard/"+link, "", day, []string{`The orchard in autumn: a sweet red apple <a href="/lost/apples">apple orchard autumn harvest</a> and cider <a href="/fruit/apples">apple orchard autumn harvest</a> in the cellar.`})
	}
	one := runtest.Opened(t, c, []string{
		lostPage("kept", 1, d1), lostPage("twice", 2, d1), lostPage("docs/once", 3, d1), lostPage("back", 4, d1), lostPage("gone", 5, d1),
		lostPage("fruit/apples", 6, d1), orchard(d1, "one"), orchard(d1, "two"),
	})
	two := runtest.Opened(t, c, []string{
		lostPage("kept", 1, d2), lostPage("second/twice", 2, d2), lostPage("docs/once", 3, d2), lostPage("fruit/apples", 6, d2), orchard(d2, "one"), orchard(d2, "two"),
		`{"url":"https://a.example/old-name","redirect":"https://a.example/kept","status":301}`,
	})
	three := runtest.Opened(t, c, []string{
		lostPage("kept", 1, d3), lostPage("third/twice", 2, d3), lostPage("manual/once", 3, d3), lostPage("back", 4, d3), lostPage("fruit/apples", 6, d3), orchard(d3, "one"), orchard(d3, "two"),
	})
	l, err := NewCrawls(t.Context(), one, two, three)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.CheckOrder(); err != nil {
		t.Error(err)
	}
	return l
}

// TestFind finds pages of each kind.
func TestFind(t *testing.T) {
	l := lostRuns(t)
	for url, want := range map[string]string{
		"a.example/kept": "there kept", "a.example/back": "there back", "a.example/old-name": "redirect kept",
		"a.example/twice": "moved third/twice", "https://a.example/docs/once": "moved manual/once", "https://a.example/lost/apples": "links fruit/apples",
	} {
		got, f := found(t, l, url)
		if !strings.HasPrefix(got+",", want+",") {
			t.Errorf("%s: %s, want %s first", url, got, want)
		}
		if f.Pages[0].Score < 0.3 {
			t.Errorf("%s: %+v", url, f.Pages[0])
		}
	}
	if _, f := found(t, l, "a.example/back"); len(f.Pages) != 1 || !slices.Contains(f.Pages[0].Why, "run 2 had none") {
		t.Errorf("%+v", f)
	}
	if _, f := found(t, l, "a.example/twice"); !strings.Contains(f.Pages[0].Why[0], "by way of https://a.example/second/twice in run 2") || f.Seen[0].Known != texts.KnownPage || f.Seen[2].Known != texts.KnownNothing {
		t.Errorf("%+v", f)
	}
	got, f := found(t, l, "a.example/gone")
	if f.Lost == nil || f.Lost.Verdict.Kind != moved.Gone || strings.Contains(got, "moved") {
		t.Errorf("gone: %s %+v", got, f)
	}
	got, f = found(t, l, "a.example/fruit/aples")
	if f.Lost != nil || got != "url fruit/apples" {
		t.Errorf("a URL that nobody knows: %s", got)
	}
	if got, _ := found(t, l, "a.example/docs/nothing"); got != "" {
		t.Errorf("a URL like no other: %s", got)
	}
	if got, _ := found(t, l, "https://z.example/"); got != "" {
		t.Errorf("a host that nobody knows: %s", got)
	}
	if _, err := Find(t.Context(), l, "ht tp://%%", 2); err == nil {
		t.Error("no error for what is no URL")
	}
}

// TestFindTwoRuns checks that the page of an earlier run is found if it stayed at its new place.
func TestFindTwoRuns(t *testing.T) {
	c := runtest.Preset(t, config.DefaultPreset)
	site := func(path, day string) []string { return sitePages("https://a.example/"+path, day, "", 30) }
	runs := []*runs.Run{runtest.Opened(t, c, site("docs", "")), runtest.Opened(t, c, site("manual", "")), runtest.Opened(t, c, site("manual", ""))}
	for n := 2; n <= 3; n++ {
		l, err := NewCrawls(t.Context(), runs[:n]...)
		if err != nil {
			t.Fatal(err)
		}
		if got, f := found(t, l, "a.example/docs/page3"); !strings.HasPrefix(got, "moved manual/page3") || f.Lost.Verdict.Kind != moved.Moved || f.Pages[0].Score < 0.5 {
			t.Errorf("%d runs: %s", n, got)
		}
	}
}

// TestFindRefused checks that runs with other settings, runs in the wrong order, and no runs are refused.
func TestFindRefused(t *testing.T) {
	c := runtest.Preset(t, config.DefaultPreset)
	undated, other := runtest.Opened(t, c, sitePages(siteOld, "", "", 30)), runtest.Opened(t, c, sitePages(siteOld, "", "", 30))
	other.Config.Shingle = 6
	a, b := runtest.Opened(t, c, sitePages(siteOld, "2024-05-01T00:00:00Z", "", 5)), runtest.Opened(t, c, sitePages(siteOld, "2025-05-01T00:00:00Z", "", 5))
	var settings *runs.SettingsError
	if _, err := NewCrawls(t.Context(), a, b, other); !errors.As(err, &settings) || settings.Setting != "shingle" {
		t.Error(err)
	}
	if _, err := NewCrawls(t.Context()); !errors.Is(err, ErrNoRuns) {
		t.Error(err)
	}
	for _, x := range []struct {
		runs []*runs.Run
		ok   bool
	}{{[]*runs.Run{a, undated, b}, true}, {[]*runs.Run{b, undated, a}, false}, {[]*runs.Run{a, a}, true}, {[]*runs.Run{b}, true}} {
		l, err := NewCrawls(t.Context(), x.runs...)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.CheckOrder(); (err == nil) != x.ok || err != nil && !errors.Is(err, ErrOrder) {
			t.Errorf("%v, want an error: %v", err, !x.ok)
		}
	}
}

package crawls

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// crawls returns two crawls of pages, the older one first.
func crawls(t *testing.T, older, newer []string) *Crawls {
	t.Helper()
	c := runtest.Preset(t, config.DefaultPreset)
	all, err := NewCrawls(t.Context(), runtest.Opened(t, c, older), runtest.Opened(t, c, newer))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func twoCrawls(t *testing.T, older, newer []string) *TwoCrawls {
	t.Helper()
	s, err := Newest(crawls(t, older, newer))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func verdicts(t *testing.T, s *TwoCrawls) map[string]string {
	t.Helper()
	all, err := s.Moves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, v := range all {
		text := v.Kind.String()
		for _, p := range v.Places {
			text += " " + s.Newer.Document(p.Page).URL
		}
		out[s.Older.Document(v.Page).URL] = text
	}
	return out
}

func changed(t *testing.T, s *TwoCrawls) map[Change]int {
	t.Helper()
	all, err := s.Changed(t.Context(), 0.5)
	if err != nil {
		t.Fatal(err)
	}
	n := map[Change]int{}
	for p := range all {
		n[p.Change]++
	}
	return n
}

const siteOld, siteNew = "https://a.example/docs", "https://b.example/docs"

// TestMovedHost moves a whole site to another host: every page is found, and one rule redirects them all.
func TestMovedHost(t *testing.T) {
	c := crawls(t, sitePages(siteOld, "", "", 30), sitePages(siteNew, "", "", 30))
	s, err := Newest(c)
	if err != nil {
		t.Fatal(err)
	}
	for old, v := range verdicts(t, s) {
		if want := "moved " + strings.Replace(old, "a.example", "b.example", 1); v != want {
			t.Errorf("%s: %s", old, v)
		}
	}
	all, err := c.Moves(t.Context())
	moves, dropped, others := Redirects(c, all, 0.9)
	if err != nil || len(dropped) > 0 {
		t.Fatal(dropped, err)
	}
	list := rules.Compress(moves, others, false)
	if len(list) != 1 || !reflect.DeepEqual(list[0], rules.Rule{From: "https://a.example", To: "https://b.example", Prefix: true, Weak: true}) {
		t.Errorf("%v", list)
	}
	if n := changed(t, s); n[MovedAway] != 30 || n[NewPage] != 0 {
		t.Error(n)
	}
}

// TestOtherSite compares crawls of two sites that have nothing in common but titles and paths: nothing moved.
func TestOtherSite(t *testing.T) {
	pages := func(site string, seed uint64) (out []string) {
		for i := range 20 {
			out = append(out, fmt.Sprintf(`{"url":"%s/guide%d","html":"<title>Guide to chapter %d</title><p>%s <a href='%s/guide%d'>guide to chapter %d</a>"}`,
				site, i, i, runtest.MadeWords(seed+uint64(i), 80), site, (i+1)%20, (i+1)%20))
		}
		return out
	}
	s := twoCrawls(t, pages(siteOld, 7000), pages(siteNew, 8000))
	all, err := s.Moves(t.Context())
	if err != nil || len(all) != 20 {
		t.Fatal(len(all), err)
	}
	for _, v := range all {
		if v.Kind != moved.Gone || len(v.Others) > 0 {
			t.Errorf("%s: %+v", s.Older.URL(v.Page), v)
		}
	}
}

// TestFooter changes the footer of every page, which is no change, and then adds a counter to each page, which is an edit.
func TestFooter(t *testing.T) {
	a := sitePages(siteOld, "", "Copyright 2019 "+runtest.MadeWords(900, 30), 30)
	b := sitePages(siteOld, "", "Copyright 2024 "+runtest.MadeWords(901, 40), 30)
	if n := changed(t, twoCrawls(t, a, b)); n[Same] != 30 {
		t.Errorf("with another footer: %v", n)
	}
	for i := range b {
		words := runtest.MadeWords(uint64(i), 80)
		b[i] = strings.Replace(a[i], words, fmt.Sprintf("%svisitor %d %s", words[:240], 7919*i, words[240:]), 1)
	}
	s := twoCrawls(t, a, b)
	if n := changed(t, s); n[Edited] != 30 {
		t.Errorf("with a counter: %v", n)
	}
	all, _ := s.Changed(t.Context(), 0.5)
	for p := range all {
		if p.Resemblance < 0.7 {
			t.Errorf("%s: a counter makes a resemblance of %.2f", p.URL, p.Resemblance)
		}
	}
}

// TestKinds has one page for each verdict.
func TestKinds(t *testing.T) {
	text := func(i uint64) string { return runtest.MadeWords(100+i, 90) }
	page := func(path string, paragraphs ...string) string {
		return runtest.SitePage("https://a.example/"+path, path, "", paragraphs)
	}
	older := []string{
		page("kept", text(0)), page("moves", text(1)), page("joins", text(2)), page("host", text(3)),
		page("halves", text(4), text(5), text(6)), page("dies", text(7)), page("redirects", text(8)),
	}
	newer := []string{
		page("kept", text(0)), page("elsewhere/moves", text(1)), page("host", text(3), text(2)),
		page("parts/first", text(4)), page("parts/second", text(5)), page("parts/third", text(6)), page("other", text(9)),
		`{"url":"https://a.example/redirects","redirect":"https://a.example/other","status":301}`,
	}
	got := verdicts(t, twoCrawls(t, older, newer))
	for old, want := range map[string]string{
		"moves": "moved https://a.example/elsewhere/moves", "joins": "merged into https://a.example/host", "dies": "gone",
		"redirects": "moved https://a.example/other",
	} {
		if v := got["https://a.example/"+old]; v != want {
			t.Errorf("%s: %s, want %s", old, v, want)
		}
	}
	v := got["https://a.example/halves"]
	for _, want := range []string{"split into", "/first", "/second", "/third"} {
		if !strings.Contains(v, want) {
			t.Errorf("halves: %s, want %s", v, want)
		}
	}
}

// TestCrawlsRefused checks runs that cannot be compared.
func TestCrawlsRefused(t *testing.T) {
	pages := sitePages(siteOld, "2024-05-01T00:00:00Z", "", 5)
	c := runtest.Preset(t, config.DefaultPreset)
	a := runtest.Opened(t, c, pages)
	for _, x := range []struct {
		flag   string
		change func(c *config.Config)
	}{
		{"--set shingle=10", func(c *config.Config) { c.Shingle = 6 }},
		{"--set window=32", func(c *config.Config) { c.Window = 8 }},
		{"--set seed=1", func(c *config.Config) { c.Seed = 2 }},
		{"--set url_rules=", func(c *config.Config) { c.URLRules = []string{"-www"} }},
		{"--captures=newest", func(c *config.Config) { c.Captures = config.CapturesAll }},
	} {
		other := runtest.Opened(t, c, pages)
		x.change(&other.Config)
		_, err := NewTwoCrawls(a, other)
		var settings *runs.SettingsError
		if !errors.As(err, &settings) || strings.Join(settings.Flags(), " ") != x.flag {
			t.Errorf("%s: %v", x.flag, err)
		}
	}
}

// TestOrderWithWrongTimes gives one page of a run a time in the future, or a time later than the next sweep.
func TestOrderWithWrongTimes(t *testing.T) {
	site := func(time string, wrong ...string) []string {
		pages := sitePages(siteOld, time, "", 5)
		for i, w := range wrong {
			pages = append(pages, runtest.SitePage(fmt.Sprintf("%s/wrong%d", siteOld, i), "Wrong", w, []string{runtest.MadeWords(99, 40)}))
		}
		return pages
	}
	for _, x := range []struct {
		older, newer []string
		ok           bool
	}{
		{site("2024-05-01T00:00:00Z", "2099-01-01T00:00:00Z"), site("2025-05-01T00:00:00Z"), true},
		{site("2024-05-01T00:00:00Z", "2025-08-01T00:00:00Z"), site("2025-05-01T00:00:00Z"), true},
		{site("2025-05-01T00:00:00Z"), site("2024-05-01T00:00:00Z", "2099-01-01T00:00:00Z"), false},
		{site("2025-05-01T00:00:00Z", "2099-01-01T00:00:00Z"), site("2024-05-01T00:00:00Z"), false},
	} {
		if err := crawls(t, x.older, x.newer).CheckOrder(); (err == nil) != x.ok || err != nil && !errors.Is(err, ErrOrder) {
			t.Errorf("%v, want an error: %v", err, !x.ok)
		}
	}
}

// TestEmptyCrawl compares a site with a run of a single page of another one.
func TestEmptyCrawl(t *testing.T) {
	s := twoCrawls(t, sitePages(siteOld, "", "", 30), []string{`{"url":"https://z.example/","text":""}`})
	for old, v := range verdicts(t, s) {
		if v != "gone" {
			t.Errorf("%s: %s", old, v)
		}
	}
	if n := changed(t, s); n[GonePage] != 30 {
		t.Error(n)
	}
}

// sitePages returns n pages on a host, below a path, with a footer.
func sitePages(base, time, footer string, n int) (pages []string) {
	for i := range n {
		url := fmt.Sprintf("%s/page%d", base, i)
		pages = append(pages, runtest.SitePage(url, "Topic "+runtest.MadeWords(uint64(i), 2), time, []string{runtest.MadeWords(uint64(i), 80), footer}, fmt.Sprintf("%s/page%d", base, (i+1)%n)))
	}
	return pages
}

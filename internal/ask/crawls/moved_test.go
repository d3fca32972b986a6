package crawls

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/sites/moved"
	"github.com/lshclust/lshclust/internal/sites/rules"
)

// lostVerdicts formats the verdicts on all lost pages.
func lostVerdicts(t *testing.T, l *Crawls) map[string]string {
	t.Helper()
	lost, err := l.Moves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range lost {
		text := p.Verdict.Kind.String()
		for _, place := range p.Verdict.Places {
			text += " " + strings.TrimPrefix(l.Last().Document(place.Page).URL, "https://a.example/")
		}
		url := strings.TrimPrefix(p.URL, "https://a.example/")
		if out[url] != "" {
			t.Errorf("%s is listed twice", url)
		}
		out[url] = text
	}
	return out
}

// TestMovesOfSeveral checks that a page that moved twice ends at its last place, and so does its second URL; that a
// URL that was gone and is back is not gone; and that rules have no chains.
func TestMovesOfSeveral(t *testing.T) {
	l := lostRuns(t)
	got := lostVerdicts(t, l)
	want := map[string]string{"twice": "moved third/twice", "second/twice": "moved third/twice", "docs/once": "moved manual/once", "gone": "gone"}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
	lost, err := l.Moves(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	sound, dropped, others := Redirects(l, lost, 0.5)
	if len(sound) != 3 || len(dropped) > 0 || !slices.Contains(others, "https://a.example/back") {
		t.Errorf("%v %v", sound, dropped)
	}
	for _, r := range rules.Compress(sound, others, false) {
		for _, m := range sound {
			if r.To == m.From || r.From == r.To {
				t.Errorf("%+v leads on to %s", r, m.To)
			}
		}
	}
	f, err := Find(t.Context(), l, "a.example/twice/", 1)
	if err != nil || f.URL != "https://a.example/twice" || f.Lost.Verdict.Confidence < 0.5 || !slices.Equal(f.Lost.Via, []Stop{{1, "https://a.example/second/twice"}}) {
		t.Errorf("%+v %v", f, err)
	}
}

// TestMovesPastEmpty checks that pages are found by the verdict between two crawls if a failed crawl lies between
// them.
func TestMovesPastEmpty(t *testing.T) {
	c := runtest.Preset(t, config.DefaultPreset)
	empty := runtest.Opened(t, c, []string{`{"url":"https://z.example/","text":""}`})
	l, err := NewCrawls(t.Context(), runtest.Opened(t, c, sitePages(siteOld, "", "", 30)), empty, runtest.Opened(t, c, sitePages(siteNew, "", "", 30)))
	if err != nil {
		t.Fatal(err)
	}
	lost, err := l.Moves(t.Context())
	n := 0
	for _, p := range lost {
		if p.Verdict.Kind == moved.Moved && l.Last().Document(p.Verdict.Places[0].Page).URL == strings.Replace(p.URL, "a.example", "b.example", 1) {
			n++
		}
	}
	if err != nil || n != 30 {
		t.Errorf("%d of 30 found: %v", n, err)
	}
}

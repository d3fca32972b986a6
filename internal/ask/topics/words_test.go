package topics

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// TestWords checks that words become terms as they do in pages: several words, each once, with stems, without stop
// words. A word that is in all contents is known if it is not around all links.
func TestWords(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.MinDF, c.MaxDF = 1, 1
	r := runtest.Opened(t, c, runtest.Lines(t,
		[2]string{"https://a.example/", `<title>zebra links</title><p>The <a href="https://b.example/">incremental zebra backups of databases</a> are what the rest is about.`},
		[2]string{"https://c.example/", `<title>zebra others</title><p>This is the place where <a href="https://d.example/">gardens and flowers</a> are what the rest is about.`},
	))
	w, err := ParseWords(r, "Backup, backup; database the ZEPPELIN zebra")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.Known, []string{"backup", "database", "zebra"}) || !slices.Equal(w.Unknown, []string{"zeppelin"}) || !slices.Equal(w.Stop, []string{"the"}) {
		t.Errorf("%+v", w)
	}
	got := Ranked(r, w, 10)
	if b := slices.IndexFunc(got, func(m WordMatch) bool { return r.URL(m.ID) == "https://b.example" }); b < 0 || len(Held(r, w, got[b].ID)) != 3 || !(got[0].Score > 0 && got[0].Score < 1) {
		t.Errorf("%+v", got)
	}
	for _, m := range got {
		if r.URL(m.ID) == "https://d.example" {
			t.Errorf("%+v", m)
		}
	}
	for _, none := range []string{"", "the of", "zeppelin", "\x00\xff"} {
		if w, err := ParseWords(r, none); !errors.Is(err, ErrNoWords) || len(Ranked(r, w, 5)) > 0 {
			t.Errorf("%q: %v", none, err)
		}
	}
}

// TestMatching checks that Ranked finds the documents with the best scores, those with one bag together, and cuts
// the list in order.
func TestMatching(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.Copies(runtest.SamplePages(t, 40)))
	w, err := ParseWords(r, r.Terms.Word(3)+" "+r.Terms.Word(9)+" "+r.Terms.Word(20))
	if err != nil {
		t.Fatal(err)
	}
	var want []WordMatch
	for id := range uint32(r.Len()) {
		if s := inverted.Score(w.words, Bag(r, id)); s > 0 {
			want = append(want, WordMatch{ID: id, Score: s * (1 - hostless/float64(1+r.Document(id).InHosts))})
		}
	}
	slices.SortStableFunc(want, func(a, b WordMatch) int { return cmp.Compare(b.Score, a.Score) })
	for _, top := range []int{1, 5, len(want), 1 << 20} {
		got := Ranked(r, w, top)
		if len(got) != min(top, len(want)) {
			t.Fatalf("top %d: %d of %d", top, len(got), len(want))
		}
		for i, m := range got {
			if m.ID != want[i].ID || m.Score != want[i].Score || len(Held(r, w, m.ID)) == 0 {
				t.Fatalf("top %d: %+v, want %+v", top, m, want[i])
			}
		}
	}
	if len(want) < 3 {
		t.Errorf("%d documents: too few to mean anything", len(want))
	}
}

// TestWordLanguages checks that in a run that guesses the language of each page, a word has its plain form and the
// stems of the main languages.
func TestWordLanguages(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 60))
	if got, pages := languages(r); len(got) < 2 || got[0].name != "" || got[1].name != "english" || got[1].pages*2 < pages {
		t.Error(got, pages)
	}
	c := runtest.Preset(t, "web")
	c.Language = "english"
	if got, _ := languages(runtest.Opened(t, c, runtest.SamplePages(t, 10))); !slices.Equal(got, []language{{"", 1}}) {
		t.Error(got)
	}
}

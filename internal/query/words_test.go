package query

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"github.com/lshclust/lshclust/internal/topic/inverted"
)

// TestWords checks that words become terms as they do in pages: several words, each once, with stems, without stop
// words. A word that is in all contents is known if it is not around all links.
func TestWords(t *testing.T) {
	c := preset(t, "web")
	c.MinDF, c.MaxDF = 1, 1
	r := opened(t, c, lines(t,
		[2]string{"https://a.example/", `<title>zebra links</title><p>The <a href="https://b.example/">incremental zebra backups of databases</a> are what the rest is about.`},
		[2]string{"https://c.example/", `<title>zebra others</title><p>This is the place where <a href="https://d.example/">gardens and flowers</a> are what the rest is about.`},
	))
	w, err := r.Words("Backup, backup; database the ZEPPELIN zebra")
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(w.Known, []string{"backup", "database", "zebra"}) || !slices.Equal(w.Unknown, []string{"zeppelin"}) || !slices.Equal(w.Stop, []string{"the"}) {
		t.Errorf("%+v", w)
	}
	got := r.Ranked(w, 10)
	if b := slices.IndexFunc(got, func(m WordMatch) bool { return r.URL(m.ID) == "https://b.example" }); b < 0 || len(r.Held(w, got[b].ID)) != 3 || !(got[0].Score > 0 && got[0].Score < 1) {
		t.Errorf("%+v", got)
	}
	for _, m := range got {
		if r.URL(m.ID) == "https://d.example" {
			t.Errorf("%+v", m)
		}
	}
	for _, none := range []string{"", "the of", "zeppelin", "\x00\xff"} {
		if w, err := r.Words(none); !errors.Is(err, ErrNoWords) || len(r.Ranked(w, 5)) > 0 {
			t.Errorf("%q: %v", none, err)
		}
	}
}

// TestMatching checks that Ranked finds the documents with the best scores, those with one bag together, and cuts
// the list in order.
func TestMatching(t *testing.T) {
	r := opened(t, preset(t, "web"), copies(samplePages(t, 40)))
	w, err := r.Words(r.terms.Word(3) + " " + r.terms.Word(9) + " " + r.terms.Word(20))
	if err != nil {
		t.Fatal(err)
	}
	var want []WordMatch
	for id := range uint32(r.Len()) {
		if s := inverted.Score(w.words, r.Bag(id)); s > 0 {
			want = append(want, WordMatch{ID: id, Score: s * (1 - hostless/float64(1+r.Document(id).InHosts))})
		}
	}
	slices.SortStableFunc(want, func(a, b WordMatch) int { return cmp.Compare(b.Score, a.Score) })
	for _, top := range []int{1, 5, len(want), 1 << 20} {
		got := r.Ranked(w, top)
		if len(got) != min(top, len(want)) {
			t.Fatalf("top %d: %d of %d", top, len(got), len(want))
		}
		for i, m := range got {
			if m.ID != want[i].ID || m.Score != want[i].Score || len(r.Held(w, m.ID)) == 0 {
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
	r := opened(t, preset(t, "web"), samplePages(t, 60))
	if got, pages := r.languages(); len(got) < 2 || got[0].name != "" || got[1].name != "english" || got[1].pages*2 < pages {
		t.Error(got, pages)
	}
	c := preset(t, "web")
	c.Language = "english"
	if got, _ := opened(t, c, samplePages(t, 10)).languages(); !slices.Equal(got, []language{{"", 1}}) {
		t.Error(got)
	}
}

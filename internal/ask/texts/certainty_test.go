package texts

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/shingles"
)

// TestCertainty cuts paragraphs from long pages of a sampled index and appends other words, so that the page has a
// known share of the shingles of the text. The page must be among the candidates as often as Certainty predicts.
func TestCertainty(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.Views, c.IndexOneIn = []string{"syntactic"}, 25
	r := runtest.Opened(t, c, runtest.SamplePages(t, 400))
	if m := r.Posts.Modulus(); m != 25 {
		t.Fatalf("modulus %d", m)
	}
	random := rand.New(rand.NewPCG(3, 4))
	var long []uint32
	for page := range uint32(r.Pages.Len()) {
		if len(r.Pages.Values(page)) >= 16*25 {
			long = append(long, page)
		}
	}
	for _, share := range []float64{1, 0.5, 0.2} {
		const n, trials = 40, 4000
		found, expected := 0, 0.0
		for range trials {
			page := long[random.IntN(len(long))]
			set := mixed(random, r.Pages.Values(page), int(share*n), n)
			expected += certaintyOf(t, r, set).Probability(share)
			for _, hit := range Hits(r, set.Values()) {
				if hit == page {
					found++
				}
			}
		}
		got, want := float64(found)/trials, expected/trials
		if math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/trials)+0.002 {
			t.Errorf("share %g: found %.3f, said %.3f", share, got, want)
		}
		t.Logf("share %g: found %.3f, said %.3f", share, got, want)
	}
}

// certaintyOf returns the certainty of a search for a document.
func certaintyOf(t *testing.T, r *runs.Run, document *shingles.Set) Certainty {
	t.Helper()
	h, err := holdersOf(r, sketchOf(r, document), nil, tables.None, WhoOptions{Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	return h.Certainty
}

// mixed returns a document of n shingles, some of them from a page, the others from no page.
func mixed(random *rand.Rand, of []uint64, shared, n int) *shingles.Set {
	set := shingles.NewSet()
	for _, i := range random.Perm(len(of))[:shared] {
		set.Add(of[i])
	}
	for set.Len() < n {
		set.Add(random.Uint64() >> 24)
	}
	return set
}

// TestCertaintyExact checks that an index of all shingles finds every page that shares one. A text without shingles
// finds nothing.
func TestCertaintyExact(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.Views = []string{"syntactic"}
	r := runtest.Opened(t, c, runtest.SamplePages(t, 60))
	random := rand.New(rand.NewPCG(5, 6))
	for page := range uint32(r.Pages.Len()) {
		values := r.Pages.Values(page)
		if len(values) == 0 {
			continue
		}
		set := mixed(random, values, 1, 30)
		s := certaintyOf(t, r, set)
		if !s.Exact() || s.Probability(0.01) != 1 {
			t.Fatalf("%+v", s)
		}
		if hits := Hits(r, set.Values()); len(hits) != s.Candidates || len(hits) == 0 {
			t.Fatalf("page %d: %d hits, %+v", page, len(hits), s)
		}
	}
	if s := certaintyOf(t, r, shingles.NewSet()); s.Probability(1) != 0 {
		t.Errorf("no shingle: %+v", s)
	}
}

// pairedInPart makes a run say that it has paired the pages of some shingles in part.
func pairedInPart(r *runs.Run, some bool) {
	stage, _ := r.Manifest.Stage("resemble")
	if some {
		stage.Counts["frequent_shingles_paired_in_part"] = 1
	}
}

// TestDuplicateProbability checks that DuplicateProbability depends on whether the shingles of the page are in too
// many pages.
func TestDuplicateProbability(t *testing.T) {
	c := runtest.Preset(t, "web")
	c.Views, c.Strip = []string{"syntactic"}, "none"
	pages := [][2]string{{"https://a.example/short", "too short"}, {"https://a.example/alone", "a text of its own that nobody else has in any form and that is long enough to be compared with others"}}
	for i := range 5 {
		pages = append(pages, [2]string{fmt.Sprint("https://b.example/", i), "this text stands on every page of the host and differs in nothing but its very last word which is " + fmt.Sprint(i)})
	}
	for common, want := range map[int][3]float64{1000: {0, 0.999, 0.999}, 2: {0, 0.999, 0}} {
		c.MaxCommon = common
		r := runtest.Opened(t, c, runtest.Lines(t, pages...))
		pairedInPart(r, common < 1000)
		for i, url := range []string{"https://a.example/short", "https://a.example/alone", "https://b.example/1"} {
			id, err := r.Lookup(url)
			if err != nil {
				t.Fatal(err)
			}
			if p, err := DuplicateProbability(r, id); err != nil || math.Abs(p-want[i]) > 1e-9 && !(want[i] == 0 && p < 0.7) {
				t.Errorf("common above %d, %s: %g %v, want %g", common, url, p, err, want[i])
			}
		}
	}
}

// TestDuplicateProbabilitySampled checks that DuplicateProbability with a sampled index, which does not know how many
// pages contain a shingle outside of it, is at most that with an index of all shingles. In a run that ignored no
// shingle it uses every sample.
func TestDuplicateProbabilitySampled(t *testing.T) {
	random := rand.New(rand.NewPCG(10, 11))
	words := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = fmt.Sprint("w", random.IntN(1<<30))
		}
		return strings.Join(out, " ")
	}
	same, pages := words(2000), [][2]string(nil)
	for i := range 40 {
		pages = append(pages, [2]string{fmt.Sprintf("https://h%d.example/", i), same + " " + words(60)})
	}
	c := runtest.Preset(t, "web")
	c.Views, c.Strip = []string{"syntactic"}, "none"
	sum := func(common int, modulus uint64) (all float64) {
		c.MaxCommon, c.IndexOneIn = common, modulus
		r := runtest.Opened(t, c, runtest.Lines(t, pages...))
		pairedInPart(r, common < 1000)
		for id := range uint32(r.Len()) {
			p, err := DuplicateProbability(r, id)
			if err != nil {
				t.Fatal(err)
			}
			all += p
		}
		return all / float64(r.Len())
	}
	if exact, sampled := sum(5, 1), sum(5, 7); exact > 0.9 || sampled > exact {
		t.Errorf("of shingles that were ignored: %.3f by all, %.3f by a sample of them", exact, sampled)
	}
	if sampled := sum(1000, 7); sampled < 0.99 {
		t.Errorf("no shingle was ignored: %.3f", sampled)
	}
}

// TestQueryBoilerplate checks that a text that consists of boilerplate of a host finds the pages with it.
func TestQueryBoilerplate(t *testing.T) {
	footer := "terms of use and privacy notice of this small example site which every page of it repeats below its text all rights reserved"
	words := []string{"amber", "birch", "cedar", "dune", "ember", "fjord", "glade", "heath", "inlet", "jetty", "knoll", "larch"}
	random := rand.New(rand.NewPCG(8, 9))
	var pages [][2]string
	for i := range 40 {
		text := ""
		for range 80 {
			text += words[random.IntN(len(words))] + " "
		}
		pages = append(pages, [2]string{"https://a.example/" + string(rune('a'+i%26)) + string(rune('a'+i/26)), "<p>" + text + "</p><p>" + footer})
	}
	c := runtest.Preset(t, "web")
	c.Views = []string{"syntactic"}
	r := runtest.Opened(t, c, runtest.Lines(t, pages...))
	shingler, err := Shingler(r)
	if err != nil {
		t.Fatal(err)
	}
	set := shingles.NewSet()
	shingler.Sketch(set, []byte(footer))
	if list := similar(t, r, set, 0.9); len(list) != 40 || list[0].ThisInOther != 1 {
		t.Errorf("%d pages", len(list))
	}
	if found, _ := r.Boilerplate.Explain(nil, r.Pages.Host(0), set.Values()); len(found) == 0 {
		t.Error("the footer is no boilerplate: nothing is tested")
	}
}

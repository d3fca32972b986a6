package eval

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/query"
)

// With a window of no words and no titles the windows are the anchors; idf is ln(4/2) for every word that counts, so
// the cosines are those of plain counts.
func TestTFIDF(t *testing.T) {
	c := preset(t, "paper2000")
	c.Window, c.Title = 0, false
	s := subjectOf(t, runOf(t, c, crawlOf(t,
		[2]string{"https://a.org", "<title>north</title>" + links("c:red", "d:red")},
		[2]string{"https://b.org", "<title>north</title>" + links("c:red blue", "e:blue", "f:green")},
	)), "https://a.org", "https://b.org", "https://c.org", "https://d.org", "https://e.org", "https://f.org", "https://unknown.org")
	if d := cmp.Diff([]string{"a:", "b:", "c: d 0.894 e 0.447", "d: c 0.894", "e: c 0.447", "f:", "unknown:"}, show(s.Directory, rank(t, s, "tfidf"))); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(score.CoLinks{nil, nil, {3, 4, 5}, {2}, {2, 5}, {2, 4}, nil}, s.CoLinks); d != "" {
		t.Error(d)
	}
}

// If the run has content bags, the words of the pages are compared.
func TestTFIDFOfContents(t *testing.T) {
	c := preset(t, "paper2000")
	c.Bags = "content"
	s := subjectOf(t, runOf(t, c, crawlOf(t,
		[2]string{"https://a.org", "<title>x</title>kiwi kiwi plum"}, [2]string{"https://b.org", "kiwi fig"},
		[2]string{"https://c.org", "fig plum"}, [2]string{"https://d.org", "pear"}, [2]string{"https://e.org", "pear fig"},
	)), "https://a.org", "https://b.org", "https://c.org")
	kiwi, plum, fig := math.Log(5./2), math.Log(5./2), math.Log(5./3)
	ab := 2 * kiwi * kiwi / math.Hypot(2*kiwi, plum) / math.Hypot(kiwi, fig)
	if got := rank(t, s, "tfidf").Lists[0][0]; got.Target != 1 || math.Abs(got.Similarity-ab) > 1e-12 {
		t.Errorf("%v, want %v", got, ab)
	}
}

// Of several captures of a URL, only the one that the run uses counts, once; links to a URL that redirects are links to
// its destination.
func TestRawBagsOfTheRun(t *testing.T) {
	line := func(day, target string) string {
		return `{"url":"https://hub.org/","time":"2020-01-` + day + `T00:00:00Z","html":"<a href=https://` + target + `.org>word</a>"}`
	}
	c := preset(t, "paper2000")
	r := runOf(t, c, fileOf(t, strings.Join([]string{line("01", "a"), line("03", "old"), line("03", "old"), line("02", "c"), `{"url":"https://old.org","redirect":"https://b.org/"}`}, "\n")))
	s := subjectOf(t, r, "https://a.org", "https://b.org", "https://c.org")
	raw, err := s.rawBags(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(raw[0]) != 0 || len(raw[1]) != 1 || raw[1][0].Weight != bags.Unit || len(raw[2]) != 0 {
		t.Errorf("%v", raw)
	}
}

// TestRawBagsAreThoseOfTheRun: raw bags weighed with the dictionary of the run are the bags of the run, so nothing is
// read differently.
func TestRawBagsAreThoseOfTheRun(t *testing.T) { rawBagsAreThoseOfTheRun(t, "web") }
func TestLongRawBagsAreThoseOfTheRun(t *testing.T) {
	rawBagsAreThoseOfTheRun(t, "paper2000", "paper2002")
}

func rawBagsAreThoseOfTheRun(t *testing.T, presets ...string) {
	for _, name := range presets {
		s := everyThird(t, sampleRun(t, name))
		raw, err := s.rawBags(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c := s.Run.Config
		how := bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF}
		terms, err := s.Run.Dictionary(how)
		if err != nil {
			t.Fatal(err)
		}
		weigher, filled := bags.NewWeigher(how, terms), 0
		for i, id := range s.IDs {
			got, want := weigher.Weigh(&bags.Raw{Terms: raw[i]}), s.Run.Bag(id)
			if !slices.Equal(got.Terms, want.Terms) || !slices.Equal(got.Counts, want.Counts) {
				t.Errorf("%s, %s: bag %v, in the run %v", name, s.Directory.URL(i), got, want)
			}
			if want.Len() > 0 {
				filled++
			}
		}
		if filled < len(s.IDs)/2 {
			t.Errorf("%s: %d bags of %d", name, filled, len(s.IDs))
		}
	}
}

// The similarities of the exact bags are those of package bags, and include the pairs of the run. Without its inputs,
// the run has all baselines but tfidf.
func TestExactBaseline(t *testing.T) {
	s := everyThird(t, sampleRun(t, "web"))
	pairs := 0
	for i, list := range rank(t, s, "exact").Lists {
		similar := map[string]float64{}
		for _, n := range list {
			if want := bags.Similarity(s.Run.Bag(s.IDs[i]), s.Run.Bag(s.IDs[n.Target])); n.Similarity != want {
				t.Fatalf("%d to %d: %v, want %v", i, n.Target, n.Similarity, want)
			}
			similar[s.Directory.URL(int(n.Target))] = n.Similarity
		}
		for _, n := range s.Run.Related(s.IDs[i], query.Lookup{Top: 100, Stored: true}) {
			if _, ok := s.Directory.Index(n.URL); ok {
				if pairs++; float32(similar[n.URL]) != n.Similarity {
					t.Fatalf("%d to %s: %v, in the run %v", i, n.URL, similar[n.URL], n.Similarity)
				}
			}
		}
	}
	if pairs < 100 {
		t.Errorf("%d pairs of the run compared", pairs)
	}
	input := s.Run.Manifest.Inputs[0].Path
	if err := os.Rename(input, input+".away"); err != nil {
		t.Fatal(err)
	}
	defer os.Rename(input+".away", input)
	for _, base := range AllBaselines() {
		if _, err := base.Rank(t.Context(), s); (err == nil) != (base.Name != "tfidf") {
			t.Errorf("%s: %v", base.Name, err)
		}
	}
}

package report

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/labtest"
	"github.com/lshclust/lshclust/lab/score"
)

// With a window of no words and no titles the windows are the anchors; idf is ln(4/2) for every word that counts, so
// the cosines are those of plain counts.
func TestTFIDF(t *testing.T) {
	c := labtest.Preset(t, "paper2000")
	c.Window, c.Title = 0, false
	s := subjectOf(t, labtest.Run(t, c, labtest.Crawl(t,
		[2]string{"https://a.org", "<title>north</title>" + links("c:red", "d:red")},
		[2]string{"https://b.org", "<title>north</title>" + links("c:red blue", "e:blue", "f:green")},
	)), "https://a.org", "https://b.org", "https://c.org", "https://d.org", "https://e.org", "https://f.org", "https://unknown.org")
	if d := cmp.Diff([]string{"a:", "b:", "c: d 0.894 e 0.447", "d: c 0.894", "e: c 0.447", "f:", "unknown:"}, show(s.Directory, rank(t, s))); d != "" {
		t.Error(d)
	}
}

// If the run has content bags, the words of the pages are compared.
func TestTFIDFOfContents(t *testing.T) {
	c := labtest.Preset(t, "paper2000")
	c.Bags = "content"
	s := subjectOf(t, labtest.Run(t, c, labtest.Crawl(t,
		[2]string{"https://a.org", "<title>x</title>kiwi kiwi plum"}, [2]string{"https://b.org", "kiwi fig"},
		[2]string{"https://c.org", "fig plum"}, [2]string{"https://d.org", "pear"}, [2]string{"https://e.org", "pear fig"},
	)), "https://a.org", "https://b.org", "https://c.org")
	kiwi, plum, fig := math.Log(5./2), math.Log(5./2), math.Log(5./3)
	ab := 2 * kiwi * kiwi / math.Hypot(2*kiwi, plum) / math.Hypot(kiwi, fig)
	if got := rank(t, s).Lists[0][0]; got.Target != 1 || math.Abs(got.Similarity-ab) > 1e-12 {
		t.Errorf("%v, want %v", got, ab)
	}
}

// Of several captures of a URL, only the one that the run uses counts, once; links to a URL that redirects are links to
// its destination.
func TestRawBagsOfTheRun(t *testing.T) {
	line := func(day, target string) string {
		return `{"url":"https://hub.org/","time":"2020-01-` + day + `T00:00:00Z","html":"<a href=https://` + target + `.org>word</a>"}`
	}
	c := labtest.Preset(t, "paper2000")
	r := labtest.Run(t, c, labtest.File(t, strings.Join([]string{line("01", "a"), line("03", "old"), line("03", "old"), line("02", "c"), `{"url":"https://old.org","redirect":"https://b.org/"}`}, "\n")))
	s := subjectOf(t, r, "https://a.org", "https://b.org", "https://c.org")
	raw, err := rawBags(t.Context(), s)
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
		raw, err := rawBags(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		c := s.Run.Config
		how := bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF}
		terms, err := bags.NewDictionary(how, s.Run.Terms.Bags, s.Run.Terms.Hashes(), s.Run.Terms.DFs())
		if err != nil {
			t.Fatal(err)
		}
		weigher, filled := bags.NewWeigher(how, terms), 0
		for i, id := range s.IDs {
			got, want := weigher.Weigh(&bags.Raw{Terms: raw[i]}), topics.Bag(s.Run, id)
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

func sampleLines(t testing.TB) []byte {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Join(bytes.SplitAfterN(all, []byte("\n"), 301)[:300], nil)
}

// links returns the markup of links to hosts, each with its anchor after a colon.
func links(to ...string) (html string) {
	for _, x := range to {
		host, anchor, _ := strings.Cut(x, ":")
		html += fmt.Sprintf("<p><a href=https://%s.org>%s</a></p>", host, anchor)
	}
	return html
}

// sampleRuns holds the topical runs over the sample that tests share, by preset.
var sampleRuns = map[string]*runs.Run{}

// sampleRun returns the topical run of a preset over the sample, without the words of the pages themselves, which are
// not in the windows around links. Tests must not change it.
func sampleRun(t testing.TB, name string) *runs.Run {
	t.Helper()
	if sampleRuns[name] == nil {
		c := labtest.Preset(t, name)
		c.Views, c.Bags = []string{config.Topical}, config.FromLinks
		dir, err := built.dir()
		if err != nil {
			t.Fatal(err)
		}
		dir = filepath.Join(dir, name)
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		input := filepath.Join(dir, "pages.jsonl")
		if err := os.WriteFile(input, sampleLines(t), 0o666); err != nil {
			t.Fatal(err)
		}
		sampleRuns[name] = labtest.Clustered(t, c, input, filepath.Join(dir, "run"))
	}
	return sampleRuns[name]
}

// subjectOf returns a subject with one category for all URLs and with co-linked pairs.
func subjectOf(t testing.TB, r *runs.Run, urls ...string) *evaluate.Subject {
	t.Helper()
	var labels []score.Label
	for _, u := range urls {
		labels = append(labels, score.Label{URL: u, Path: []string{"all"}})
	}
	s, err := evaluate.NewSubject(r, labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// everyThird returns the subject of every third document of a run.
func everyThird(t testing.TB, r *runs.Run) *evaluate.Subject {
	var urls []string
	for id := 0; id < r.Len(); id += 3 {
		urls = append(urls, r.Document(uint32(id)).URL)
	}
	return subjectOf(t, r, urls...)
}

func rank(t testing.TB, s *evaluate.Subject) score.Ranking {
	t.Helper()
	r, err := tfidf(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// show writes the lists of a ranking with the hosts' names.
func show(d *score.Directory, r score.Ranking) (out []string) {
	name := func(i int) string { return strings.TrimSuffix(strings.TrimPrefix(d.URL(i), "https://"), ".org") }
	for i, list := range r.Lists {
		line := name(i) + ":"
		for _, n := range list {
			line += fmt.Sprintf(" %s %.3g", name(int(n.Target)), n.Similarity)
		}
		out = append(out, line)
	}
	return out
}

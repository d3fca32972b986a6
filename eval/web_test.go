package eval

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/crawl"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/text"
	"github.com/lshclust/lshclust/urls"
)

// directoryOf has one category for all URLs.
func directoryOf(t testing.TB, urls ...string) *score.Directory {
	t.Helper()
	var labels []score.Label
	for _, u := range urls {
		labels = append(labels, score.Label{URL: u, Path: []string{"all"}})
	}
	d, err := score.NewDirectory(labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// crawlOf writes pages of a URL and markup each to a file.
func crawlOf(t testing.TB, pages ...[2]string) string {
	t.Helper()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, p := range pages {
		if err := e.Encode(map[string]string{"url": p[0], "html": p[1]}); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func preset(t testing.TB, name string) config.Config {
	t.Helper()
	c, err := config.Preset(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// runOf clusters an input and opens the run until the test ends.
func runOf(t testing.TB, c config.Config, inputs ...string) *query.Run {
	t.Helper()
	out := filepath.Join(t.TempDir(), "run")
	if _, err := pipeline.Cluster(context.Background(), out, inputs, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := query.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// words maps the terms of a bag to the words of a list and counts whole occurrences.
func words(t testing.TB, c config.Config, bag []bags.Weighted, list ...string) map[string]float64 {
	t.Helper()
	v, err := text.NewVocabulary(text.Analysis{Language: c.Language, Stem: c.Stem, Stop: c.Stop})
	if err != nil {
		t.Fatal(err)
	}
	name := map[bags.Term]string{}
	for _, w := range list {
		name[v.Term([]byte(w))] = w
	}
	out := map[string]float64{}
	for _, x := range bag {
		out[name[x.Term]] = float64(x.Weight) / bags.Unit
	}
	return out
}

// small has three targets, two of them crawled, and pages that link to them with all kinds of links.
func small(t testing.TB) (input string, d *score.Directory) {
	input = crawlOf(t,
		[2]string{"http://one.org/", `<title>hub</title><p>red <a href="http://www.a.org/index.html#x">green</a> blue <a rel=nofollow href=http://b.org/>white</a></p>`},
		[2]string{"https://two.org/", `<p>red <a href=https://a.org>green</a> <a href=https://A.org/>pink</a> or <a href=javascript:x>no</a> <a href=//nowhere.org>x</a></p>`},
		[2]string{"https://b.org/", `<title>violet</title><p>orange orange <a href=/>home</a> <a href=https://c.org>grey</a></p>`},
		[2]string{"https://c.org", `<title>brown</title><p>nothing <a href=https://d.org>else</a></p>`},
	)
	return input, directoryOf(t, "https://a.org", "https://b.org", "https://c.org", "https://unknown.org")
}

func TestReadWeb(t *testing.T) {
	input, d := small(t)
	c := preset(t, "paper2000")
	c.Window = 1
	w, err := ReadWeb(context.Background(), []string{input}, c, d, WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	type of = map[string]float64
	list := []string{"red", "green", "blue", "white", "pink", "violet", "orange", "home", "grey", "brown", "nothing", "else"}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"pages", w.Pages, int64(4)},
		{"crawled", w.Crawled, []bool{false, true, true, false}},
		{"links: a page's own, and nofollow", linksOf(w), []string{"[0 1]", "[0]", "[1 2]"}},
		{"citations", citesOf(w), []string{"[0]", "[0]", "[2]"}},
		{"in-links", w.InLinks(), []int{2, 0, 1, 0}},
		{"window: two links of a page are one", words(t, c, w.Windows[0], list...), of{"red": 2, "green": 2, "blue": 1, "pink": 1}},
		{"window: title", words(t, c, w.Windows[1], list...), of{"violet": 1}},
		{"anchors", words(t, c, w.Anchors[0], list...), of{"green": 2, "pink": 1}},
		{"anchors: none that count", words(t, c, w.Anchors[1], list...), of{}},
		{"content: title too", words(t, c, w.Content[1], list...), of{"violet": 1, "orange": 2, "home": 1, "grey": 1}},
		{"content: not crawled", len(w.Content[0]), 0},
		{"unknown", len(w.Windows[3]) + len(w.Anchors[3]) + len(w.Content[3]), 0},
	} {
		if d := cmp.Diff(c.want, c.got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
	co, err := coLinks(d.Len(), anyLinks(w))
	if d := cmp.Diff(score.CoLinks{{1}, {0, 2}, {1}, nil}, co); d != "" || err != nil {
		t.Error(d, err)
	}
	used, err := w.CoLinks()
	if d := cmp.Diff(make(score.CoLinks, 4), used); d != "" || err != nil {
		t.Error("links that the configuration uses:", d, err)
	}
}

// anyLinks returns the targets that each page links to, whether the configuration uses the link or not, as the reference
// counts them.
func anyLinks(w *Web) (out [][]int32) {
	for _, p := range w.Linking {
		out = append(out, p.Links)
	}
	return out
}

// linksOf and citesOf list the targets of the linking pages, sorted, because pages are in the order of their hashes.
func linksOf(w *Web) (out []string) {
	for _, p := range w.Linking {
		out = append(out, fmt.Sprint(p.Links))
	}
	slices.Sort(out)
	return out
}

func citesOf(w *Web) (out []string) {
	for _, p := range w.Linking {
		if len(p.Cites) > 0 {
			out = append(out, fmt.Sprint(p.Cites))
		}
	}
	slices.Sort(out)
	return out
}

// samplePages returns the first pages of the embedded sample, one on a line.
func samplePages(t testing.TB) []byte {
	t.Helper()
	all, err := io.ReadAll(sample.Open())
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Join(bytes.SplitAfterN(all, []byte("\n"), 301)[:300], nil)
}

// sampleInput is pages of the embedded sample as an input.
func sampleInput(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	if err := os.WriteFile(path, samplePages(t), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// sampleURLs are the URLs of every third page of sampleInput.
func sampleURLs(t testing.TB) (sampled []string) {
	pages := json.NewDecoder(bytes.NewReader(samplePages(t)))
	for i := 0; pages.More(); i++ {
		var p struct{ URL string }
		if err := pages.Decode(&p); err != nil {
			t.Fatal(err)
		}
		url, err := urls.DefaultRules().Canonical(p.URL)
		if err != nil {
			t.Fatal(err)
		}
		if i%3 == 0 {
			sampled = append(sampled, url)
		}
	}
	return sampled
}

// sampled are the URLs of every third document of a run.
func sampled(t testing.TB, r *query.Run) *score.Directory {
	var urls []string
	for id := 0; id < r.Len(); id += 3 {
		urls = append(urls, r.Document(uint32(id)).URL)
	}
	return directoryOf(t, urls...)
}

// Raw bags of windows, weighed with the dictionary of the run, are the bags of the run: nothing is read otherwise.
func TestWindowsAreThoseOfTheRun(t *testing.T) {
	for _, name := range config.Presets() {
		t.Run(name, func(t *testing.T) {
			input := sampleInput(t)
			c := preset(t, name)
			c.Views, c.Content = []string{config.Topical}, 0 // the words of the page itself are not in its windows
			r := runOf(t, c, input)
			d := sampled(t, r)
			w, err := ReadWeb(context.Background(), []string{input}, c, d, WebOptions{Workers: 2, Counts: CapturesOf(r)})
			if err != nil {
				t.Fatal(err)
			}
			how := bags.Weighting{Scheme: c.Weighting, TF: c.TF, Sum: c.Sum, MinDF: c.MinDF, MaxDF: c.MaxDF}
			terms, err := r.Dictionary(how)
			if err != nil {
				t.Fatal(err)
			}
			weigher := bags.NewWeigher(how, terms)
			in, filled := w.InLinks(), 0
			for i := range d.Len() {
				id, err := r.Lookup(d.URL(i))
				if err != nil {
					t.Fatal(err)
				}
				got, want := weigher.Weigh(&bags.Raw{Terms: w.Windows[i]}), r.Bag(id)
				if !slices.Equal(got.Terms, want.Terms) || !slices.Equal(got.Counts, want.Counts) {
					t.Errorf("%s: bag %v, in the run %v", d.URL(i), got, want)
				}
				if in[i] != int(r.Document(id).InLinks) || w.Crawled[i] != r.Document(id).Crawled {
					t.Errorf("%s: %d links, crawled %v, in the run %v", d.URL(i), in[i], w.Crawled[i], r.Document(id))
				}
				if want.Len() > 0 {
					filled++
				}
			}
			if filled < d.Len()/2 {
				t.Errorf("%d bags of %d", filled, d.Len())
			}
		})
	}
}

// The same for one worker and several, and for the inputs in any order.
func TestReadWebAlike(t *testing.T) {
	input := sampleInput(t)
	c := preset(t, "web")
	d := directoryOf(t, sampleURLs(t)...)
	more := crawlOf(t, [2]string{"https://x.org", "<a href=" + d.URL(0) + ">zero</a> <a href=" + d.URL(1) + ">one</a>"})
	read := func(workers int, inputs ...string) *Web {
		w, err := ReadWeb(context.Background(), inputs, c, d, WebOptions{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		w.Dropped = crawl.Ledger{}
		return w
	}
	want := read(1, input, more)
	for _, got := range []*Web{read(4, input, more), read(3, more, input)} {
		if d := cmp.Diff(want, got, cmp.AllowUnexported(crawl.Ledger{})); d != "" {
			t.Error(d)
		}
	}
}

// Of several captures of a URL the one that counts in the run counts, once.
func TestReadWebCaptures(t *testing.T) {
	line := func(day int, target string) string {
		return fmt.Sprintf(`{"url":"https://hub.org/","time":"2020-01-%02dT00:00:00Z","html":"<a href=https://%s.org>x</a>"}`, day, target)
	}
	input := filepath.Join(t.TempDir(), "pages.jsonl")
	lines := []string{line(1, "a"), line(3, "b"), line(3, "b"), line(2, "c")}
	if err := os.WriteFile(input, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	c := preset(t, "web")
	r := runOf(t, c, input)
	d := directoryOf(t, "https://a.org", "https://b.org", "https://c.org")
	w, err := ReadWeb(context.Background(), []string{input}, c, d, WebOptions{Counts: CapturesOf(r)})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{0, 1, 0}, w.InLinks()); d != "" || w.Pages != 1 || w.Dropped.Count(reasonOtherCapture) != 3 {
		t.Error(d, w.Pages, w.Dropped.Tallies())
	}
	w, err = ReadWeb(context.Background(), []string{input}, c, d, WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{1, 0, 0}, w.InLinks()); d != "" {
		t.Error("without a run the first:", d)
	}
}

func TestReadWebBadInput(t *testing.T) {
	good, d := small(t)
	dir := t.TempDir()
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	for i := range 2000 {
		fmt.Fprintf(z, `{"url":"https://p%d.org","html":"<a href=https://a.org>%d</a>"}`+"\n", i, i*i*i)
	}
	z.Close()
	write := func(name string, b []byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, b, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cutOff := write("cut.jsonl.gz", zipped.Bytes()[:zipped.Len()/2])
	c := preset(t, "web")
	read := func(inputs ...string) (*Web, error) {
		return ReadWeb(context.Background(), inputs, c, d, WebOptions{Workers: 2})
	}
	for name, inputs := range map[string][]string{
		"gone": {good, filepath.Join(dir, "gone")}, "standard input": {"-"}, "no page": {write("x.jsonl", []byte("{}\n"))}, "none": nil,
	} {
		if _, err := read(inputs...); !errors.Is(err, ErrInputs) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	w, err := read(cutOff, good, write("x.pdf", []byte("%PDF-1.4")))
	if err != nil {
		t.Fatal(err)
	}
	if n := w.Dropped.Count(crawl.ReasonTruncatedGzip); n != 1 || w.Dropped.Count(crawl.ReasonUnsupportedFormat) != 1 || w.Pages < 100 || w.Pages > 2000 {
		t.Errorf("%d pages, %v", w.Pages, w.Dropped.Tallies())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := ReadWeb(ctx, []string{good}, c, d, WebOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// A link to a URL that redirects is a link to the URL at which the redirects end, as in the run.
func TestReadWebRedirects(t *testing.T) {
	input := filepath.Join(t.TempDir(), "pages.jsonl")
	lines := []string{
		`{"url":"https://hub.org/","html":"<a href=https://old.org>x</a> <a href=https://me.org>y</a>"}`,
		`{"url":"https://old.org","redirect":"https://new.org/"}`, `{"url":"https://me.org","redirect":"https://hub.org/"}`,
	}
	if err := os.WriteFile(input, []byte(strings.Join(lines, "\n")), 0o666); err != nil {
		t.Fatal(err)
	}
	c := preset(t, "web")
	r := runOf(t, c, input)
	d := directoryOf(t, "https://old.org", "https://new.org", "https://hub.org")
	w, err := ReadWeb(context.Background(), []string{input}, c, d, WebOptions{Counts: CapturesOf(r), RedirectTarget: r.RedirectTarget})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{0, 1, 0}, w.InLinks()); d != "" {
		t.Error(d)
	}
	for url, want := range map[string]uint32{"https://old.org": 1, "https://new.org": 1, "https://me.org": 0} {
		if id, err := r.Lookup(url); err != nil || r.Document(id).InLinks != want {
			t.Errorf("%s: %v, %v", url, r.Document(id), err)
		}
	}
}

package views

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/internal/ask/topics"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/internal/runs/runtest"
	"github.com/lshclust/lshclust/internal/sample"
	"github.com/lshclust/lshclust/internal/tables"
	"github.com/lshclust/lshclust/resemble"
)

// comparedRun builds a run of JSON Lines and opens it.
func comparedRun(t *testing.T, lines io.Reader, changes ...func(*config.Config)) *runs.Run {
	t.Helper()
	b, err := io.ReadAll(lines)
	if err != nil {
		t.Fatal(err)
	}
	c := runtest.Preset(t, "web")
	for _, change := range changes {
		change(&c)
	}
	return runtest.Opened(t, c, []string{string(b)})
}

// corpus holds pages of known texts, and links to them in known words.
type corpus struct {
	strings.Builder
	random *rand.Rand
	hubs   int
}

func newCorpus() *corpus { return &corpus{random: rand.New(rand.NewPCG(1, 1))} }

// add adds a page with a text, and links to it in these words.
func (c *corpus) add(name, text, links string) {
	url := "https://" + name + ".example/page"
	c.page(url, "<p>"+text+"</p>")
	c.link(url, links)
	c.link("https://"+name+".example/also", links) // so that no word is in one bag only
}

// words returns n made-up words about a subject.
func (c *corpus) words(subject string, n int) string {
	var out []string
	for range n {
		out = append(out, fmt.Sprintf("%s%c%c", subject, 'a'+c.random.IntN(26), 'a'+c.random.IntN(26)))
	}
	return strings.Join(out, " ")
}

func (c *corpus) page(url, html string) {
	b, err := json.Marshal(map[string]string{"url": url, "html": html})
	if err != nil {
		panic(err)
	}
	c.Write(append(b, '\n'))
}

// link adds two pages on different hosts that link to a URL in these words.
func (c *corpus) link(url, words string) {
	for range 2 {
		c.hubs++
		c.page(fmt.Sprintf("https://hub%d.example/", c.hubs), fmt.Sprintf(`<p>%s <a href="%s">x</a></p>`, words, url))
	}
}

// TestCompareCorners checks that Compare finds a mirror, two rivals, and a copy with the same links, each in its
// corner.
func TestCompareCorners(t *testing.T) {
	c := newCorpus()
	mirrored, copied := c.words("mirror", 200), c.words("copy", 200)
	c.add("original", mirrored, c.words("star", 20))
	c.add("mirror", mirrored, c.words("soup", 20))
	rivalry, place := c.words("engine", 20), c.words("shelf", 20)
	c.add("rival1", c.words("one", 200), rivalry)
	c.add("rival2", c.words("two", 200), rivalry)
	c.add("copy1", copied, place)
	c.add("copy2", copied, place)
	for i := range 20 {
		c.add(fmt.Sprintf("other%d", i), c.words(fmt.Sprintf("text%d", i), 200), c.words(fmt.Sprintf("link%d", i), 20))
	}
	// With words from contents, the hubs would be similar to what they link to. The index is given, because an index
	// chosen for .95 of the neighbours may miss one of the two pairs.
	r := comparedRun(t, strings.NewReader(c.String()), func(c *config.Config) {
		c.Bags, c.KeySize, c.Keys, c.MaxBucket = config.FromLinks, 2, 160, 400
	})
	x, err := Compare(context.Background(), r, CompareDefaults(r))
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][]string{}
	for _, corner := range x.Corners {
		if int(corner.Count) != len(corner.Most()) || corner.Unlinked != 0 {
			t.Errorf("%s: %d pairs, %d listed, %d unlinked", corner.Corner, corner.Count, len(corner.Most()), corner.Unlinked)
		}
		for _, p := range corner.Most() {
			hosts := []string{strings.Split(p.URLA, "/")[2], strings.Split(p.URLB, "/")[2]}
			slices.Sort(hosts)
			got[string(corner.Corner)] = append(got[string(corner.Corner)], strings.Join(hosts, " "))
		}
	}
	want := map[string][]string{
		"same-text": {"mirror.example original.example"}, "same-links": {"rival1.example rival2.example"}, "both": {"copy1.example copy2.example"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if x.Documents != 26 || x.Agreement.Elements != 26 || x.Pairs != 3 || x.Topical != 2 || x.Syntactic != 2 || x.Both != 1 || total(x.Histogram) != 3 {
		t.Errorf("%+v", x)
	}
	// The rivals and the copies are together in the topical view, the mirrors and the copies in the syntactic view.
	if g := x.Agreement; g.A.Clusters != 24 || g.B.Clusters != 24 || g.Together != 1 {
		t.Errorf("agreement %+v", g)
	}
}

// TestCompareUnlinked checks, with bags of both fields, that a copy that nobody links to comes after a mirror, however many
// pages link to the original, and that the links decide what the same links are.
func TestCompareUnlinked(t *testing.T) {
	c := newCorpus()
	mirrored, copied, place := c.words("mirror", 200), c.words("copy", 400), c.words("shelf", 20)
	c.add("original", mirrored, c.words("star", 20))
	c.add("mirror", mirrored, c.words("soup", 20))
	c.add("copied", copied, place)
	for range 10 {
		c.link("https://copied.example/page", place)
	}
	c.page("https://unlinked.example/page", "<p>"+copied+"</p>")
	r := comparedRun(t, strings.NewReader(c.String()))
	x, err := Compare(t.Context(), r, CompareDefaults(r))
	if err != nil {
		t.Fatal(err)
	}
	top := x.Corners[0].Most()
	if len(top) < 2 || !strings.Contains(top[0].URLA+top[0].URLB, "mirror") || top[0].Unlinked || !top[1].Unlinked {
		t.Errorf("%+v", top)
	}
	for _, p := range x.Corners[2].Most() {
		if p.Unlinked {
			t.Errorf("the same links although no page links to one: %+v", p)
		}
	}
}

// TestCompareSample checks a comparison of pages of the embedded sample, whose pairs are sparse.
func TestCompareSample(t *testing.T) {
	r := runtest.Opened(t, runtest.Preset(t, "web"), runtest.SamplePages(t, 200))
	t.Run("against all", func(t *testing.T) { compareAgainstAll(t, r) })
	t.Run("workers", func(t *testing.T) { compareWorkers(t, r) })
	t.Run("ends", func(t *testing.T) { compareEnds(t, r) })
}

// TestCompareGroups checks a run in which groups of equal texts and of equal bags overlap, and most pairs are
// represented by others.
func TestCompareGroups(t *testing.T) {
	c := newCorpus()
	var texts, links []string
	for i := range 4 {
		texts, links = append(texts, c.words(fmt.Sprintf("text%d", i), 120)), append(links, c.words(fmt.Sprintf("link%d", i), 12))
	}
	texts, links = append(texts, texts[0]+" "+c.words("more", 40)), append(links, links[0]+" "+c.words("more", 4))
	for i := range 40 {
		c.add(fmt.Sprintf("page%d", i), texts[c.random.IntN(len(texts))], links[c.random.IntN(len(links))])
	}
	for i := range 200 { // so that no word is in too many bags
		c.page(fmt.Sprintf("https://single%d.example/", i), "<title>"+strings.Repeat(fmt.Sprintf("single%d ", i/2), 3)+"</title>")
	}
	// With words from contents, pages with the same text would be similar in the topical view, too.
	r := comparedRun(t, strings.NewReader(c.String()), func(c *config.Config) { c.Bags = config.FromLinks })
	x := compareAgainstAll(t, r)
	if x.NotOpened == 0 || x.Both == 0 || x.Topical == x.Both || x.Syntactic == x.Both {
		t.Errorf("the corpus is too simple: %d pairs, %d not opened, %d topical, %d syntactic, %d both", x.Pairs, x.NotOpened, x.Topical, x.Syntactic, x.Both)
	}
}

// compareAgainstAll checks that Compare yields each pair once, that a view has it, and that its figures are those of
// the bags and the shingles. Together with NotOpened, these must be all pairs of the views.
func compareAgainstAll(t *testing.T, r *runs.Run) *Comparison {
	v := newOverlay(r)
	viewsOf := v.viewsOf()
	o := CompareDefaults(r)
	seen := map[[2]uint32]ComparedPair{}
	o.Each = func(p ComparedPair) error {
		if _, twice := seen[[2]uint32{p.A, p.B}]; twice || p.A >= p.B {
			t.Fatalf("pair %d, %d is given twice or the wrong way round", p.A, p.B)
		}
		seen[[2]uint32{p.A, p.B}] = p
		return nil
	}
	x, err := Compare(context.Background(), r, o)
	if err != nil {
		t.Fatal(err)
	}
	var have, topical, syntactic, both uint64
	for a := range uint32(r.Pages.Len()) {
		for b := range uint32(r.Pages.Len()) {
			if a >= b || v.node(a) == tables.None || v.node(b) == tables.None {
				continue
			}
			isTopical, isSyntactic := viewsOf(a, b)
			have += toUint(isTopical) + toUint(isSyntactic)
			p, given := seen[[2]uint32{r.Pages.Document(a), r.Pages.Document(b)}]
			if !given {
				continue
			}
			topical, syntactic, both = topical+toUint(isTopical), syntactic+toUint(isSyntactic), both+toUint(isTopical && isSyntactic)
			if p.Topical != isTopical || p.Syntactic != isSyntactic || !isTopical && !isSyntactic {
				t.Fatalf("%s, %s: views %t %t, the tables say %t %t", p.URLA, p.URLB, p.Topical, p.Syntactic, isTopical, isSyntactic)
			}
			resemblance, ok := resemble.Compare(r.Pages, r.Boilerplate, a, b).Overlap().Resemblance()
			if !ok && r.Pages.Bytes(a) == r.Pages.Bytes(b) { // no words, and the same bytes
				resemblance = 1
			}
			if s := bags.Similarity(topics.OfField(r, r.Bags.At(p.A), topics.ByLinks), topics.OfField(r, r.Bags.At(p.B), topics.ByLinks)); p.Similarity != s || p.Resemblance != resemblance {
				t.Fatalf("%s, %s: %g and %g, computed anew %g and %g", p.URLA, p.URLB, p.Similarity, p.Resemblance, s, resemblance)
			}
		}
	}
	if x.Pairs != uint64(len(seen)) || x.Topical != topical || x.Syntactic != syntactic || x.Both != both || x.Pairs == 0 {
		t.Errorf("%d pairs, %d, %d, %d by views; given %d, %d, %d, %d", x.Pairs, x.Topical, x.Syntactic, x.Both, len(seen), topical, syntactic, both)
	}
	if x.NotOpened+x.Topical+x.Syntactic != have {
		t.Errorf("%d pairs not opened, %d and %d opened, the views have %d", x.NotOpened, x.Topical, x.Syntactic, have)
	}
	if total(x.Histogram) != x.Pairs-x.TooShort {
		t.Errorf("histogram of %d, %d pairs, %d too short", total(x.Histogram), x.Pairs, x.TooShort)
	}
	return x
}

// viewsOf returns a function that finds by plain look-ups which views have a pair of pages.
func (v *overlay) viewsOf() func(a, b uint32) (topical, syntactic bool) {
	near, alike := map[[2]uint32]bool{}, map[[2]uint32]bool{}
	for n := range uint32(v.Nodes.Len()) {
		near[[2]uint32{n, n}] = true
		for _, e := range v.Pairs.Neighbours(n) {
			near[[2]uint32{n, e.To}] = true
		}
	}
	for page := range uint32(v.Pages.Len()) {
		alike[[2]uint32{page, page}] = true
	}
	for p := range v.Similar.All() {
		alike[[2]uint32{p.A, p.B}], alike[[2]uint32{p.B, p.A}] = true, true
	}
	return func(a, b uint32) (topical, syntactic bool) {
		return near[[2]uint32{v.node(a), v.node(b)}], alike[[2]uint32{v.Equal.Representative(a), v.Equal.Representative(b)}]
	}
}

func toUint(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// compareWorkers checks that the number of processors does not matter.
func compareWorkers(t *testing.T, r *runs.Run) {
	var answers [][]byte
	for _, n := range []int{1, 3} {
		before := runtime.GOMAXPROCS(n)
		x, err := Compare(context.Background(), r, CompareDefaults(r))
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, b)
	}
	if d := cmp.Diff(string(answers[0]), string(answers[1])); d != "" {
		t.Error(d)
	}
}

// compareEnds checks that Compare ends with an error of Each, with the context, and for invalid options.
func compareEnds(t *testing.T, r *runs.Run) {
	o, full := CompareDefaults(r), errors.New("disk full")
	o.Each = func(ComparedPair) error { return full }
	if _, err := Compare(context.Background(), r, o); !errors.Is(err, full) {
		t.Errorf("error of Each: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, r, CompareDefaults(r)); !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	views := r.Config.Views
	defer func() { r.Config.Views = views }()
	r.Config.Views = []string{config.Topical}
	if _, err := Compare(context.Background(), r, CompareDefaults(r)); !errors.Is(err, runs.ErrNoView) {
		t.Errorf("a run of one view: %v", err)
	}
}

// TestTopPairs checks that topPairs keeps the best pairs of the best families in any order of the offers.
func TestTopPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var all []ComparedPair
		for i := range rapid.IntRange(0, 40).Draw(t, "n") {
			all = append(all, ComparedPair{
				Corner: SameText, A: uint32(i), family: rapid.Uint32Range(0, 7).Draw(t, "family"), significance: float64(rapid.IntRange(0, 9).Draw(t, "significance")),
			})
		}
		most := rapid.IntRange(0, 6).Draw(t, "most")
		top := topPairs{most: most, order: bySignificance, alike: sameFamily}
		for _, p := range rapid.Permutation(all).Draw(t, "order") {
			top.offer(p)
		}
		slices.SortFunc(all, bySignificance)
		var want []ComparedPair
		for _, p := range all {
			known := slices.ContainsFunc(want, func(w ComparedPair) bool { return w.family == p.family })
			if !known && len(want) < most {
				want = append(want, p)
			}
		}
		if d := cmp.Diff(want, top.best, cmp.AllowUnexported(ComparedPair{}), cmpopts.EquateEmpty()); d != "" {
			t.Fatal(d)
		}
	})
}

// TestLongCompareSample is TestCompareSample with all pages of the sample.
func TestLongCompareSample(t *testing.T) { compareAgainstAll(t, comparedRun(t, sample.Open())) }

// total returns the number of pairs in a histogram.
func total(h *Histogram) (n uint64) {
	for _, column := range h.Counts {
		for _, pairs := range column {
			n += pairs
		}
	}
	return n
}

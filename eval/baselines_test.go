package eval

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/bags"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/query"
	"github.com/lshclust/lshclust/urls"
)

// baselinesOf are those of a run over an input.
func baselinesOf(t testing.TB, c config.Config, input string, directory func(b *Baselines) *score.Directory) *Baselines {
	t.Helper()
	b := &Baselines{Run: runOf(t, c, input), Workers: 2}
	b.Directory = directory(b)
	var err error
	if b.Web, err = ReadWeb(context.Background(), []string{input}, c, b.Directory, WebOptions{Workers: 2, Counts: CapturesOf(b.Run)}); err != nil {
		t.Fatal(err)
	}
	if b.CoLinks, err = b.Web.CoLinks(); err != nil {
		t.Fatal(err)
	}
	return b
}

func rankingOf(t testing.TB, b *Baselines, name string) score.Ranking {
	t.Helper()
	bases, err := ParseBaselines([]string{name})
	if err != nil || len(bases) != 1 {
		t.Fatal(bases, err)
	}
	r, err := b.Ranking(context.Background(), bases[0])
	if err == nil {
		err = r.Check(b.Directory)
	}
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

// links is the markup of links to hosts, with the anchors behind a colon.
func links(to ...string) (html string) {
	for _, x := range to {
		host, anchor, _ := strings.Cut(x, ":")
		html += fmt.Sprintf("<p><a href=https://%s.org>%s</a></p>", host, anchor)
	}
	return html
}

// Five targets: a and b are cited together three times, by pages that cite all of a to c twice, and d once with a. e is
// cited alone. Citations: a 4, b 3, c 2, d 1.
func TestCocitation(t *testing.T) {
	input := crawlOf(t,
		[2]string{"https://p1.org", links("a:ant", "b:bee", "c:cat")},
		[2]string{"https://p2.org", links("a:ant", "b:bee", "c:cat")},
		[2]string{"https://p3.org", links("a:ant", "b:bee")},
		[2]string{"https://p4.org", links("a:ant", "d:dog")},
		[2]string{"https://p5.org", links("e:elk")},
	)
	b := baselinesOf(t, preset(t, "paper2000"), input, func(*Baselines) *score.Directory {
		return directoryOf(t, "https://a.org", "https://b.org", "https://c.org", "https://d.org", "https://e.org")
	})
	if d := cmp.Diff([]string{"a: b 3 c 2 d 1", "b: a 3 c 2", "c: b 2 a 2", "d: a 1", "e:"}, show(b.Directory, rankingOf(t, b, "cocitation"))); d != "" {
		t.Error(d) // c: b before a, since fewer pages cite b
	}
	want := []string{"a: b 0.866 c 0.707 d 0.5", "b: a 0.866 c 0.816", "c: b 0.816 a 0.707", "d: a 0.5", "e:"}
	if d := cmp.Diff(want, show(b.Directory, rankingOf(t, b, "cocitation-cosine"))); d != "" {
		t.Error(d)
	}
}

// With a window of no words and no titles the windows are the anchors; idf is ln(4/2) for every word that counts, so
// that the cosines are those of plain counts.
func TestTextBaselines(t *testing.T) {
	input := crawlOf(t,
		[2]string{"https://a.org", "<title>north</title>" + links("c:red", "d:red")},
		[2]string{"https://b.org", "<title>north</title>" + links("c:red blue", "e:blue", "f:green")},
	)
	c := preset(t, "paper2000")
	c.Window, c.Title = 0, false
	b := baselinesOf(t, c, input, func(*Baselines) *score.Directory {
		return directoryOf(t, "https://a.org", "https://b.org", "https://c.org", "https://d.org", "https://e.org", "https://f.org")
	})
	want := []string{"a:", "b:", "c: d 0.894 e 0.447", "d: c 0.894", "e: c 0.447", "f:"}
	for _, name := range []string{"tfidf", "anchor-text"} {
		if d := cmp.Diff(want, show(b.Directory, rankingOf(t, b, name))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
	// Both pages have the words north and red, whose weight is therefore 0. They share no other word.
	want = []string{"a:", "b:", "c:", "d:", "e:", "f:"}
	if d := cmp.Diff(want, show(b.Directory, rankingOf(t, b, "content"))); d != "" {
		t.Error(d)
	}
}

// The exact bags' similarities are those of package bags, and pairs of the run are among them.
func TestExactBaseline(t *testing.T) {
	c := preset(t, "web")
	c.Views = []string{config.Topical}
	b := baselinesOf(t, c, sampleInput(t), func(b *Baselines) *score.Directory { return sampled(t, b.Run) })
	r := rankingOf(t, b, "exact")
	pairs := 0
	for i, list := range r.Lists {
		id, err := b.Run.Lookup(b.Directory.URL(i))
		if err != nil {
			t.Fatal(err)
		}
		similar := map[string]float64{}
		for _, n := range list {
			to, _ := b.Run.Lookup(b.Directory.URL(int(n.Target)))
			if want := bags.Similarity(b.Run.Bag(id), b.Run.Bag(to)); n.Similarity != want {
				t.Fatalf("%s to %s: %v, want %v", b.Directory.URL(i), b.Directory.URL(int(n.Target)), n.Similarity, want)
			}
			similar[b.Directory.URL(int(n.Target))] = n.Similarity
		}
		for _, n := range b.Run.Related(id, query.Lookup{Top: 100}) {
			if _, ok := b.Directory.Index(n.URL); ok {
				if pairs++; float32(similar[n.URL]) != n.Similarity {
					t.Fatalf("%s to %s: %v, in the run %v", b.Directory.URL(i), n.URL, similar[n.URL], n.Similarity)
				}
			}
		}
	}
	if pairs < 100 {
		t.Errorf("%d pairs of the run compared", pairs)
	}
}

// Cosine against its definition on real bags, and what a bound on the lists leaves.
func TestCosineBaselines(t *testing.T) {
	c := preset(t, "paper2000")
	c.Views = []string{config.Topical}
	b := baselinesOf(t, c, sampleInput(t), func(b *Baselines) *score.Directory { return sampled(t, b.Run) })
	terms, err := b.Run.Dictionary(cosineWeights)
	if err != nil {
		t.Fatal(err)
	}
	whole := rankingOf(t, b, "tfidf")
	for i := 0; i < len(whole.Lists); i += 7 {
		for j, n := range whole.Lists[i] {
			if j%9 != 0 {
				continue
			}
			if want := cosine(terms, b.Web.Windows[i], b.Web.Windows[n.Target]); math.Abs(n.Similarity-want) > 1e-12 {
				t.Fatalf("%d to %d: %v, want %v", i, n.Target, n.Similarity, want)
			}
		}
	}
	b.Most = 5
	for _, base := range AllBaselines() {
		if base.Name == "index" {
			continue // its lists are whole
		}
		b.Most = 0
		whole := rankingOf(t, b, base.Name)
		b.Most = 3
		short := rankingOf(t, b, base.Name)
		shorter := false
		for i, list := range short.Lists {
			if !slices.Equal(list, whole.Lists[i][:len(list)]) || apart(list, b.CoLinks[i]) != min(3, apart(whole.Lists[i], b.CoLinks[i])) {
				t.Fatalf("%s, %d: %v of %v", base.Name, i, list, whole.Lists[i])
			}
			shorter = shorter || len(list) < len(whole.Lists[i])
		}
		if base.Name == "tfidf" && !shorter {
			t.Error("no list was cut")
		}
	}
}

// apart counts the neighbours that are not co-linked.
func apart(list []score.Neighbour, co []int32) (n int) {
	for _, x := range list {
		if !slices.Contains(co, x.Target) {
			n++
		}
	}
	return n
}

// cosine is the cosine of two raw bags by its definition.
func cosine(terms *bags.Dictionary, a, b []bags.Weighted) float64 {
	weigh := func(bag []bags.Weighted) (map[uint32]float64, float64) {
		w, norm := map[uint32]float64{}, 0.0
		for _, x := range bag {
			if id, factor, ok := terms.Lookup(x.Term); ok {
				w[id] = float64(x.Weight) * factor
				norm += w[id] * w[id]
			}
		}
		return w, math.Sqrt(norm)
	}
	x, nx := weigh(a)
	y, ny := weigh(b)
	dot := 0.0
	for id, w := range x {
		dot += w * y[id]
	}
	return dot / nx / ny
}

// Content is compared by the document frequencies of the run if its bags are content: cosine over its own texts, not
// over windows.
func TestContentOfContentRun(t *testing.T) {
	input := crawlOf(t,
		[2]string{"https://a.org", "<title>x</title>kiwi kiwi plum"}, [2]string{"https://b.org", "kiwi fig"},
		[2]string{"https://c.org", "fig plum"}, [2]string{"https://d.org", "pear"}, [2]string{"https://e.org", "pear fig"},
	)
	c := preset(t, "paper2000")
	c.Bags = "content"
	b := baselinesOf(t, c, input, func(*Baselines) *score.Directory {
		return directoryOf(t, "https://a.org", "https://b.org", "https://c.org")
	})
	kiwi, plum, fig := math.Log(5./2), math.Log(5./2), math.Log(5./3)
	ab := 2 * kiwi * kiwi / math.Hypot(2*kiwi, plum) / math.Hypot(kiwi, fig)
	if got := rankingOf(t, b, "content").Lists[0][0]; got.Target != 1 || math.Abs(got.Similarity-ab) > 1e-12 {
		t.Errorf("%v, want %v", got, ab)
	}
}

func TestBaselinesWithoutInputs(t *testing.T) {
	c := preset(t, "paper2000")
	run := runOf(t, c, crawlOf(t, [2]string{"https://p1.org", links("a:ant", "b:bee", "c:cat")}))
	b := &Baselines{Run: run, Directory: directoryOf(t, "https://not-in-the-run.org", run.Document(0).URL)}
	for _, base := range AllBaselines() {
		r, err := b.Ranking(context.Background(), base)
		switch {
		case base.Web != errors.Is(err, ErrInputs):
			t.Errorf("%s: error %v", base.Name, err)
		case err == nil && (r.Check(b.Directory) != nil || len(r.Lists[0])+len(r.Lists[1]) != 0):
			t.Errorf("%s: %v", base.Name, r)
		}
	}
}

func TestListsWithin(t *testing.T) {
	for _, c := range []struct{ targets, want int }{{0, 0}, {1, 0}, {8129, 0}, {8192, 0}, {8193, 8191}, {50000, 1342}, {10_000_000, 100}} {
		if got := ListsWithin(c.targets, RankingBytes); got != c.want {
			t.Errorf("%d targets: %d, want %d", c.targets, got, c.want)
		}
	}
}

func TestParseBaselines(t *testing.T) {
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""},
		{[]string{"all"}, "stored index stored-targets index-targets exact tfidf anchor-text content cocitation cocitation-cosine"},
		{[]string{"cocitation", "exact"}, "exact cocitation"},
		{[]string{"exact", "exact"}, "exact"},
		{[]string{"exact", "related-2x50", "related-0x1"}, "related-2x50 related-0x1 exact"},
		{[]string{"related-2x"}, `baseline "related-2x" is not one of all, stored, index, stored-targets, index-targets, exact, tfidf, anchor-text, content, cocitation, cocitation-cosine, related-ROUNDSxWIDTH`},
		{[]string{"exact", "best"}, `baseline "best" is not one of all, stored, index, stored-targets, index-targets, exact, tfidf, anchor-text, content, cocitation, cocitation-cosine, related-ROUNDSxWIDTH`},
	} {
		bases, err := ParseBaselines(c.names)
		var got []string
		for _, b := range bases {
			got = append(got, b.Name)
		}
		if err != nil {
			got = []string{err.Error()}
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v: %s, want %s", c.names, s, c.want)
		}
	}
}

// CoLinks are those of the reference scorer, which shares no code with this.
func TestLongCoLinksOfReference(t *testing.T) {
	data := shareddata.Dir(t, "docs")
	tool := filepath.Join(data, "..", "..", "tools", "score_topical.py")
	python, err := exec.LookPath("python3")
	if _, gone := os.Stat(tool); err != nil || gone != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("python3 and score_topical.py are needed")
		}
		t.Skip("without python3 or score_topical.py")
	}
	gold, err := gold.Read(filepath.Join(data, "gold.tsv"), urls.DefaultRules())
	if err != nil {
		t.Fatal(err)
	}
	d, err := score.NewDirectory(gold.Labels, 3)
	if err != nil {
		t.Fatal(err)
	}
	pages := filepath.Join(data, "pages.jsonl.gz")
	w, err := ReadWeb(context.Background(), []string{pages}, preset(t, "web"), d, WebOptions{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	co, err := coLinks(d.Len(), anyLinks(w))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-B", "-c", `
import importlib.util, sys
spec = importlib.util.spec_from_file_location("score", sys.argv[1]); score = importlib.util.module_from_spec(spec); spec.loader.exec_module(score)
targets = {t for t, _ in score.read_gold(sys.argv[2])}
for t, others in score.colinked(score.links_of_pages(sys.argv[3]), targets).items():
    for o in sorted(others): print(t, o, sep="\t")`, tool, filepath.Join(data, "gold.tsv"), pages)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	want := make(score.CoLinks, d.Len())
	n := 0
	for s := bufio.NewScanner(strings.NewReader(string(out))); s.Scan(); n++ {
		a, b, _ := strings.Cut(s.Text(), "\t")
		i, ok := d.Index(a)
		j, ok2 := d.Index(b)
		if !ok || !ok2 {
			t.Fatalf("no target: %s", s.Text())
		}
		want[i] = append(want[i], int32(j))
	}
	for i := range want {
		if !slices.Equal(want[i], co[i]) {
			t.Fatalf("%s: %d targets, reference %d", d.URL(i), len(co[i]), len(want[i]))
		}
	}
	t.Logf("%d targets, %d pairs", d.Len(), n/2)
}

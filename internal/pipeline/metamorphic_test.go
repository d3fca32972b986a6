package pipeline_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/run"
)

// TestSameBytes checks that workers, memory, the order of the pages and their distribution over files change no byte
// of the tables. With the least memory, no partition fits as a whole.
func TestSameBytes(t *testing.T) {
	ways := arrangements(t, samplePages(t, sampledPages))
	same(t, "shuffled, in two files", sums(t, sampleRun(t).dir), preset(t, "web"), pipeline.Options{Workers: 4, Memory: 1 << 18}, ways["shuffled, in two files"]...)
}

func same(t *testing.T, how string, want map[string]uint32, c config.Config, o pipeline.Options, inputs ...string) {
	t.Helper()
	dir, _ := cluster(t, c, o, inputs...)
	if d := cmp.Diff(want, sums(t, dir)); d != "" {
		t.Errorf("%s: %s", how, d)
	}
}

// TestSameBytesOfConfigs is TestSameBytes for other configurations.
func TestSameBytesOfConfigs(t *testing.T) {
	sameOfConfigs(t, 25, configs(t)[:2])
}

// configs are configurations that differ in what the stages do.
func configs(t *testing.T) []config.Config {
	capped := preset(t, "web")
	capped.Bags, capped.MaxBucket, capped.Reach, capped.Order, capped.Border, capped.Neighbours = "content", 5, 2, "degree", 0, 3
	sketches := preset(t, "web")
	sketches.Sketch = config.SketchVar
	return []config.Config{capped, sketches, preset(t, "paper2000"), preset(t, "paper2002")}
}

// sameOfConfigs compares runs with one worker and much memory with runs of shuffled pages with four and little.
func sameOfConfigs(t *testing.T, pages int, configs []config.Config) {
	lines := samplePages(t, pages)
	shuffled := shuffle(lines, 5)
	for i, c := range configs {
		dir, _ := cluster(t, c, pipeline.Options{Workers: 1}, write(t, lines...))
		same(t, fmt.Sprint("configuration ", i), sums(t, dir), c, pipeline.Options{Workers: 4, Memory: 1 << 18}, write(t, shuffled...))
	}
}

func shuffle[T any](s []T, seed uint64) []T {
	s = slices.Clone(s)
	rand.New(rand.NewPCG(seed, 2)).Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
	return s
}

// arrangements returns the same pages in another order and in other files.
func arrangements(t *testing.T, lines []string) map[string][]string {
	shuffled, third := shuffle(lines, 1), len(lines)/3
	a, b := write(t, lines[:third]...), writeBytes(t, "b.jsonl.gz", zipped(t, lines[third:2*third]...))
	c := write(t, lines[2*third:]...)
	return map[string][]string{
		"three files":            {a, b, c},
		"in another order":       {c, a, b},
		"shuffled, in two files": {writeBytes(t, "s.jsonl.gz", zipped(t, shuffled[:third]...)), write(t, shuffled[third:]...)},
	}
}

// TestOtherBytes checks that another seed and another page do change the tables, so that the tests above can fail.
func TestOtherBytes(t *testing.T) {
	c := topicalOf(t, "web")
	c.Seed = 2
	dir, _ := cluster(t, c, pipeline.Options{}, write(t, samplePages(t, sampledPages)[1:]...))
	want, got := sums(t, sampleRun(t).dir), sums(t, dir)
	for _, name := range []string{"nodes.lsh", "documents.lsh", "evidence.lsh", "bags.lsh", "pages.parquet"} {
		if got[name] == want[name] {
			t.Errorf("%s is the same", name)
		}
	}
}

// TestCaptures checks that the newest capture of a URL wins. Among captures with one time, or without times, the one
// in the later input wins, and within one input the later one.
func TestCaptures(t *testing.T) {
	old := page{URL: "https://a.example/p", HTML: "<title>old page</title><a href=/old>old link</a>", Time: "2020-01-01T00:00:00Z"}
	newer := page{URL: "https://A.example/p#frag", HTML: "<title>newer page</title><a href=newer>newer link</a>", Time: "2021-01-01T00:00:00Z"}
	timeless := page{URL: "https://a.example/p", HTML: "<title>timeless page</title><a href=/timeless>link</a>"}
	other := page{URL: "https://a.example:443/p", HTML: "<title>other page</title><a href=/other>link</a>"}
	sameButText := page{URL: "https://a.example/p", Text: timeless.HTML, Title: "text page"}
	titled := page{URL: "https://a.example/p", Text: timeless.HTML, Title: "other title"}
	cases := []struct {
		name     string
		captures []page
		first    string // title of the capture that wins
		reversed string // of the one that wins in the opposite order
		byOrder  int64
	}{
		{"newest", []page{old, newer}, "newer page", "newer page", 0},
		{"a time beats none", []page{old, timeless}, "old page", "old page", 0},
		{"a thousand times the same", slices.Repeat([]page{old}, 1000), "old page", "old page", 1},
		{"none has a time", []page{timeless, other}, "other page", "timeless page", 1},
		{"the same bytes as HTML and as text", []page{timeless, sameButText}, "text page", "timeless page", 1},
		{"the same text with another title", []page{sameButText, titled}, "other title", "text page", 1},
		{"many", []page{timeless, old, newer, other, sameButText, newer}, "newer page", "newer page", 1},
	}
	// Each case has its own host, so that one run has all of them.
	host := func(i int, url string) string {
		return strings.Replace(strings.ToLower(url), "a.example", fmt.Sprintf("a%d.example", i), 1)
	}
	for _, reversed := range []bool{false, true} {
		var pages []page
		var captures, byOrder int64
		for i, c := range cases {
			some := slices.Clone(c.captures)
			if reversed {
				slices.Reverse(some)
			}
			for _, p := range some {
				p.URL = host(i, p.URL)
				pages = append(pages, p)
			}
			pages = append(pages, page{URL: fmt.Sprintf("https://b%d.example/", i), HTML: "<title>front page</title> see <a href=" + host(i, old.URL) + ">the page</a>"})
			captures, byOrder = captures+int64(len(some)), byOrder+c.byOrder
		}
		lines, n := jsonl(t, pages...), int64(len(cases))
		one, m := cluster(t, preset(t, "web"), pipeline.Options{Workers: 2}, write(t, lines...))
		if read, _ := m.Stage("read"); read.Counts["captures_replaced"] != captures-n {
			t.Errorf("%d of %d captures replaced", read.Counts["captures_replaced"], captures)
		}
		if m := m.Counts; m["urls_with_several_captures"] != n || m["urls_decided_by_order"] != byOrder || m["urls_decided_by_time"] != n-byOrder || m["captures_superseded"] != captures-n {
			t.Errorf("%v", m)
		}
		for i, c := range cases {
			title := map[bool]string{false: c.first, true: c.reversed}[reversed]
			if got := rows(t, one)[host(i, old.URL)].Title; got != title {
				t.Errorf("%s: title %q, want %q", c.name, got, title)
			}
		}
		if reversed {
			continue
		}
		same(t, "a file each half", sums(t, one), preset(t, "web"), pipeline.Options{Workers: 8}, write(t, lines[:len(lines)/2]...), write(t, lines[len(lines)/2:]...))
	}
}

// TestInputsInAnotherOrder checks that a stopped run does not continue with its inputs in another order, because
// their order decides between captures.
func TestInputsInAnotherOrder(t *testing.T) {
	lines, c := samplePages(t, 20), preset(t, "web")
	a, b := writeBytes(t, "a.jsonl", []byte(strings.Join(lines[:10], "\n"))), writeBytes(t, "b.jsonl", []byte(strings.Join(lines[10:], "\n")))
	out := filepath.Join(t.TempDir(), "run")
	begin := func(last string, inputs ...string) error {
		return pipeline.ClusterUntil(t.Context(), last, out, inputs, c, pipeline.Options{})
	}
	must(t, begin("read", a, b))
	if err := begin("publish", b, a); !errors.Is(err, run.ErrMismatch) || !strings.Contains(err.Error(), "the order of the inputs, which decides") || !strings.Contains(err.Error(), "was a.jsonl, b.jsonl;") {
		t.Fatal(err)
	}
	must(t, begin("publish", a, b))
}

// TestContentDigest checks that equal content has equal digests at every URL.
func TestContentDigest(t *testing.T) {
	dir, _ := cluster(t, preset(t, "web"), pipeline.Options{}, write(t, jsonl(t,
		page{URL: "https://a.example/1", HTML: "<title>one</title>"}, page{URL: "https://b.example/2", HTML: "<title>one</title>"},
		page{URL: "https://b.example/3", HTML: "<title>three</title>"})...))
	r := rows(t, dir)
	one, two, three := r["https://a.example/1"].ContentDigest, r["https://b.example/2"].ContentDigest, r["https://b.example/3"].ContentDigest
	if one == "" || one != two || one == three {
		t.Errorf("digests %q, %q, %q", one, two, three)
	}
}

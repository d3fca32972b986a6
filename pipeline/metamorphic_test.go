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
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/internal/shareddata"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/run"
)

// The one rule of the package: workers, memory, the order of the pages and their distribution over files change no byte
// of the tables.
func TestSameBytes(t *testing.T) {
	lines := samplePages(t, 80)
	c := preset(t, "web")
	dir, _ := cluster(t, c, pipeline.Options{Workers: 1}, write(t, lines...))
	want := sums(t, dir)
	for _, workers := range []int{2, 4} {
		same(t, fmt.Sprintf("%d workers", workers), want, c, pipeline.Options{Workers: workers}, write(t, lines...))
	}
	for _, memory := range []int64{1 << 18, 16 << 20, 64 << 20, 1 << 30} { // with the least, no partition fits as a whole
		same(t, fmt.Sprintf("memory %d", memory), want, c, pipeline.Options{Workers: 2, Memory: memory}, write(t, lines...))
	}
	for how, inputs := range arrangements(t, lines) {
		same(t, how, want, c, pipeline.Options{Workers: 2}, inputs...)
	}
}

func same(t *testing.T, how string, want map[string]uint32, c config.Config, o pipeline.Options, inputs ...string) {
	t.Helper()
	dir, _ := cluster(t, c, o, inputs...)
	if d := cmp.Diff(want, sums(t, dir)); d != "" {
		t.Errorf("%s: %s", how, d)
	}
}

// The same for other configurations: one worker with much memory against four with little, and shuffled input.
func TestSameBytesOfConfigs(t *testing.T) {
	content := preset(t, "web")
	content.Bags, content.Order = "content", "degree"
	capped := preset(t, "web")
	capped.MaxBucket, capped.Reach, capped.Order, capped.Border, capped.Neighbours = 5, 2, "similarity", 0, 3
	sketches := preset(t, "web")
	sketches.Keep, sketches.Sketch = config.KeepSketches, config.SketchVar
	lines := samplePages(t, 50)
	shuffled := shuffle(lines, 5)
	for name, c := range map[string]config.Config{
		"paper2000": preset(t, "paper2000"), "paper2002": preset(t, "paper2002"), "content": content, "capped": capped, "sketches": sketches,
	} {
		dir, _ := cluster(t, c, pipeline.Options{Workers: 1}, write(t, lines...))
		same(t, name, sums(t, dir), c, pipeline.Options{Workers: 4, Memory: 1 << 18}, write(t, shuffled...))
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
		"shuffled":          {write(t, shuffled...)},
		"three files":       {a, b, c},
		"in another order":  {c, a, b},
		"shuffled and gzip": {writeBytes(t, "s.jsonl.gz", zipped(t, shuffled...))},
	}
}

// Standard input has no length, so that there are sixteen times as many partitions.
func TestSameBytesFromStandardInput(t *testing.T) {
	path, c := write(t, samplePages(t, 60)...), preset(t, "web")
	want, _ := cluster(t, c, pipeline.Options{Workers: 2}, path)
	standardInput(t, path)
	same(t, "standard input", sums(t, want), c, pipeline.Options{Workers: 2}, "-")
}

func TestSameBytesOfDocs(t *testing.T) {
	if testing.Short() {
		t.Skip("22 MB of pages")
	}
	path, c := filepath.Join(shareddata.Dir(t, "docs"), "pages.jsonl.gz"), preset(t, "paper2000")
	want, _ := cluster(t, c, pipeline.Options{Workers: 1, Memory: 1 << 30}, path)
	same(t, "4 workers in 1 MiB", sums(t, want), c, pipeline.Options{Workers: 4, Memory: 1 << 20}, path)
}

// Several workers read ranges of one WARC file.
func TestSameBytesOfWARC(t *testing.T) {
	path, c := filepath.Join(shareddata.Dir(t, "warc"), "ipwb__warcs_IAH-20080430204825-00000-blackbook.warc.gz"), preset(t, "web")
	want, _ := cluster(t, c, pipeline.Options{Workers: 1}, path)
	for _, workers := range []int{2, 5} {
		same(t, fmt.Sprintf("%d workers", workers), sums(t, want), c, pipeline.Options{Workers: workers}, path)
	}
}

// Another seed, preset or page does change the tables, so that the tests above can fail.
func TestOtherBytes(t *testing.T) {
	lines, c := samplePages(t, 60), preset(t, "web")
	dir, _ := cluster(t, c, pipeline.Options{}, write(t, lines...))
	want := sums(t, dir)
	seeded := c
	seeded.Seed = 2
	for _, o := range []struct {
		name   string
		config config.Config
		lines  []string
		differ []string
	}{
		{"seed", seeded, lines, []string{"signatures.lsh"}},
		{"preset", preset(t, "paper2000"), lines, []string{"bags.lsh", "pairs.lsh", "clusters.lsh", "topical_pairs.parquet", "topical_clusters.parquet"}},
		{"a page less", c, lines[1:], []string{"documents.lsh", "evidence.lsh", "bags.lsh", "pages.parquet"}},
	} {
		dir, _ := cluster(t, o.config, pipeline.Options{}, write(t, o.lines...))
		got := sums(t, dir)
		for _, name := range o.differ {
			if got[name] == want[name] {
				t.Errorf("%s: %s is the same", o.name, name)
			}
		}
	}
}

// If a URL was captured more than once, the newest capture wins. Of captures of one time, or without times, the one in
// the later input wins, and within one input the later one.
func TestCaptures(t *testing.T) {
	old := page{URL: "https://a.example/p", HTML: "<title>old page</title><a href=/old>old link</a>", Time: "2020-01-01T00:00:00Z"}
	newer := page{URL: "https://A.example/p#frag", HTML: "<title>newer page</title><a href=newer>newer link</a>", Time: "2021-01-01T00:00:00Z"}
	timeless := page{URL: "https://a.example/p", HTML: "<title>timeless page</title><a href=/timeless>link</a>"}
	other := page{URL: "https://a.example:443/p", HTML: "<title>other page</title><a href=/other>link</a>"}
	sameButText := page{URL: "https://a.example/p", Text: timeless.HTML, Title: "text page"}
	titled := page{URL: "https://a.example/p", Text: timeless.HTML, Title: "other title"}
	rest := page{URL: "https://b.example/", HTML: "<title>front page</title> see <a href=https://a.example/p>the page</a>"}
	for _, c := range []struct {
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
	} {
		t.Run(c.name, func(t *testing.T) {
			captures := c.captures
			for _, title := range []string{c.first, c.reversed} {
				lines := jsonl(t, append(slices.Clone(captures), rest)...)
				one, m := cluster(t, preset(t, "web"), pipeline.Options{Workers: 2}, write(t, lines...))
				if read, _ := m.Stage("read"); read.Counts["captures_replaced"] != int64(len(c.captures)-1) {
					t.Errorf("%d of %d captures replaced", read.Counts["captures_replaced"], len(c.captures))
				}
				n := m.Counts
				if n["urls_with_several_captures"] != 1 || n["urls_decided_by_order"] != c.byOrder || n["urls_decided_by_time"] != 1-c.byOrder || n["captures_superseded"] != int64(len(captures)-1) {
					t.Errorf("%v", n)
				}
				if got := rows(t, one)["https://a.example/p"].Title; got != title {
					t.Errorf("title %q, want %q", got, title)
				}
				same(t, "a file each half", sums(t, one), preset(t, "web"), pipeline.Options{Workers: 8}, write(t, lines[:len(lines)/2]...), write(t, lines[len(lines)/2:]...))
				captures = slices.Clone(captures)
				slices.Reverse(captures)
			}
		})
	}
}

// A stopped run does not go on with its inputs in another order, since their order decides between captures.
func TestInputsInAnotherOrder(t *testing.T) {
	lines, c := samplePages(t, 20), preset(t, "web")
	a, b := writeBytes(t, "a.jsonl", []byte(strings.Join(lines[:10], "\n"))), writeBytes(t, "b.jsonl", []byte(strings.Join(lines[10:], "\n")))
	out := filepath.Join(t.TempDir(), "run")
	begin := func(last string, inputs ...string) error {
		return pipeline.ClusterUntil(t.Context(), last, out, inputs, c, pipeline.Options{})
	}
	if err := begin("read", a, b); err != nil {
		t.Fatal(err)
	}
	if err := begin("publish", b, a); !errors.Is(err, run.ErrMismatch) || !strings.Contains(err.Error(), "the order of the inputs, which decides") || !strings.Contains(err.Error(), "was a.jsonl, b.jsonl;") {
		t.Fatal(err)
	}
	if err := begin("publish", a, b); err != nil {
		t.Fatal(err)
	}
}

// Equal content has equal digests at every URL.
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

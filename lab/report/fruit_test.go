package report

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/internal/pipeline"
	"github.com/lshclust/lshclust/internal/runs"
	"github.com/lshclust/lshclust/lab/score"
)

// hostileTitle is the title of all pages of the fruit crawl: pages on fruit and on wheels, in equal numbers, and lists
// that link to them.
const hostileTitle = `</script><script>alert(1)</script>"onload='x'<img src=x onerror=alert(2)>`

// fruitPages returns the crawl as JSON Lines.
func fruitPages(t testing.TB) string {
	t.Helper()
	var b strings.Builder
	page := func(url, markup string) {
		line, err := json.Marshal(map[string]string{"url": url, "html": markup})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	words := map[string][]string{
		"fruit":  strings.Fields("apple pear plum quince orchard cider blossom harvest sweet juice grafting ripe"),
		"wheels": strings.Fields("bicycle wheel spoke chain saddle brake gear tyre frame pedal road race"),
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, topic := range []string{"fruit", "wheels"} {
		var list strings.Builder
		for i := range 8 {
			u := fmt.Sprintf("https://%s.example/%d", topic, i)
			w := words[topic]
			r.Shuffle(len(w), func(i, j int) { w[i], w[j] = w[j], w[i] })
			page(u, fmt.Sprintf("<title>%s</title><p>%s of %s are long known to all who like %s", html.EscapeString(hostileTitle),
				strings.Join(w[:8], " "), topic, strings.Join(w[:5], " and ")))
			fmt.Fprintf(&list, "<li>%s <a href=%s>%s %s</a> %s", strings.Join(w[:3], " "), u, w[4], html.EscapeString(hostileTitle), strings.Join(w[5:8], " "))
		}
		for i := range 3 {
			page(fmt.Sprintf("https://list%d.example/%s", i, topic), "<title>a list</title><ul>"+list.String()+"</ul>")
		}
	}
	return b.String()
}

// built holds the runs of a test binary by their settings.
var built = struct {
	dir  func() (string, error)
	runs map[string]string
}{
	dir:  sync.OnceValues(func() (string, error) { return os.MkdirTemp("", "fruit") }),
	runs: map[string]string{},
}

// TestMain runs the tests and removes the runs that they shared.
func TestMain(m *testing.M) {
	code := m.Run()
	if dir, err := built.dir(); err == nil {
		os.RemoveAll(dir)
	}
	os.Exit(code)
}

// fruitRun returns a run of the pages with the preset web, as modified by change, and opens it until the end of the
// test. It builds the run unless another test has. Tests must not change its files.
func fruitRun(t testing.TB, change func(*config.Config)) *runs.Run {
	t.Helper()
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	c.MaxDF, c.Shingle = 1, 4
	if change != nil {
		change(&c)
	}
	dir, err := built.dir()
	if err != nil {
		t.Fatal(err)
	}
	key := fmt.Sprintf("%+v", c)
	if built.runs[key] == "" {
		in, out := filepath.Join(dir, "pages.jsonl"), filepath.Join(dir, strconv.Itoa(len(built.runs)))
		if err := os.WriteFile(in, []byte(fruitPages(t)), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
			t.Fatal(err)
		}
		built.runs[key] = out
	}
	r, err := runs.Open(built.runs[key])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// fruitGold returns a gold with the topic of every page, and a URL that is not a page.
func fruitGold() *gold.Gold {
	g := &gold.Gold{Name: "gold.tsv"}
	for _, topic := range []string{"fruit", "wheels"} {
		for i := range 8 {
			g.Labels = append(g.Labels, score.Label{URL: fmt.Sprintf("https://%s.example/%d", topic, i), Path: []string{"Top", topic}})
		}
	}
	g.Labels = append(g.Labels, score.Label{URL: "https://nowhere.example", Path: []string{"Top"}})
	return g
}

// contentBags sets bags of contents and only the topical view.
func contentBags(c *config.Config) { c.Bags, c.Views = config.FromContent, []string{config.Topical} }

// linkBags sets bags of the words around links.
func linkBags(c *config.Config) { c.Bags = config.FromLinks }

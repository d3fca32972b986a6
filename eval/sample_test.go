package eval

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
	"golang.org/x/net/html"
)

const hostileTitle = `</script><script>alert(1)</script>"onload='x'<img src=x onerror=alert(2)>`

// fruitPages are pages on fruit and on wheels, in equal numbers, with lists that link to them; titles are hostile.
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

// sampleRun builds a run of the fruit pages.
func sampleRun(t testing.TB, name string, change func(*config.Config)) NamedRun {
	t.Helper()
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	c.MaxDF, c.Shingle = 1, 4
	if change != nil {
		change(&c)
	}
	in, out := filepath.Join(t.TempDir(), "pages.jsonl"), filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(in, []byte(fruitPages(t)), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := pipeline.Cluster(context.Background(), out, []string{in}, c, pipeline.Options{}); err != nil {
		t.Fatal(err)
	}
	r, err := query.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return NamedRun{name, r}
}

func fruitGold() *Gold {
	g := &Gold{Name: "gold.tsv"}
	for _, topic := range []string{"fruit", "wheels"} {
		for i := range 8 {
			g.Labels = append(g.Labels, Label{URL: fmt.Sprintf("https://%s.example/%d", topic, i), Path: []string{"Top", topic}})
		}
	}
	g.Labels = append(g.Labels, Label{URL: "https://nowhere.example", Path: []string{"Top"}})
	return g
}

func contentBags(c *config.Config) { c.Bags, c.Views = "content", []string{config.Topical} }

func draw(t testing.TB, g *Gold, runs []NamedRun, o SampleOptions) *Sample {
	t.Helper()
	s, err := DrawSample(context.Background(), g, runs, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The lists are what brute force and the index give, ranked, and the draw does not follow the order of the gold.
func TestDrawSample(t *testing.T) {
	runs := []NamedRun{sampleRun(t, "anchors", nil), sampleRun(t, "content", contentBags)}
	o := SampleOptions{N: 5, Top: 4, Seed: 1}
	s := draw(t, fruitGold(), runs, o)
	if s.Labelled != 17 || s.Known != 16 || s.AllKnow != 16 || len(s.Queries) != 5 {
		t.Fatalf("%d labelled, %d known, %d by all, %d drawn", s.Labelled, s.Known, s.AllKnow, len(s.Queries))
	}
	var names []string
	for _, m := range s.Methods {
		names = append(names, m.Name)
	}
	if want := "anchors anchors-index content content-index resemblance"; strings.Join(names, " ") != want {
		t.Errorf("methods %v", names)
	}
	for _, q := range s.Queries {
		if len(q.Lists) != 5 || len(q.Lists[0].Neighbours) != 4 || len(q.Lists[2].Neighbours) != 4 {
			t.Fatalf("%s: %+v", q.URL, q.Lists)
		}
		for _, l := range q.Lists {
			last := 2.0
			for i, n := range l.Neighbours {
				if n.Rank != i+1 || n.URL == q.URL || n.Similarity > last || n.Similarity <= 0 {
					t.Errorf("%s %s: %+v", q.URL, l.Method, n)
				}
				last = n.Similarity
				if (len(n.Words) == 0) != (l.Method == "resemblance") || (n.Text == nil) != (l.Method != "resemblance") {
					t.Errorf("%s %s: no reason: %+v", q.URL, l.Method, n)
				}
			}
		}
		topic, _, _ := strings.Cut(strings.TrimPrefix(q.URL, "https://"), ".")
		if n := q.Lists[0].Neighbours[0]; !strings.Contains(n.URL, topic) || n.Quote == nil || n.CoLinked == 0 {
			t.Errorf("nearest to %s: %+v", q.URL, n)
		}
	}
	turned := fruitGold()
	slices.Reverse(turned.Labels)
	turned.Labels = append(turned.Labels, turned.Labels[3])
	if d := cmp.Diff(s, draw(t, turned, runs, o), cmpopts.IgnoreUnexported(SampleQuery{})); d != "" {
		t.Errorf("the order of the gold shows: %s", d)
	}
	o.Seed = 2
	if other := draw(t, fruitGold(), runs, o); slices.EqualFunc(other.Queries, s.Queries, func(a, b SampleQuery) bool { return a.URL == b.URL }) {
		t.Error("another seed draws the same")
	}
}

func TestDrawSampleErrors(t *testing.T) {
	runs := []NamedRun{sampleRun(t, "anchors", nil)}
	o := SampleOptions{N: 5, Top: 4, Seed: 1}
	g := &Gold{Name: "g", Labels: []Label{{URL: "https://nowhere.example", Path: []string{"a"}}}}
	if _, err := DrawSample(context.Background(), g, runs, o); !errors.Is(err, ErrNoOverlap) || !strings.Contains(err.Error(), "https://nowhere.example") {
		t.Error(err)
	}
	if _, err := DrawSample(context.Background(), fruitGold(), append(runs, runs[0]), o); err == nil || !strings.Contains(err.Error(), "both have bags of anchors") {
		t.Error(err)
	}
	if _, err := DrawSample(context.Background(), fruitGold(), nil, o); err == nil {
		t.Error("without a run")
	}
}

// Whatever pages say is text on the page for marking: no element or attribute comes from it.
func TestSampleHTML(t *testing.T) {
	runs := []NamedRun{sampleRun(t, "anchors", nil), sampleRun(t, "content", contentBags)}
	for _, blind := range []bool{false, true} {
		s := draw(t, fruitGold(), runs, SampleOptions{N: 4, Top: 3, Seed: 1, Blind: blind})
		s.Queries[0].Lists[0].Neighbours[0].URL = "javascript:alert(3)"
		s.Queries[0].Categories = []string{hostileTitle}
		var b bytes.Buffer
		if err := s.HTML(&b); err != nil {
			t.Fatal(err)
		}
		doc, err := html.Parse(bytes.NewReader(b.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for n := range doc.Descendants() {
			if n.Type != html.ElementNode {
				continue
			}
			seen[n.Data]++
			for _, a := range n.Attr {
				if strings.HasPrefix(a.Key, "on") || a.Key == "src" || a.Key == "href" && !strings.HasPrefix(a.Val, "https://") {
					t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
				}
			}
		}
		rows := 0
		for _, q := range s.Queries {
			for _, l := range q.Lists {
				rows += len(l.Neighbours)
			}
		}
		if seen["script"] != 1 || seen["style"] != 1 || seen["img"] != 0 || seen["link"] != 0 || seen["li"] != rows || rows < 40 {
			t.Errorf("%v, %d rows", seen, rows)
		}
		if text := b.String(); strings.Contains(text, "ZgotmplZ") || !strings.Contains(text, "&lt;/script&gt;") || strings.Contains(text, `<body class="blind"`) != blind {
			t.Errorf("blind %v: %.300s", blind, text)
		}
	}
}

// Blind, a list is not always at the same place.
func TestShuffled(t *testing.T) {
	s := &Sample{Methods: []SampleMethod{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Options: SampleOptions{Seed: 1}}
	var first [3]int
	for i := range 300 {
		place := s.shuffled(SampleQuery{URL: fmt.Sprint("https://x.example/", i)})
		if slices.Compare(slices.Sorted(slices.Values(place)), []int{0, 1, 2}) != 0 {
			t.Fatal(place)
		}
		first[place[0]]++
	}
	for _, n := range first {
		if n < 60 || n > 140 {
			t.Errorf("the first method stands at %v", first)
		}
	}
}

// What is to be marked names every neighbour once, and every list that has it.
func TestSampleMarks(t *testing.T) {
	runs := []NamedRun{sampleRun(t, "anchors", nil)}
	s := draw(t, fruitGold(), runs, SampleOptions{N: 4, Top: 3, Seed: 1})
	want, got := 0, 0
	for _, q := range s.Queries {
		for _, l := range q.Lists {
			want += len(l.Neighbours)
		}
	}
	seen := map[[2]string]bool{}
	for _, m := range s.Marks() {
		got += len(m.Listed)
		if seen[[2]string{m.Query, m.Neighbour}] || m.Verdict != "" {
			t.Errorf("%+v", m)
		}
		seen[[2]string{m.Query, m.Neighbour}] = true
	}
	if got != want || want == 0 || len(seen) == want {
		t.Errorf("%d lists of %d neighbours, want %d", got, len(seen), want)
	}
}

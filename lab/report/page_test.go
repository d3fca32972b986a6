package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/internal/config"
	"github.com/lshclust/lshclust/lab/evaluate"
	"github.com/lshclust/lshclust/lab/score"
	"golang.org/x/net/html"
)

// named returns a run of the fruit pages with its name.
func named(t *testing.T, name string, change func(*config.Config)) eval.NamedRun {
	t.Helper()
	return eval.NamedRun{Name: name, Run: fruitRun(t, change)}
}

// reportOf measures everything that a page can show about the fruit pages, with a gold that has a hostile name and a
// row without a page.
func reportOf(t *testing.T) *Report {
	t.Helper()
	run := named(t, "both", nil)
	g := fruitGold()
	g.Name = hostileTitle
	g.Labels = append(g.Labels, score.Label{URL: "javascript:alert(3)", Path: []string{"Top", hostileTitle}})
	for i := range g.Labels[:3] {
		g.Labels[i].Path = []string{"Top", "wheels"} // so that something is wrong
	}
	o := Options{Options: evaluate.Options{Depth: 2, Bootstrap: 50, Seed: 1, Apart: true, Baselines: append(evaluate.AllBaselines(), TFIDF)}, Sample: 30, Examples: 2}
	e, err := measured(t.Context(), run.Run, g, o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(t.Context(), run.Name, run.Run, []*Evaluation{e}, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func rendered(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.HTML(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The page is complete and needs no other file: headings are in order, tables have headers, links have targets, and
// nothing runs or loads, whatever pages and golds contain.
func TestReport(t *testing.T) {
	page := rendered(t, reportOf(t))
	if page != rendered(t, reportOf(t)) {
		t.Error("the same run gives other bytes")
	}
	for _, want := range []string{
		"In short", "predicted and observed", "Same level-2 category", "related right, tfidf wrong", "tfidf right, related wrong", "Settings of this evaluation",
		"javascript:alert(3)", `<span class="path">Top / wheels</span>`, "to it and its own words.", "each of the two parts of a bag",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, never := range []string{"NaN", "ZgotmplZ", "hit 1", "Hit,", "<script", "<img", "%!", "&lt;no value"} {
		if strings.Contains(page, never) {
			t.Errorf("%q on the page", never)
		}
	}
	checkPage(t, page)
}

var outside = regexp.MustCompile(`(?i)url\(|@import`)

// checkPage walks over the elements.
func checkPage(t *testing.T, page string) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	if outside.MatchString(page) {
		t.Error("a style sheet loads something")
	}
	ids, level, figures := map[string]int{}, 0, 0
	var links []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		for _, a := range n.Attr {
			switch {
			case a.Key == "id":
				ids[a.Val]++
			case a.Key == "src" || strings.HasPrefix(a.Key, "on"):
				t.Errorf("<%s %s=%q>", n.Data, a.Key, a.Val)
			case a.Key == "href" && strings.HasPrefix(a.Val, "#"):
				links = append(links, a.Val[1:])
			case a.Key == "href" && !strings.HasPrefix(a.Val, "https://"):
				t.Errorf("a link to %q", a.Val)
			}
		}
		switch n.Data {
		case "h1", "h2", "h3", "h4", "h5":
			at := int(n.Data[1] - '0')
			if at > level+1 {
				t.Errorf("%s follows a heading of level %d", n.Data, level)
			}
			level = at
		case "figure":
			figures++
			if !has(n, "table") || !has(n, "svg") || !has(n, "figcaption") {
				t.Error("a picture without its table or its text")
			}
		case "th":
			if scope(n) == "" {
				t.Error("a header without a scope")
			}
		case "script", "iframe", "object", "link":
			t.Errorf("<%s>", n.Data)
		}
	}
	for id, n := range ids {
		if n > 1 {
			t.Errorf("id %s stands %d times", id, n)
		}
	}
	for _, l := range links {
		if ids[l] == 0 {
			t.Errorf("nothing has the id %s", l)
		}
	}
	if figures != 1 || len(links) < 5 {
		t.Errorf("%d pictures, %d links inside the page", figures, len(links))
	}
}

func has(n *html.Node, name string) bool {
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && d.Data == name {
			return true
		}
	}
	return false
}

func scope(n *html.Node) string {
	for _, a := range n.Attr {
		if a.Key == "scope" {
			return a.Val
		}
	}
	return ""
}

// A page with the least that can be measured has no empty section and no undefined number.
func TestSmallReport(t *testing.T) {
	run := named(t, "both", func(c *config.Config) { c.Views = []string{config.Topical} })
	e, err := measured(t.Context(), run.Run, fruitGold(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := New(t.Context(), "run", run.Run, []*Evaluation{e}, Options{Options: evaluate.Options{Depth: 3}})
	if err != nil {
		t.Fatal(err)
	}
	page := rendered(t, r)
	for _, never := range []string{"NaN", "What the index finds", "Examples", "resamples of whole lists"} {
		if strings.Contains(page, never) {
			t.Errorf("%q on the page", never)
		}
	}
}

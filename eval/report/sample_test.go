package report

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/eval"
	"github.com/lshclust/lshclust/eval/gold"
	"golang.org/x/net/html"
)

func draw(t *testing.T, g *gold.Gold, runs []eval.NamedRun, o eval.SampleOptions) *eval.Sample {
	t.Helper()
	s, err := eval.DrawSample(context.Background(), g, runs, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The contents of pages are text on the page for marking; they add no element or attribute.
func TestSampleHTML(t *testing.T) {
	runs := []eval.NamedRun{named(t, "links", linkBags), named(t, "content", contentBags)}
	for _, blind := range []bool{false, true} {
		s := draw(t, fruitGold(), runs, eval.SampleOptions{N: 4, Top: 3, Seed: 1, Blind: blind})
		s.Queries[0].Lists[0].Neighbours[0].URL = "javascript:alert(3)"
		s.Queries[0].Categories = []string{hostileTitle}
		var b bytes.Buffer
		if err := WriteSample(&b, s); err != nil {
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

// In a blind sample, a list is not always at the same place.
func TestShuffled(t *testing.T) {
	s := &eval.Sample{Methods: []eval.SampleMethod{{Name: "a"}, {Name: "b"}, {Name: "c"}}, Options: eval.SampleOptions{Seed: 1}}
	var first [3]int
	for i := range 300 {
		place := shuffled(s, eval.SampleQuery{URL: fmt.Sprint("https://x.example/", i)})
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

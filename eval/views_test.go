package eval

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/internal/fruit"
	"github.com/lshclust/lshclust/eval/score"
)

// Every view distinguishes two topics; the labels of three URLs are wrong, and one URL is unknown.
func TestCompareViews(t *testing.T) {
	runs := []NamedRun{sampleRun(t, "anchors", nil), sampleRun(t, "content", fruit.ContentBags)}
	g := fruit.Gold()
	for i := range g.Labels[:3] {
		g.Labels[i].Path = []string{"Top", "wheels"}
	}
	o := ViewsOptions{Depth: 2, Examples: 2, Score: score.Options{Bootstrap: 100, Seed: 1}}
	x, err := CompareViews(context.Background(), g, runs, o)
	if err != nil {
		t.Fatal(err)
	}
	if x.Labelled != 17 || x.Common != 16 || len(x.Scores) != 3 || len(x.Differences) != 3 || len(x.Wins) != 6 {
		t.Fatalf("%+v", x)
	}
	for i, name := range []string{"anchors", "content", "resemblance"} {
		if s := x.Scores[i]; s.Ranking != name || s.Queries != 16 || x.Known[i].View != name || x.Known[i].Known != 16 {
			t.Errorf("%s: %+v", name, s)
		}
	}
	if s := x.Scores[0]; s.Coverage.Value != 1 || s.Levels[0].Hit.Value != 1 || s.Levels[1].Hit.Value < 0.5 || s.Levels[1].Hit.Value == 1 {
		t.Errorf("anchors: %+v", s)
	}
	// The paired difference is the difference of the figures.
	d := x.Differences[0]
	for _, f := range d.Figures {
		if f.Name == "same_category_2" && math.Abs(f.Figure.Value-(x.Scores[0].Levels[1].Hit.Value-x.Scores[1].Levels[1].Hit.Value)) > 1e-12 {
			t.Errorf("%s less %s: %+v", d.A, d.B, f.Figure)
		}
	}
	shown := 0
	for _, w := range x.Wins {
		for _, e := range w.Examples {
			shown++
			if e.Right.Levels != 2 || e.Wrong.Levels >= 2 || e.Right.URL == "" || len(e.Right.Words) == 0 == (e.Right.Text == nil) {
				t.Errorf("%s over %s: %+v", w.View, w.Over, e)
			}
		}
		if len(w.Examples) > w.Queries || w.Queries > 0 && len(w.Examples) == 0 {
			t.Errorf("%s over %s: %d examples of %d", w.View, w.Over, len(w.Examples), w.Queries)
		}
	}
	if shown == 0 {
		t.Error("no view wins anywhere: nothing is tested")
	}
}

func TestCompareViewsErrors(t *testing.T) {
	both := sampleRun(t, "anchors", nil)
	topical := sampleRun(t, "content", fruit.ContentBags)
	o := ViewsOptions{Depth: 2}
	one := &gold.Gold{Name: "g", Labels: fruit.Gold().Labels[:1]}
	if _, err := CompareViews(context.Background(), one, []NamedRun{both}, o); !errors.Is(err, ErrNoOverlap) || !strings.Contains(err.Error(), "anchors knows 1") {
		t.Error(err)
	}
	if _, err := CompareViews(context.Background(), fruit.Gold(), []NamedRun{topical}, o); err == nil || !strings.Contains(err.Error(), "no two views") {
		t.Error(err)
	}
	if _, err := CompareViews(context.Background(), fruit.Gold(), []NamedRun{both, both}, o); err == nil || !strings.Contains(err.Error(), "both have bags of anchors") {
		t.Error(err)
	}
	only := sampleRun(t, "syntactic", func(c *config.Config) { c.Views = []string{config.Syntactic} })
	if _, err := CompareViews(context.Background(), fruit.Gold(), []NamedRun{only}, o); err == nil {
		t.Error("one view")
	}
}

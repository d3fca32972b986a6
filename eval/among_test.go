package eval

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/lshclust/lshclust/config"
	"github.com/lshclust/lshclust/eval/gold"
	"github.com/lshclust/lshclust/eval/score"
	"github.com/lshclust/lshclust/pipeline"
	"github.com/lshclust/lshclust/query"
)

// crowd is a run of forty pages with nearly the same words, so that all keys are in buckets of about forty. say adds
// words to the page at each place in the order of the documents.
func crowd(t *testing.T, say func(place int) string) *query.Run {
	t.Helper()
	c, err := config.Preset("web")
	if err != nil {
		t.Fatal(err)
	}
	c.Bags, c.Views, c.Language, c.Weighting = "content", []string{config.Topical}, "english", "none"
	c.MinDF, c.MaxDF, c.Floor, c.KeySize, c.Keys = 1, 1, 0.1, 2, 160
	c.MaxBucket, c.Reach, c.Neighbours, c.Apart, c.Rounds = 4, 0, 1, 0, 0
	build := func(text func(i int) string) *query.Run {
		var b strings.Builder
		for i := range 40 {
			fmt.Fprintf(&b, "{\"url\":\"https://p.example/%d\",\"text\":\"one sun two moon three star cloud rain wind snow %s\"}\n", i, text(i))
		}
		in, out := filepath.Join(t.TempDir(), "pages.jsonl"), filepath.Join(t.TempDir(), "run")
		if err := os.WriteFile(in, []byte(b.String()), 0o666); err != nil {
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
		return r
	}
	// Ids depend only on the URLs: a first run shows the id of each page.
	first := build(func(i int) string { return fmt.Sprint("w", i) })
	return build(func(i int) string {
		id, err := first.Lookup(fmt.Sprintf("https://p.example/%d", i))
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("w%d %s", i, say(int(id)))
	})
}

// A world that is worked out by hand. Buckets of more than four pages are not paired in full: with a reach of 0 a page
// is paired with the first one of the run alone. The four targets stand in the middle of forty pages, so that among all
// documents no two of them meet. An index of the four alone has buckets of four and pairs all of them; each is nearest
// to the one that shares its word (every second page says apple, the others say wheel), which alone is stored when one
// neighbour is kept.
func TestAmongTargets(t *testing.T) {
	r := crowd(t, func(place int) string {
		return []string{"apple apple", "wheel wheel"}[place%2]
	})
	g := &gold.Gold{Name: "gold"}
	for place := 20; place < 24; place++ {
		g.Labels = append(g.Labels, score.Label{URL: r.Document(uint32(place)).URL, Path: []string{[]string{"fruit", "cars"}[place%2]}})
	}
	bases, err := ParseBaselines([]string{"index", "stored-targets", "index-targets", "exact"})
	if err != nil {
		t.Fatal(err)
	}
	e, err := Evaluate(context.Background(), r, g, Options{Depth: 1, Lookup: query.Lookup{Width: 1}, Baselines: bases}) // no rounds
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprintf("run, all documents: %s", summary(e.Related[0]))
	for _, b := range e.Baselines {
		got += fmt.Sprintf("; %s, %s: %s", b.Name, b.Candidates, summary(b.Related[0]))
	}
	want := "run, all documents: 0/4 0.00 0; index, all documents: 0/4 0.00 0; stored-targets, targets alone: 4/4 1.00 1; " +
		"index-targets, targets alone: 4/4 1.00 3; exact, targets alone: 4/4 1.00 3"
	if got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}

// summary is the queries with a neighbour, the share of all whose nearest is in the same category, and the mean length
// of the lists.
func summary(s score.RankingScores) string {
	return fmt.Sprintf("%d/%d %.2f %g", s.Covered, s.Queries, s.Levels[0].Hit.Value, s.Found10.Value)
}
